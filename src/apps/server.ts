import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, ConfigError, loadConfig, unusedSettings } from '#platform/server/config.ts';
import { holderOf } from '#platform/server/data-dir-lock.ts';
import { type DiskSpace, openDiskSpace } from '#platform/server/disk/disk-space.ts';
import { fullAtStart, isOutOfRoom } from '#platform/server/disk/out-of-room.ts';
import { type DrainTimes, drain } from '#platform/server/draining.ts';
import { migrateJobs } from '#platform/server/jobs.ts';
import { createLogger, type Log } from '#platform/server/logging.ts';
import { migrate } from '#platform/server/migrate.ts';
import { type RunningDatabase, startDatabase } from '#platform/server/start-database.ts';
import { compose } from './compose.ts';

/**
 * The whole product in one process. Parts start in the order below and stop in reverse, so nothing
 * ever runs without what it needs.
 */
interface Part {
  stop(): Promise<void> | void;
  /** Stops at once, for a second Ctrl-C. */
  stopNow?(): void;
}

/** The started parts, latest first. */
const parts: Part[] = [];
let stoppingSince: number | undefined;

/** Stops everything in order and ends the process. */
async function shutDown(log: Log, code: number): Promise<void> {
  if (stoppingSince !== undefined) return;
  stoppingSince = Date.now();
  let exitCode = code;
  for (const part of parts) {
    try {
      await part.stop();
    } catch (error) {
      log.error({ err: error }, 'Something did not stop in good order');
      exitCode = 1;
    }
  }
  process.exit(exitCode);
}

/**
 * One Ctrl-C arrives twice, from the terminal and from npm. Signals within a second count as one.
 */
const sameSignalMs = 1000;

function listenToSignals(log: Log): void {
  const onSignal = (signal: string) => {
    if (stoppingSince === undefined) {
      log.info(`Stopping (${signal}). Once more stops at once.`);
      void shutDown(log, 0);
    } else if (Date.now() - stoppingSince > sameSignalMs) {
      for (const part of parts) part.stopNow?.();
      process.exit(1);
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  // The terminal was closed.
  process.on('SIGHUP', onSignal);
}

async function start(): Promise<void> {
  const config = loadConfig(process.env);
  await startWith(config).catch((cause: unknown) => {
    throw isOutOfRoom(cause) ? new Error(fullAtStart(config.dataDir), { cause }) : cause;
  });
}

async function startWith(config: Config): Promise<void> {
  const began = performance.now() - process.uptime() * 1000;
  const log = createLogger(config.logLevel);
  listenToSignals(log);
  warnOfUnused(config, log);
  await findPortFree(config);
  const disk = openDiskSpace({ log });
  disk.watch(config.dataDir);
  disk.begin();
  parts.unshift({ stop: () => disk.stop() });
  const running = await startStoppable(config, log, disk);
  await migrate(running.ownerUrl, { log });
  await migrateJobs(running.ownerUrl);
  const composition = await compose({
    config,
    log,
    running,
    disk,
    onMisuse: tellOf(log),
    webFolder: builtWeb(log),
  });
  const { app } = composition;
  parts.unshift({ stop: () => composition.stop() });
  await app.listen({ port: config.port, host: config.host });
  if (config.drainSeconds > 0) parts.unshift({ stop: () => drain(app, drainTimes(config)) });
  await composition.startWork();
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  const where = config.port === 0 ? `http://localhost:${port}` : config.publicUrl;
  log.info({ ms: Math.round(performance.now() - began) }, `Email Manager is ready at ${where}`);
}

/** Starts the database, so that stopping the product stops it even before it is ready. */
async function startStoppable(config: Config, log: Log, disk: DiskSpace): Promise<RunningDatabase> {
  const stopping = new AbortController();
  const starting = startDatabase(config, log, {
    disk,
    signal: stopping.signal,
    onDeath: (sentence) => {
      log.fatal(sentence);
      void shutDown(log, 1);
    },
  });
  let running: RunningDatabase | undefined;
  parts.unshift({
    async stop() {
      stopping.abort();
      // The operator's own server stays as it is, and may not even answer.
      if (config.databaseUrl !== undefined) return;
      await starting.then(
        (database) => database.stop(),
        () => undefined,
      );
    },
    stopNow: () => running?.stopNow(),
  });
  running = await starting;
  return running;
}

/**
 * A port that is taken is said at once, and not after the database has started. If this product has
 * it, on the same DATA_DIR, the start says that instead.
 */
async function findPortFree({ port, host, dataDir }: Config): Promise<void> {
  if (port === 0 || (await holderOf(dataDir)) !== undefined) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject).listen({ port, host }, resolve);
  });
  await new Promise((resolve) => probe.close(resolve));
}

/** With the default notice, the total stays below the 30 s that most supervisors wait. */
const drainTimes = ({ drainSeconds }: Config): DrainTimes => ({
  noticeMs: drainSeconds * 1000,
  patienceMs: 20_000,
});

/**
 * Breaking a rule of the database mostly does no harm, so it fails only in development (`npm run
 * dev`).
 */
const tellOf = (log: Log) =>
  process.execArgv.includes('--watch')
    ? undefined
    : (error: Error) => log.error({ err: error }, 'The program broke a rule of its own');

/** Nobody should rely on them in vain. */
function warnOfUnused(config: Config, log: Log): void {
  for (const { name, isSet } of unusedSettings(config)) {
    if (isSet) log.warn(`${name} is set, but this version does not use it yet`);
  }
}

/**
 * The built web application. `npm start` builds it. In development there may be none, because the
 * page comes from Vite.
 */
function builtWeb(log: Log): string | undefined {
  const folder = fileURLToPath(new URL('../../dist/web', import.meta.url));
  if (existsSync(join(folder, 'index.html'))) return folder;
  log.warn('The web application is not built; only the API is served');
  return undefined;
}

/** The sentence for the operator. A stack trace only if the failure is nobody's mistake. */
function explain(error: unknown): string {
  const { code, syscall, address, port, message, stack } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  if (syscall === 'listen' && code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program. Stop that program, or choose another port: PORT=${Number(port) + 1} npm start`;
  }
  if (syscall === 'listen' && code === 'EACCES') {
    return `Port ${port} may only be used by root. Choose one above 1023, for example: PORT=3000 npm start`;
  }
  if (syscall === 'listen' && code === 'EADDRNOTAVAIL')
    return `HOST ${address} is not an address of this machine.`;
  if (error instanceof ConfigError) return message;
  return process.env.LOG_LEVEL === 'debug' ? (stack ?? message) : message;
}

try {
  await start();
} catch (error) {
  // A start that is stopped meanwhile fails for that alone.
  if (stoppingSince === undefined) process.stderr.write(`\n${explain(error)}\n\n`);
  await shutDown(createLogger('warn'), 1);
}
