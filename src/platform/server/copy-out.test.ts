import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { copyOut } from './copy-out.ts';

let url: string;
let other: pg.Client;
let client: pg.Client;

beforeAll(async () => {
  url = (await createTestDatabase()).ownerUrl;
  other = new pg.Client(url);
  await other.connect();
});
afterAll(() => other.end());
beforeEach(async () => {
  client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  return () => client.end();
});

/** Sends some rows, then the database thinks until it is stopped. */
const rowsThenNothing = `copy (select case when n = 200 then pg_sleep(60)::text else repeat('x', 100) end
  from generate_series(1, 200) n) to stdout`;

async function processOf(one: pg.Client): Promise<number> {
  const { rows } = await one.query('select pg_backend_pid() as pid');
  return rows[0].pid;
}

describe('the rows of a COPY', () => {
  it('come whole', async () => {
    const rows = await copyOut(client, 'copy (select n from generate_series(1, 100000) n) to stdout');
    let lines = 0;
    for await (const piece of rows) lines += piece.toString().split('\n').length - 1;
    expect(lines).toBe(100_000);
  });

  it('come whole when there are none', async () => {
    const rows = await copyOut(client, 'copy (select 1 where false) to stdout');
    expect(await rows.toArray()).toEqual([]);
  });

  it('fail at once when the statement cannot be run', async () => {
    await expect(copyOut(client, 'copy (select 1 / 0) to stdout')).rejects.toThrow('division by zero');
  });

  it.each(['the connection', 'the statement'])(
    'fail at who reads them when %s has failed before',
    async (what) => {
      const pid = await processOf(client);
      const rows = await copyOut(client, rowsThenNothing);
      const stop = what === 'the connection' ? 'pg_terminate_backend' : 'pg_cancel_backend';
      await other.query(`select ${stop}($1)`, [pid]);
      // Nobody reads yet: what has come waits here, and the error comes after it.
      while (!rows.destroyed) await turn();
      await expect(rows.toArray()).rejects.toThrow(/terminating connection|canceling statement/);
    },
  );

  it('fail at who is reading them', async () => {
    const pid = await processOf(client);
    const rows = await copyOut(client, rowsThenNothing);
    // Expected before it can happen.
    const failed = expect(rows.toArray()).rejects.toThrow(/terminating connection/);
    await other.query('select pg_terminate_backend($1)', [pid]);
    await failed;
  });
});
