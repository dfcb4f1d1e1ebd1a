import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

// As `npm start` does it.
const directly = [
  join(root, 'node_modules', '.bin', 'node'),
  '--max-semi-space-size=8',
  '--no-allocation-site-pretenuring',
  'src/apps/server.ts',
];

/** A finished run of the product. */
export interface Ended {
  code: number | null;
  output: string;
}

export interface Product {
  /** Its address, for example `http://localhost:40123`. */
  url: string;
  child: ChildProcess;
  dataDir: string;
  /** What it has printed so far. */
  output(): string;
  /** Sends Ctrl-C (or another signal) and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

/** A folder for one test's data. PostgreSQL can enter it even when the tests run as root. */
export function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'email-manager-data-'));
  chmodSync(folder, 0o711);
  return folder;
}

export function removeDataDir(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * The whole product, as `npm start` runs it, on any free port with the embedded PostgreSQL in
 * `dataDir`.
 */
export async function startProduct(
  dataDir: string,
  environment: Record<string, string> = {},
  command = directly,
): Promise<Product> {
  return beginProduct(dataDir, environment, command).ready();
}

/** A product that is starting. */
export interface Starting {
  /** Waits until it has printed this. Throws if it ends first. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  ready(): Promise<Product>;
  stop(signal: NodeJS.Signals): Promise<Ended>;
}

/** The same, for what happens before it is ready. */
export function beginProduct(
  dataDir: string,
  environment: Record<string, string> = {},
  command = directly,
): Starting {
  const run = launch(dataDir, environment, command);
  const printed = async (pattern: RegExp) => {
    for (;;) {
      const found = pattern.exec(run.output());
      if (found) return found;
      const ended = await Promise.race([run.ended, sleep(20)]);
      if (ended) throw new Error(`the product ended (${ended.code}) instead of starting:\n${ended.output}`);
    }
  };
  return {
    printed,
    stop: run.stop,
    async ready() {
      const [, url = ''] = await printed(/Email Manager is ready at (http:\/\/[^\s"]+)/);
      return { ...run, url, dataDir };
    },
  };
}

/** Runs the product and expects it to refuse to start. Returns how it ended. */
export async function startExpectingRefusal(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<Ended> {
  return launch(dataDir, environment).ended;
}

function launch(dataDir: string, environment: Record<string, string>, [program = '', ...args] = directly) {
  const child = spawn(program, args, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      DATA_DIR: dataDir,
      // Lets Node compile once and not at every start.
      NODE_COMPILE_CACHE: join(root, '.tmp', 'compile-cache'),
      // A test does in a minute what people do in a day.
      LIMIT_IMPORTS: '10000',
      LIMIT_IMPORTS_AT_ONCE: '100',
      // Nobody answers there: no test asks the name servers of the machine.
      DNS_SERVERS: '127.0.0.1:9',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, output })));
  return {
    child,
    ended,
    output: () => output,
    stop: (signal: NodeJS.Signals = 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
  };
}
