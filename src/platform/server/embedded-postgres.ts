import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { keepSecretFile } from './config.ts';
import { holderOf, lockDataDir } from './data-dir-lock.ts';
import type { DiskSpace } from './disk/disk-space.ts';
import { noRoom } from './disk/out-of-room.ts';
import { keepRunning, type Server } from './disk/restarted-server.ts';
import { keepLogShort } from './disk/short-log.ts';
import type { Log } from './logging.ts';
import { findPlace, makeSocketFolder, type PostgresPlace } from './postgres-place.ts';
import { measureMachine, postgresSettings } from './postgres-settings.ts';

/**
 * The PostgreSQL server that comes with the product, one per DATA_DIR.
 *
 * The steps of a start: lock DATA_DIR, find the server's place, stop a server that a killed program
 * left running, create the database if there is none, start the server, create missing roles.
 *
 * It listens only on a Unix socket, so it needs no port and nobody else on the machine can reach
 * it. It runs in its own session, so Ctrl-C reaches only this program, which stops the server last.
 * A tiny shell holds a pipe from this program. When the program dies for any reason, the pipe
 * closes and the shell asks the server to stop.
 */
export interface EmbeddedPostgres {
  /**
   * Connection strings of the role that owns and migrates, and of the role bound by row-level
   * security.
   */
  ownerUrl: string;
  appUrl: string;
  /** The cluster's superuser in the database `postgres`. For tests and repairs. */
  superuserUrl: string;
  /** Waits until running statements are cut off and everything is on disk. */
  stop(): Promise<void>;
  /** Stops at once. The next start recovers from the write-ahead log. */
  stopNow(): void;
}

export interface EmbeddedOptions {
  dataDir: string;
  log: Log;
  /** Override the settings chosen for this machine. Tests use it to switch off durability. */
  settings?: Record<string, string>;
  /** Called with a sentence when the server ends unasked. */
  onDeath?: (sentence: string) => void;
  /** How full the disk is. A server that ended for lack of room is started again. */
  disk?: DiskSpace | undefined;
  /** Breaks off the start: it rejects with the signal's reason once no server runs. */
  signal?: AbortSignal | undefined;
}

interface Passwords {
  superuser: string;
  owner: string;
  app: string;
}

export const ownerRole = 'email_manager_owner';
export const appRole = 'email_manager_app';
const superuserRole = 'postgres';
const databaseName = 'email_manager';

/**
 * How long a server may take to start after a crash: replaying 8 GB of write-ahead log on a slow
 * disk.
 */
const startLimitMs = 10 * 60_000;
const stopLimitMs = 2 * 60_000;

export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, disk } = options;
  await lookBeforeStart(dataDir, disk);
  const lock = await lockDataDir(dataDir);
  try {
    const place = findPlace(dataDir);
    await stopOrphan(place, log);
    const passwords = keptPasswords(dataDir, place);
    if (!existsSync(join(place.cluster, 'PG_VERSION'))) initialise(place, passwords, log);
    const socketFolder = makeSocketFolder(place);
    const logFile = join(dataDir, 'postgres.log');
    disk?.watch(place.cluster, { keepReserve: true });
    const server = await keepRunning({
      start: () => startServer(place, socketFolder, logFile, options),
      disk,
      log,
      onDeath: (how) => options.onDeath?.(`The database server ${how}; see ${logFile}`),
    });
    const urls = connectionStrings(socketFolder, passwords);
    const ended = () => {
      rmSync(socketFolder, { recursive: true, force: true });
      lock.release();
    };
    try {
      await makeRoles(urls.superuserUrl, passwords);
    } catch (error) {
      await server.stop();
      throw error;
    }
    const rest = disk && keepLogShort(disk, urls.superuserUrl);
    const stop = async () => {
      rest?.();
      await server.stop();
      ended();
    };
    return { ...urls, stop, stopNow: server.stopNow };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** On a full disk, the reserve is given away before anything is written. */
async function lookBeforeStart(dataDir: string, disk: DiskSpace | undefined): Promise<void> {
  const entry = join(dataDir, 'postgres');
  if (!disk || !existsSync(entry)) return;
  disk.watch(realpathSync(entry), { keepReserve: true });
  await disk.look();
}

/**
 * The connection strings of the server that another program runs on `dataDir`. Undefined when there
 * is none.
 */
export async function findRunningPostgres(dataDir: string) {
  if ((await holderOf(dataDir)) === undefined) return undefined;
  const cluster = join(dataDir, 'postgres');
  const socketFolder = readPidFile(cluster)?.socketFolder;
  if (!socketFolder) return undefined;
  const passwords = JSON.parse(readFileSync(join(dataDir, 'database-passwords.json'), 'utf8')) as Passwords;
  return connectionStrings(socketFolder, passwords);
}

function connectionStrings(socketFolder: string, passwords: Passwords) {
  // The port only names the socket's file. `localhost` makes the string a valid URL for programs
  // that parse it as one.
  const url = (role: string, password: string, database: string) =>
    `postgres://${role}:${password}@localhost:5432/${database}?host=${encodeURIComponent(socketFolder)}`;
  return {
    ownerUrl: url(ownerRole, passwords.owner, databaseName),
    appUrl: url(appRole, passwords.app, databaseName),
    superuserUrl: url(superuserRole, passwords.superuser, 'postgres'),
  };
}

function keptPasswords(dataDir: string, place: PostgresPlace): Passwords {
  const path = join(dataDir, 'database-passwords.json');
  if (!existsSync(path) && existsSync(join(place.cluster, 'PG_VERSION'))) {
    throw new Error(
      `${path} is missing, and with it the passwords of the database beside it. Restore it from the backup.`,
    );
  }
  const make = () => randomBytes(24).toString('base64url');
  const text = keepSecretFile(path, () =>
    JSON.stringify({ superuser: make(), owner: make(), app: make() } satisfies Passwords),
  );
  return JSON.parse(text) as Passwords;
}

/**
 * What `postmaster.pid` says (https://www.postgresql.org/docs/current/storage-file-layout.html).
 */
function readPidFile(cluster: string): { pid: number; socketFolder: string; status: string } | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), socketFolder: lines[4] ?? '', status: (lines[7] ?? '').trim() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Processes of a server that works in this folder, the one thing all PostgreSQL processes share.
 */
function processesOf(cluster: string, recordedPid: number): number[] {
  if (process.platform !== 'linux') {
    const command = spawnSync('ps', ['-o', 'comm=', '-p', String(recordedPid)], {
      encoding: 'utf8',
    }).stdout.trim();
    return command.endsWith('postgres') ? [recordedPid] : [];
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const command = readFileSync(`/proc/${name}/comm`, 'utf8').trim();
        return command === 'postgres' && readlinkSync(`/proc/${name}/cwd`) === cluster;
      } catch {
        return false; // ended meanwhile, or another user's
      }
    })
    .map(Number);
}

/**
 * Stops a server that outlived its program, so that the new one starts clean. We hold the lock, so
 * no live program owns it. Removes a `postmaster.pid` whose process is gone or whose number another
 * program now has.
 */
async function stopOrphan(place: PostgresPlace, log: Log): Promise<void> {
  const found = readPidFile(place.cluster);
  if (!found) return;
  const began = Date.now();
  let asked = false;
  for (;;) {
    const pids = processesOf(place.cluster, found.pid);
    if (pids.length === 0) break;
    if (!asked)
      log.warn('A database server was left running by a program that was killed; stopping it first.');
    const late = Date.now() - began > stopLimitMs;
    // Without the first process, the others end by themselves. SIGINT would only cancel their
    // statements.
    const targets = late ? pids : pids.filter((pid) => pid === found.pid);
    if (!asked || late) for (const pid of targets) signal(pid, late ? 'SIGKILL' : 'SIGINT');
    asked = true;
    await sleep(50);
  }
  rmSync(join(place.cluster, 'postmaster.pid'), { force: true });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Creates the database in a folder beside its place and then moves it there whole, so that a
 * half-made one never starts.
 */
function initialise(place: PostgresPlace, passwords: Passwords, log: Log): void {
  log.info(`Making a new database in ${place.cluster}`);
  const draft = `${place.cluster}.new`;
  const passwordFile = `${place.cluster}.password`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, passwords.superuser, { mode: 0o600 });
  try {
    if (place.as) for (const path of [draft, passwordFile]) chownSync(path, place.as.uid, place.as.gid);
    const answer = spawnSync(
      join(place.programs, 'initdb'),
      [
        `--pgdata=${draft}`,
        `--username=${superuserRole}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
      ],
      { ...place.as, cwd: draft, env: serverEnvironment(), encoding: 'utf8' },
    );
    if (answer.status !== 0)
      throw new Error(`PostgreSQL could not make its database: ${answer.error?.message ?? answer.stderr}`);
    // `findPlace` left an empty folder here.
    renameSync(draft, place.cluster);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The server gets none of the product's environment, because that holds keys. */
const serverEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' });

async function startServer(
  place: PostgresPlace,
  socketFolder: string,
  logFile: string,
  options: EmbeddedOptions,
): Promise<Server> {
  const { signal: broken } = options;
  broken?.throwIfAborted();
  const output = openSync(logFile, sizeOf(logFile) > 10_000_000 ? 'w' : 'a', 0o600);
  const logStart = sizeOf(logFile);
  const flags = flagsFor(place, socketFolder, options);
  const child = spawn(join(place.programs, 'postgres'), ['-D', place.cluster, ...flags], {
    ...place.as,
    cwd: place.cluster,
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  // The server must not keep a program alive that ends without stopping it. The watcher stops it
  // then, also while it is not ready yet.
  child.unref();
  const watcher = child.pid === undefined ? undefined : watchOver(child.pid, place);
  const exit = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signalName) => resolve(signalName ?? `code ${code}`));
  });
  let ended: string | undefined;
  void exit.then((how) => {
    ended = how;
    watcher?.kill('SIGKILL');
  });
  const stop = async () => {
    child.ref();
    if (ended === undefined) child.kill('SIGINT');
    const limit = setTimeout(() => child.kill('SIGQUIT'), stopLimitMs);
    await exit;
    clearTimeout(limit);
  };
  const endOfLog = (lines: number) =>
    readFileSync(logFile, 'utf8').slice(logStart).trim().split('\n').slice(-lines).join('\n');
  await untilReady(place.cluster, child, async () => {
    if (broken?.aborted) await stop();
    broken?.throwIfAborted();
    if (ended === undefined) return;
    throw new Error(`PostgreSQL did not start (${ended}). The end of ${logFile}:\n${endOfLog(8)}`);
  });
  return {
    exit,
    foundNoRoom: () => noRoom.test(endOfLog(50)),
    stop,
    stopNow: () => void child.kill('SIGQUIT'),
  };
}

function flagsFor(place: PostgresPlace, socketFolder: string, options: EmbeddedOptions): string[] {
  const settings: Record<string, string> = {
    ...postgresSettings(measureMachine(place.cluster)),
    ...options.settings,
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    port: '5432',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** `check` is called again and again meanwhile; what it throws ends the waiting. */
async function untilReady(cluster: string, child: ChildProcess, check: () => Promise<void>): Promise<void> {
  for (const began = Date.now(); ; await sleep(10)) {
    await check();
    const file = readPidFile(cluster);
    if (file?.pid === child.pid && file?.status === 'ready') return;
    if (Date.now() - began > startLimitMs) {
      child.kill('SIGINT');
      throw new Error(`PostgreSQL was not ready after ${startLimitMs / 60_000} minutes.`);
    }
  }
}

/**
 * The shell that asks the server to stop when this program is gone. Its `read` ends when the pipe
 * closes.
 */
function watchOver(pid: number, place: PostgresPlace): ChildProcess {
  const watcher = spawn('/bin/sh', ['-c', 'read -r line; kill -INT "$1"', 'sh', String(pid)], {
    ...place.as,
    cwd: '/',
    env: serverEnvironment(),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.stdin?.on('error', () => undefined); // the shell was killed first
  watcher.unref();
  return watcher;
}

/**
 * Creates the two roles and the database where they are missing. The next start completes one that
 * was cut short.
 */
async function makeRoles(superuserUrl: string, passwords: Passwords): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const roles = await client.query<{ rolname: string }>(
      'select rolname from pg_roles where rolname = any($1)',
      [[ownerRole, appRole]],
    );
    const present = new Set(roles.rows.map((row) => row.rolname));
    // Passwords are base64url text made above, so they need no quoting.
    if (!present.has(ownerRole))
      await client.query(`create role ${ownerRole} login password '${passwords.owner}'`);
    if (!present.has(appRole)) await client.query(`create role ${appRole} login password '${passwords.app}'`);
    const databases = await client.query('select 1 from pg_database where datname = $1', [databaseName]);
    if (databases.rowCount === 0) await client.query(`create database ${databaseName} owner ${ownerRole}`);
  } finally {
    await client.end();
  }
}
