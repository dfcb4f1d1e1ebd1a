import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Config, loadConfig } from '#platform/server/config.ts';
import { holderOf } from '#platform/server/data-dir-lock.ts';
import { Client, Refused } from './seed/client.ts';
import { demoUser, fillWorkspace } from './seed/workspace.ts';

/**
 * `npm run seed` creates a demo workspace through the product's own calls. It uses the product that
 * runs on this DATA_DIR (or database), and otherwise starts it temporarily. A second run changes
 * nothing.
 */

const say = (sentence: string) => process.stdout.write(`${sentence}\n`);

/** The product's current address. Undefined when it does not run. */
async function runningProduct(config: Config): Promise<string | undefined> {
  const url = `http://localhost:${config.port}`;
  const answers = await fetch(`${url}/api/ready`, { signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (config.databaseUrl !== undefined) return answers ? url : undefined;
  const holder = await holderOf(config.dataDir);
  if (holder === undefined) return undefined;
  if (answers) return url;
  throw new Error(
    `Email Manager runs on ${config.dataDir} (process ${holder}), but not at ${url}. Give its port, for example: PORT=3001 npm run seed`,
  );
}

interface Started {
  url: string;
  stop: () => Promise<void>;
}

/** Runs the product on any free port. */
async function startProduct(): Promise<Started> {
  const server = fileURLToPath(new URL('server.ts', import.meta.url));
  const child = spawn(process.execPath, [server], {
    env: { ...process.env, PORT: '0', PUBLIC_URL: '', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  for await (const line of createInterface(child.stdout)) {
    const url = /Email Manager is ready at (http:\/\/[^\s"]+)/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    const stop = async () => {
      child.kill('SIGTERM');
      await ended;
    };
    return { url, stop };
  }
  throw new Error('The product could not be started; what is wrong is said above.');
}

/** Signs the demo user in, or up if there is none yet. */
async function enter(client: Client): Promise<void> {
  try {
    await client.signUp(demoUser.name, demoUser.email, demoUser.password);
  } catch (error) {
    if (!(error instanceof Refused) || (error.status !== 409 && error.status !== 422)) throw error;
    await client.signIn(demoUser.email, demoUser.password);
  }
}

async function seed(): Promise<void> {
  const config = loadConfig(process.env);
  const running = await runningProduct(config);
  const started = running === undefined ? await startProduct() : undefined;
  try {
    const client = new Client(running ?? started?.url ?? '');
    await enter(client);
    const filled = await fillWorkspace(client, say);
    say(filled ? 'The demo workspace is ready.' : 'The demo workspace is there already.');
  } finally {
    await started?.stop();
  }
  say(
    `Sign in ${running ? `at ${config.publicUrl}` : 'after `npm start`'} as ${demoUser.email}, password ${demoUser.password}`,
  );
}

try {
  await seed();
} catch (error) {
  process.stderr.write(`\n${(error as Error).message}\n\n`);
  process.exitCode = 1;
}
