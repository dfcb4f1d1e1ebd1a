import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Allows one running program per DATA_DIR. The lock is the file `running`. It holds the owner's
 * process id, the moment that process began and where that id means something. After kill -9 the
 * file stays behind. The next start sees that no live process has that id and beginning, and takes
 * over the lock. If the file was written elsewhere (by a container and its successor on one volume,
 * or before the machine began anew), process ids mean nothing, so the holder's heartbeat decides.
 */
interface Holder {
  pid: number;
  began: string;
  host: string;
}

/**
 * Where process ids mean the same: the machine's name, and on Linux its boot and the namespace of
 * process ids. Two containers may have one name.
 */
function here(): string {
  if (process.platform !== 'linux') return hostname();
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

export interface DataDirLock {
  release(): void;
}

/** Another live program holds this DATA_DIR. */
export class DataDirInUse extends Error {
  constructor(dataDir: string, pid: number) {
    super(
      `Email Manager already runs on ${dataDir} (process ${pid}). Stop that one first, or give this one a DATA_DIR of its own.`,
    );
    this.name = 'DataDirInUse';
  }
}

const heartbeatMs = 2000;
const lockPath = (dataDir: string) => join(dataDir, 'running');

/**
 * When a process began, as text that differs for a later process with the same id. Undefined when
 * there is no such process. A process that has ended but that its parent has not collected (a
 * zombie) does not count.
 */
function beginningOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // Fields 3 (state) and 22 (start), counted after the command in brackets, because the command
      // may contain spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? undefined : fields[19];
    }
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined; // no such process
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return { pid: 0, began: '', host: here() };
    throw error;
  }
}

async function isAlive(holder: Holder, path: string): Promise<boolean> {
  if (holder.host === here()) return beginningOf(holder.pid) === holder.began;
  const modified = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const before = modified();
  await sleep(heartbeatMs * 2.5);
  return before !== modified();
}

/** The process id of the live program that holds `dataDir`, if any. */
export async function holderOf(dataDir: string): Promise<number | undefined> {
  const path = lockPath(dataDir);
  const holder = readHolder(path);
  return holder && (await isAlive(holder, path)) ? holder.pid : undefined;
}

/**
 * Takes the lock of `dataDir`, if need be from a dead holder. Throws `DataDirInUse` when a live
 * program has it.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  mkdirSync(dataDir, { recursive: true });
  const path = lockPath(dataDir);
  const mine: Holder = { pid: process.pid, began: beginningOf(process.pid) ?? '', host: here() };
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, JSON.stringify(mine));
  try {
    while (!tryLink(draft, path)) {
      const holder = readHolder(path);
      if (!holder) continue;
      if (await isAlive(holder, path)) throw new DataDirInUse(dataDir, holder.pid);
      removeStale(path, holder, dataDir);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  const heartbeat = setInterval(() => touch(path), heartbeatMs).unref();
  return {
    release() {
      clearInterval(heartbeat);
      if (readHolder(path)?.began === mine.began) rmSync(path, { force: true });
    },
  };
}

/** Gives the finished file its name. False when another process's file is there. */
function tryLink(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the dead holder's file away. Puts it back if a faster start replaced it in between. */
function removeStale(path: string, seen: Holder, dataDir: string): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const moved = readHolder(aside);
  if (moved && (moved.pid !== seen.pid || moved.began !== seen.began)) {
    renameSync(aside, path);
    throw new DataDirInUse(dataDir, moved.pid);
  }
  rmSync(aside, { force: true });
}

function touch(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // The folder was removed under a running program. PostgreSQL reports that more clearly.
  }
}
