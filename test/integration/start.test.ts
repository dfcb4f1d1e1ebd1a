// Tests of: apps
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRunningPostgres } from '#platform/server/embedded-postgres.ts';
import {
  beginProduct,
  makeDataDir,
  type Product,
  removeDataDir,
  startExpectingRefusal,
  startProduct,
} from '#test/support/product.ts';

const postmasterPid = (dataDir: string) =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Holds the database server of a start as soon as there is one. Returns its process. */
async function heldWhileStarting(dataDir: string): Promise<number> {
  for (;;) {
    const isThere = existsSync(join(dataDir, 'postgres', 'postmaster.pid'));
    const pid = isThere ? postmasterPid(dataDir) : 0;
    if (pid > 0) {
      process.kill(pid, 'SIGSTOP');
      return pid;
    }
    await sleep(1);
  }
}

async function queryAsOwner(dataDir: string, text: string) {
  const running = await findRunningPostgres(dataDir);
  const client = new pg.Client({ connectionString: running?.ownerUrl });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('starting and stopping the product', () => {
  let folder: string;
  let dataDir: string;
  let running: Product[];
  const start = async (environment?: Record<string, string>) => {
    const product = await startProduct(dataDir, environment);
    running.push(product);
    return product;
  };

  beforeEach(() => {
    folder = makeDataDir();
    dataDir = folder;
    running = [];
  });
  afterEach(async () => {
    for (const product of running) if (product.child.exitCode === null) await product.stop();
    removeDataDir(folder);
  });

  it('is healthy and ready, keeps its secrets from others, and ends with 0 on Ctrl-C with nothing left running', async () => {
    const product = await start();
    expect((await fetch(`${product.url}/api/health`)).status).toBe(200);
    expect((await fetch(`${product.url}/api/ready`)).status).toBe(200);
    for (const name of ['secret-key', 'database-passwords.json']) {
      expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
    }
    const pid = postmasterPid(dataDir);
    const { code } = await product.stop('SIGINT');
    expect(code).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    expect(existsSync(join(dataDir, 'running'))).toBe(false);
  });

  it('ends the product, its database and npm itself when npm is asked to stop', async () => {
    const npm = await startProduct(dataDir, {}, ['npm', 'start', '--ignore-scripts']);
    running.push(npm);
    const pid = postmasterPid(dataDir);
    const { code, output } = await npm.stop('SIGTERM');
    expect(output).toContain('Stopping (SIGTERM)');
    expect(code).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });

  it('starts again by itself after kill -9, with all that was committed', async () => {
    const first = await start();
    await queryAsOwner(dataDir, `create table kept as select 42 as answer`);
    await first.stop('SIGKILL');
    await start();
    expect(await queryAsOwner(dataDir, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('stops a database server that is not ready yet, and ends with 0 only then', async () => {
    const starting = beginProduct(dataDir);
    const pid = await heldWhileStarting(dataDir);
    const ended = starting.stop('SIGTERM');
    await starting.printed(/Stopping \(SIGTERM\)/);
    process.kill(pid, 'SIGCONT');
    const { code, output } = await ended;
    const isLeft = existsSync(join(dataDir, 'postgres', 'postmaster.pid'));
    if (isLeft) process.kill(pid, 'SIGINT');
    expect(isLeft).toBe(false);
    expect(code).toBe(0);
    // Nothing went wrong.
    expect(output.trim().split('\n').at(-1)).toContain('Stopping (SIGTERM)');
    expect(existsSync(join(dataDir, 'running'))).toBe(false);
  });

  it('leaves no database server running after kill -9 while it is not ready yet', async () => {
    const starting = beginProduct(dataDir);
    const pid = await heldWhileStarting(dataDir);
    await starting.stop('SIGKILL');
    process.kill(pid, 'SIGCONT');
    try {
      await expect.poll(() => existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    } finally {
      if (existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) process.kill(pid, 'SIGINT');
    }
  });

  it('starts again after the database server was killed with the program', async () => {
    const first = await start();
    await queryAsOwner(dataDir, `create table kept as select 42 as answer`);
    process.kill(postmasterPid(dataDir), 'SIGSTOP');
    await first.stop('SIGKILL');
    process.kill(postmasterPid(dataDir), 'SIGKILL');
    await start();
    expect(await queryAsOwner(dataDir, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('waits for a database server that is still stopping after kill -9', async () => {
    const first = await start();
    const pid = postmasterPid(dataDir);
    process.kill(pid, 'SIGSTOP');
    await first.stop('SIGKILL');
    const second = beginProduct(dataDir);
    await second.printed(/left running by a program that was killed|is ready/);
    process.kill(pid, 'SIGCONT');
    const product = await second.ready();
    running.push(product);
    expect(product.output()).toContain('left running by a program that was killed');
    expect(postmasterPid(dataDir)).not.toBe(pid);
  });

  it('ends with 1 and a sentence when the database server dies under it', async () => {
    const product = await start();
    const ended = new Promise<number | null>((resolve) => product.child.once('exit', resolve));
    process.kill(postmasterPid(dataDir), 'SIGKILL');
    expect(await ended).toBe(1);
    expect(product.output()).toContain('The database server ended unexpectedly');
  });

  it('refuses a second start on one DATA_DIR in one sentence, and leaves the first alone', async () => {
    const first = await start();
    // On the same port, too: that it is taken would not say by whom.
    const second = await startExpectingRefusal(dataDir, { PORT: new URL(first.url).port });
    expect(second.code).toBe(1);
    expect(second.output.trim()).toBe(
      `Email Manager already runs on ${dataDir} (process ${first.child.pid}). ` +
        'Stop that one first, or give this one a DATA_DIR of its own.',
    );
    expect((await fetch(`${first.url}/api/ready`)).status).toBe(200);
  });

  it('says which port is taken and what to do, before it makes a database', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const refusal = await startExpectingRefusal(dataDir, { PORT: String(port), LOG_LEVEL: 'silent' });
    taken.close();
    expect(refusal.code).toBe(1);
    expect(refusal.output).toContain(`Port ${port} is taken by another program.`);
    expect(refusal.output).toContain(`PORT=${port + 1} npm start`);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
  });

  it('names every bad value of the configuration at once', async () => {
    const refusal = await startExpectingRefusal(dataDir, {
      PORT: 'door',
      ROLE: 'king',
      DATABASE_URL: 'mysql://x',
    });
    expect(refusal.code).toBe(1);
    for (const name of ['PORT', 'ROLE', 'DATABASE_URL'])
      expect(refusal.output).toContain(`- ${name} must be`);
  });

  it('starts on a DATA_DIR whose path is too long for a socket', async () => {
    dataDir = join(folder, 'a'.repeat(60), 'b'.repeat(60));
    const product = await start();
    expect((await fetch(`${product.url}/api/ready`)).status).toBe(200);
  });
});
