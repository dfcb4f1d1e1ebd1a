// Tests of: imports, tasks, sending
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { importClaimsLock } from '#features/imports/server/locks.ts';
import { freezeClaimsLock } from '#features/sending/server/locks.ts';
import { taskClaimsLock } from '#features/tasks/server/locks.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';

// Many processes look for work at the same moment, and each workspace has as many runs at once as
// it may have, in all of them together.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const processes = 8;
const waiting = 6;
const rounds = 40;

let made: TestDatabase;
let owner: pg.Client;
const connections: pg.Client[] = [];

beforeAll(async () => {
  made = await createTestDatabase();
  owner = new pg.Client({ connectionString: made.ownerUrl });
  await owner.connect();
  for (let n = 0; n < processes; n++) {
    const client = new pg.Client({ connectionString: made.appUrl });
    await client.connect();
    connections.push(client);
  }
});
afterAll(async () => {
  for (const one of [...connections, owner]) await one.end();
  await made.drop();
});

const kinds = [
  {
    name: 'imports',
    lock: importClaimsLock,
    add: `insert into imports (workspace_id, file_name, status, options, file_key)
          select $1::int, n || '.csv', 'processing', '{}', 'imports/1/' || n || '.csv' from generate_series(1, $2::int) n`,
    claim: (most: number) => `select id from claim_import($1::uuid, 60, ${most}, '{}')`,
    clear: 'delete from imports',
    mosts: [1, 2, 3],
    // As many as there are staging tables for.
    inAll: 4,
  },
  {
    name: 'tasks',
    lock: taskClaimsLock,
    add: `insert into tasks (workspace_id, kind, title, input, user_name, actor)
          select $1, 'test.one', 'One', '{}', 'Jane', 'jane@acme.co.uk' from generate_series(1, $2::int)`,
    claim: (most: number) =>
      `select id from claim_waiting_task($1::uuid, array['test.one'], 60, ${most}, 0, '{}')`,
    clear: 'delete from tasks',
    mosts: [1, 2, 3],
    inAll: processes,
  },
  {
    name: 'mailings',
    lock: freezeClaimsLock,
    add: `insert into mailings (workspace_id, kind, name, from_name, from_address, subject, html, text, tracks_opens, tracks_clicks)
          select $1, 'campaign', n, '', 'jane@acme.co.uk', '', '', '', false, false from generate_series(1, $2::int) n`,
    claim: () => `select id from claim_freeze($1::uuid, 60, '{}')`,
    clear: 'delete from mailings',
    // Each sees whom those before it go to.
    mosts: [1],
    inAll: processes,
  },
];

describe.each(kinds)('claiming $name', ({ name, lock, add, claim, clear, mosts, inAll }) => {
  const most = Math.min(2, ...mosts.slice(-1));
  const fill = async (workspaces: number[]) => {
    await owner.query(clear);
    for (const workspace of workspaces) await owner.query(add, [workspace, waiting]);
  };
  const claimAtOnce = async (most: number): Promise<number[]> => {
    const claims = await Promise.all(connections.map((one) => one.query(claim(most), [randomUUID()])));
    return claims.flatMap(({ rows }) => rows.map(({ id }) => Number(id)));
  };
  const heldBy = async () => {
    const { rows } = await owner.query(
      `select workspace_id::int as workspace, count(*)::int as held from ${name}
       where lease is not null group by 1 order by 1`,
    );
    return rows;
  };

  it.each(mosts)('gives one workspace no more than %i', async (most) => {
    for (let round = 0; round < rounds; round++) {
      await fill([11]);
      const claimed = await claimAtOnce(most);
      expect(new Set(claimed).size).toBe(claimed.length);
      expect(await heldBy()).toEqual([{ workspace: 11, held: most }]);
    }
  });

  it('gives each of three workspaces its share', async () => {
    for (let round = 0; round < rounds; round++) {
      await fill([11, 12, 13]);
      await claimAtOnce(most);
      const held = await heldBy();
      expect(held.map(({ workspace }) => workspace)).toEqual([11, 12, 13]);
      expect(Math.max(...held.map(({ held }) => held))).toBe(most);
      expect(held.reduce((sum, { held }) => sum + held, 0)).toBe(Math.min(3 * most, inAll));
    }
  });

  it.runIf(inAll < processes)('lets others wait in the queue while all room is taken', async () => {
    await fill([11, 12, 13, 14, 15]);
    expect(await claimAtOnce(2)).toHaveLength(inAll);
    expect(await claimAtOnce(2)).toHaveLength(0);
    // A file that was cut off needs no room. It is only ended.
    await owner.query(
      `insert into imports (workspace_id, file_name, status, options) values (16, 'cut.csv', 'uploading', '{}')`,
    );
    expect(await claimAtOnce(2)).toHaveLength(1);
    await owner.query(
      `update imports set status = 'completed', lease = null, lease_until = null, file_key = null
       where id = (select min(id) from imports where lease is not null and file_key is not null)`,
    );
    expect(await claimAtOnce(2)).toHaveLength(1);
  });

  it('waits for whoever is claiming, and counts what they took', async () => {
    await fill([11]);
    await owner.query('begin');
    await owner.query('select pg_advisory_xact_lock($1::int, 0)', [lock.number]);
    const claims = claimAtOnce(most);
    await vi.waitFor(async () => {
      const { rows } = await owner.query(
        `select from pg_locks where locktype = 'advisory' and not granted and classid = ${lock.number}`,
      );
      expect(rows).toHaveLength(processes);
    }, 30_000);
    await owner.query('commit');
    expect(await claims).toHaveLength(most);
  });
});
