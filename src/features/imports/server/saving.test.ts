import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkBooks, holdFigures } from '#features/rollups/server/index.ts';
import { figuresLock } from '#features/rollups/server/locks.ts';
import { suppressRecipients } from '#features/suppressions/server/index.ts';
import { listLock } from '#features/suppressions/server/locks.ts';
import { lockStatement } from '#platform/server/locks.ts';
import { formOf, importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { waitingForLocks } from '#test/support/waiting-for-locks.ts';

// An import writes its search text slowly. Others change the suppression list meanwhile.

let product: TestApp;
let person: SignedIn;
let holder: pg.Client;

beforeAll(async () => {
  product = await openTestApp();
  product.tasks.startWork();
  person = await signUp(product.app);
  holder = new pg.Client({ connectionString: product.ownerUrl });
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await product.close();
});

/**
 * Whether somebody waits for the table whose lock the test holds. Only the import can be waiting
 * here.
 */
async function isHeldUp(): Promise<boolean> {
  const { rows } = await holder.query(
    `select from pg_locks
     where not granted and relation = 'contact_search_recent'::regclass
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length > 0;
}

const waits = async (client: pg.Client): Promise<boolean> => {
  const { processID: pid } = client as unknown as { processID: number };
  return (await holder.query('select from pg_locks where pid = $1 and not granted', [pid])).rows.length > 0;
};

it('holds no lock that others need before its search text and its receipt are finished', async () => {
  await holder.query('begin');
  await holder.query('lock table contact_search_recent in share mode');
  const importing = importCsv(product.app, person.cookie, 'email\njo@acme.co.uk\nsam@leeds.co.uk\n');
  await vi.waitFor(async () => expect(await isHeldUp()).toBe(true), 20_000);
  // Enough time for it to go on with what does not have to wait.
  await sleep(1_000);
  const suppressing = product.app.inject({
    method: 'POST',
    url: '/api/suppressions/domain',
    headers: { cookie: person.cookie },
    payload: { domain: 'acme.co.uk' },
  });
  const first = await Promise.race([suppressing.then(() => 'suppressed'), sleep(5_000, 'held back')]);
  await holder.query('rollback');
  expect(first).toBe('suppressed');
  expect((await suppressing).statusCode).toBe(201);
  expect((await importing).json()).toMatchObject({ imported: 2 });
  const { workspaceId } = person;
  expect(await product.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
});

it('waits for a list that comes in before it wants the figures, if it may find somebody on a hashed list', async () => {
  const hashed = formOf([['file', createHash('sha256').update('kim@acme.co.uk').digest('hex'), 'list.csv']]);
  const list = await product.app.inject({
    ...{ method: 'POST', url: '/api/suppressions/import', payload: hashed.payload },
    headers: { ...hashed.headers, cookie: person.cookie },
  });
  expect(list.statusCode, list.body).toBe(200);
  const { workspaceId } = person;
  await holder.query('begin');
  let importing: ReturnType<typeof importCsv>;
  try {
    await holder.query(lockStatement(listLock, workspaceId));
    await holder.query(
      `insert into suppressions (workspace_id, local, domain, reason) values ($1, 'kim', 'acme.co.uk', 'manual')`,
      [workspaceId],
    );
    importing = importCsv(product.app, person.cookie, 'email\nkim@acme.co.uk\n', {
      options: { checkSuppressions: false },
    });
    await expect.poll(() => waitingForLocks(product)).toBe(1);
    // Enough time for PostgreSQL to look for a circle before there is one.
    await sleep(1_500);
    await holder.query(lockStatement(figuresLock, workspaceId));
  } finally {
    await holder.query('rollback');
  }
  expect((await importing).json()).toMatchObject({ imported: 1 });
  expect(await product.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
});

it('is tried again when PostgreSQL has ended it, because it and somebody else waited for each other', async () => {
  const { workspaceId } = person;
  const other = new pg.Client({ connectionString: product.ownerUrl });
  await other.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table contact_search_recent in share mode');
    const importing = importCsv(product.app, person.cookie, 'email\npia@acme.co.uk\n');
    await expect.poll(isHeldUp).toBe(true);
    await other.query(`begin; ${lockStatement(figuresLock, workspaceId)}`);
    const add = (patience: string) =>
      other.query(`
        set local lock_timeout = '${patience}';
        insert into contacts (workspace_id, local, domain) values (${workspaceId}, 'pia', 'acme.co.uk')`);
    const isInserted = async () => {
      await other.query('savepoint attempt');
      const error = await add('100ms').catch((failure: pg.DatabaseError) => failure.code);
      await other.query('rollback to savepoint attempt');
      return error === '55P03';
    };
    await expect.poll(isInserted).toBe(true);
    const adding = add('0').catch(() => undefined);
    await expect.poll(() => waits(other)).toBe(true);
    // Each looks for a circle once, when it has waited for a second. So the import finds it.
    await sleep(1_500);
    await holder.query('rollback');
    await adding;
    await other.query('rollback');
    expect((await importing).json()).toMatchObject({ imported: 1 });
  } finally {
    await other.end();
    await holder.query('rollback');
  }
  expect(await product.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
});

describe('an import that mends slips', () => {
  // Somebody without a hashed list, for which every import waits.
  beforeAll(async () => {
    person = await signUp(product.app);
  });

  const mending = (file: string, checkSuppressions = true) =>
    importCsv(product.app, person.cookie, file, {
      ...{ options: { checkSuppressions }, reading: { mend: ['hotmial.co.uk'] } },
    });
  const statusOf = async (address: string) => {
    const answer = await product.app.inject({
      ...{ url: `/api/emails?search=${address}`, headers: { cookie: person.cookie } },
    });
    return answer.json().emails[0]?.status;
  };

  it('adds its domains first and waits for no list where nobody has left', async () => {
    const { workspaceId } = person;
    const domains = Array.from({ length: 5_000 }, (_, n) => `jo@mended${n}.co.uk`);
    let importing: ReturnType<typeof importCsv>;
    await holder.query('begin');
    try {
      await holder.query(lockStatement(listLock, workspaceId));
      await holder.query(lockStatement(figuresLock, workspaceId, 'shared'));
      await holder.query('savepoint before_all_wait');
      await holder.query(lockStatement(figuresLock, workspaceId));
      importing = mending(['email', 'lee@hotmial.co.uk', ...domains].join('\n'));
      await expect.poll(() => waitingForLocks(product), { timeout: 20_000 }).toBe(1);
      const adding = holder.query(`
        set local lock_timeout = '100ms';
        insert into contact_domains (workspace_id, domain) values (${workspaceId}, 'mended3.co.uk')`);
      await expect(adding).rejects.toMatchObject({ code: '55P03' });
      // Now others hold the figures shared, and a list is still coming in.
      await holder.query('rollback to savepoint before_all_wait');
      await importing;
    } finally {
      await holder.query('rollback');
    }
    expect((await importing).json()).toMatchObject({ imported: 5_001 });
    expect(await statusOf('lee@hotmail.co.uk')).toBe('active');
    expect(await product.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
  });

  it.each([
    { who: 'max', checks: true, imported: 0, status: undefined },
    { who: 'ned', checks: false, imported: 1, status: 'suppressed' },
  ])(
    'hears who leaves at such an address at that moment: $who',
    async ({ who, checks, imported, status }) => {
      const { workspaceId } = person;
      let importing: ReturnType<typeof importCsv> | undefined;
      await product.database.asTenant(workspaceId, async (tx) => {
        await holdFigures(tx, workspaceId);
        importing = mending(`email\n${who}@hotmial.co.uk\n`, checks);
        await expect.poll(() => waitingForLocks(product), { timeout: 20_000 }).toBe(1);
        await suppressRecipients(tx, workspaceId, [
          { local: who, domain: 'hotmial.co.uk', reason: 'unsubscribed', note: null },
        ]);
      });
      expect((await importing)?.json()).toMatchObject({ imported, suppressed: 1 - imported });
      expect(await statusOf(`${who}@hotmail.co.uk`)).toBe(status);
      expect(await product.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
    },
  );
});
