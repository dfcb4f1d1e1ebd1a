import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdRemovals, purgeBin } from '#features/bin/server/index.ts';
import { idsPerBlock } from '#features/contacts/rules.ts';
import { checkBooks, contactsAdded } from '#features/rollups/server/index.ts';
import { createTasks, type Tasks } from '#features/tasks/server/index.ts';
import { inBackground } from '#platform/server/call-context.ts';
import { type Database, openDatabase, type TenantTx } from '#platform/server/database.ts';
import { createLogger } from '#platform/server/logging.ts';
import { registerContactFeatures } from '#test/support/contact-features.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { createTestHttp, stubCaller, type TestHttp } from '#test/support/stub-caller.ts';
import { waitingForLocks } from '#test/support/waiting-for-locks.ts';

// These removals are too large for one transaction. On a busy machine, filling a workspace alone
// takes a while.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let made: TestDatabase;
let db: Database;
let owner: Database;
let tasks: Tasks;
let http: TestHttp;
let workspace = 500;

const newTasks = () => createTasks({ db, log: createLogger('silent'), leavesWorkToOthers: false });

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  owner = openDatabase({ url: made.ownerUrl, maxConnections: 1 });
  tasks = newTasks();
  tasks.startWork();
  http = await createTestHttp((router) => {
    registerContactFeatures(router, { db, tasks });
    tasks.register(router);
  });
});
afterAll(async () => {
  await http.app.close();
  await tasks.stop();
  await db.close();
  await owner.close();
  await made.drop();
});

const contacts = 61_000;
/** Out of every ten: one further copy, one invalid, two from another country. */
const counts = { duplicates: contacts / 10, invalid: contacts / 10, nonUk: contacts / 5 };
const toClean = counts.duplicates + counts.invalid + counts.nonUk;

beforeEach(async () => {
  workspace += 1;
  // The planner has no statistics about the workspace that is filled next, just as after a first
  // import.
  await owner.pool.query('analyze');
  await db.asTenant(workspace, async (tx) => {
    await sql`
      insert into contacts (workspace_id, local, domain, state)
      select ${workspace}::bigint, 'p' || n,
             case when n % 10 in (0, 1) then 'firma' || n % 50 || '.de' else 'shop' || n % 90 || '.co.uk' end,
             case n % 10 when 2 then 1 when 3 then 2 else 0 end
      from generate_series(1, ${contacts}::int) n order by 3, 2`.execute(tx);
    await sql`
      insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
      select ${workspace}::bigint, min(id), max(id), string_agg(local || '@' || domain, E'\n')
      from contacts where workspace_id = ${workspace} group by id / ${sql.lit(idsPerBlock)}`.execute(tx);
    await sql`
      insert into contact_domains (workspace_id, domain, valid, invalid, duplicate)
      select ${workspace}::bigint, domain, count(*) filter (where state = 0), count(*) filter (where state = 1),
             count(*) filter (where state = 2)
      from contacts where workspace_id = ${workspace} group by domain`.execute(tx);
    await sql`
      insert into contact_counts (workspace_id, active, invalid, duplicate, domains)
      select ${workspace}::bigint, sum(valid), sum(invalid), sum(duplicate), count(*)
      from contact_domains where workspace_id = ${workspace}`.execute(tx);
    await sql`
      insert into suppressions (workspace_id, local, domain, reason)
      select ${workspace}::bigint, local, domain, 'manual' from contacts
      where workspace_id = ${workspace} and state = 0 order by id limit 0`.execute(tx);
  });
});

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, body?: unknown) =>
  http.call(stubCaller(workspace), method, url, body);
const stats = async () => (await call('GET', '/api/stats')).body;
const books = () => db.asTenant(workspace, (tx) => checkBooks(tx, workspace));
const taskList = async () => (await call('GET', '/api/tasks')).body.items;

/** Starts the call without waiting, and answers the task. */
async function begin(method: 'POST' | 'DELETE', url: string, body?: unknown): Promise<number> {
  await call('GET', '/api/stats');
  const answer = await http.app.inject({
    method,
    url,
    headers: {
      'x-test-caller': JSON.stringify(stubCaller(workspace)),
      'content-type': 'application/json',
      prefer: 'respond-async',
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  expect(answer.statusCode).toBe(202);
  return answer.json().taskId;
}

describe('a clean that waits for somebody', () => {
  const rename = (tx: TenantTx, id: number, local: string) =>
    sql`update contacts set local = ${local} where workspace_id = ${workspace} and id = ${id}`.execute(tx);

  it('leaves an address that is corrected meanwhile, in pieces', async () => {
    const waiting = (count: number) =>
      expect.poll(() => waitingForLocks({ database: db }), { timeout: 90_000 }).toBe(count);
    // One of the second piece. Another transaction stops the first.
    const { first, slip } = await db.asTenant(workspace, async (tx) => {
      const { rows } = await sql<{ first: number; slip: number }>`
        select min(id) as first, max(id) filter (where state = 0 and domain like '%.co.uk') as slip
        from contacts where workspace_id = ${workspace}`.execute(tx);
      return rows[0] ?? { first: 0, slip: 0 };
    });
    await db.asTenant(workspace, (tx) => rename(tx, slip, 'jane..smith'));
    const { other, taskId } = await db.asTenant(workspace, async (tx) => {
      await sql`select from contacts where workspace_id = ${workspace} and id = ${first} for update`.execute(
        tx,
      );
      const { id } = await inBackground(() =>
        tasks.start(workspace, 'contacts.clean', {}, stubCaller(workspace)),
      );
      await waiting(1);
      const correcting = inBackground(() =>
        db.asTenant(workspace, async (own) => {
          await holdRemovals(own, workspace);
          await waiting(1);
          await rename(own, slip, 'jane.smith');
        }),
      );
      await waiting(2);
      // Within an object, so that it is not waited for here.
      return { other: { correcting }, taskId: id };
    });
    await other.correcting;
    expect((await tasks.finished(workspace, taskId)).result).toMatchObject({ removed: toClean, ...counts });
    expect((await call('GET', `/api/emails/${slip}`)).body).toMatchObject({ status: 'active' });
  });

  it('leaves one within the call', async () => {
    workspace += 1;
    const slip = await db.asTenant(workspace, async (tx) => {
      const { rows } = await sql<{ id: number }>`
        insert into contacts (workspace_id, local, domain)
        values (${workspace}, 'jane..smith', 'shop.co.uk') returning id`.execute(tx);
      return rows[0]?.id ?? 0;
    });
    const cleaned = await db.asTenant(workspace, async (tx) => {
      await holdRemovals(tx, workspace);
      const cleaning = inBackground(() => call('POST', '/api/emails/clean'));
      await expect.poll(() => waitingForLocks({ database: db }), { timeout: 90_000 }).toBe(1);
      await rename(tx, slip, 'jane.smith');
      return { cleaning };
    });
    expect((await cleaned.cleaning).body).toMatchObject({ removed: 0, removalId: null });
    expect((await call('GET', `/api/emails/${slip}`)).status).toBe(200);
  });
});

describe('a large clean', () => {
  it('removes in pieces what its preview counts, and answers when done', async () => {
    const { reasons, ...preview } = (await call('POST', '/api/emails/clean?preview=true')).body;
    expect(preview).toEqual({
      removed: toClean,
      ...counts,
      removalId: null,
      letIn: 0,
      isEstimate: false,
    });
    expect(reasons.map((one: { contacts: number }) => one.contacts)).toEqual([
      counts.duplicates,
      counts.invalid,
      counts.nonUk,
      0,
    ]);
    const { removalId, ...done } = (await call('POST', '/api/emails/clean')).body;
    expect(done).toEqual({ removed: toClean, ...counts, letIn: 0 });
    expect(await books()).toEqual([]);
    expect((await stats()).totalEmails).toBe(contacts - toClean);
    expect((await taskList())[0]).toMatchObject({
      kind: 'contacts.clean',
      status: 'completed',
      done: toClean,
      total: toClean,
      link: `/bin?removal=${removalId}`,
      summary: expect.stringContaining('24,400 contacts removed'),
    });
    const back = await call('POST', `/api/removals/${removalId}/restore`);
    expect(back.body).toEqual({ restored: toClean, leftOut: 0 });
    expect(await books()).toEqual([]);
    expect((await stats()).totalEmails).toBe(contacts);
    expect((await call('POST', `/api/removals/${removalId}/restore`)).status).toBe(409);
    expect((await call('GET', '/api/emails?search=p10@firma')).body.totalCount).toBe(1);
  });
});

describe('a large clean where many addresses are invalid by the current rules alone', () => {
  /** All are abroad, and of the valid ones every second has two dots in a row. */
  const unsound = contacts * 0.4;
  const sound = contacts * 0.4;

  beforeEach(async () => {
    await db.asTenant(workspace, async (tx) => {
      await sql`
        update contacts set domain = replace(domain, '.co.uk', '.de'),
          local = case when substr(local, 2)::int % 2 = 0 then 'p..' || substr(local, 2) else local end
        where workspace_id = ${workspace}`.execute(tx);
      await sql`
        update contact_domains set domain = replace(domain, '.co.uk', '.de') where workspace_id = ${workspace}`.execute(
        tx,
      );
    });
  });
  const clean = async (query: string) => (await call('POST', `/api/emails/clean?${query}`)).body;

  it('leaves those when only others are chosen, piece by piece', async () => {
    const preview = await clean('preview=true&reasons=nonUk');
    expect(preview).toMatchObject({ removed: sound, nonUk: sound });
    const of = Object.fromEntries(preview.reasons.map((one: { reason: string }) => [one.reason, one]));
    expect(of.invalid.contacts).toBe(counts.invalid + unsound);
    expect(of.nonUk.samples).toHaveLength(5);
    expect(of.nonUk.samples.filter((one: string) => one.includes('..'))).toEqual([]);
    expect(await clean('reasons=nonUk')).toMatchObject({ removed: sound, nonUk: sound, invalid: 0 });
    expect(await books()).toEqual([]);
    expect((await call('POST', '/api/emails/count', { filter: { search: '..' } })).body.count).toBe(
      contacts / 2,
    );
    expect(await clean('reasons=nonUk')).toMatchObject({ removed: 0 });
  });

  it('counts each for its own reason when both are chosen', async () => {
    const both = {
      removed: sound + unsound + counts.invalid,
      nonUk: sound,
      invalid: counts.invalid + unsound,
    };
    expect(await clean('preview=true&reasons=nonUk,invalid')).toMatchObject(both);
    expect(await clean('reasons=nonUk,invalid')).toMatchObject(both);
    expect(await books()).toEqual([]);
    expect((await stats()).totalEmails).toBe(counts.duplicates);
  });
});

describe('a large clean with an import that let people in', () => {
  /**
   * Two imports share the contacts abroad: only the first had a policy of its own that keeps them.
   */
  const letIn = counts.nonUk / 2;

  beforeEach(async () => {
    await db.asTenant(workspace, async (tx) => {
      await sql`
        update contacts set domain = replace(domain, '.de', '.com') where workspace_id = ${workspace}`.execute(
        tx,
      );
      await sql`
        update contact_domains set domain = replace(domain, '.de', '.com') where workspace_id = ${workspace}`.execute(
        tx,
      );
      const { rows } = await sql<{ id: number }>`
        insert into imports (workspace_id, file_name, status, options, first_contact_id, last_contact_id)
        select ${workspace}::bigint, 'a.csv', 'completed',
               jsonb_build_object('filterNonUk', true) || own, (select min(id) from contacts where workspace_id = ${workspace}),
               (select max(id) from contacts where workspace_id = ${workspace})
        from (values ('{"ukPolicy": "any_but_foreign_cctld"}'::jsonb), ('{}')) as policies (own)
        returning id`.execute(tx);
      const [chosen, usual] = rows;
      await sql`
        update contacts set import_id = case when substr(local, 2)::int % 10 = 0 then ${chosen?.id}::bigint else ${usual?.id}::bigint end
        where workspace_id = ${workspace}`.execute(tx);
    });
  });

  it('leaves them, and removes them when that is chosen', async () => {
    const usual = {
      duplicates: counts.duplicates,
      invalid: counts.invalid,
      nonUk: counts.nonUk - letIn,
      letIn,
    };
    const { reasons, ...preview } = (await call('POST', '/api/emails/clean?preview=true')).body;
    expect(preview).toMatchObject({ removed: toClean - letIn, ...usual });
    expect(reasons[3]).toMatchObject({ reason: 'letIn', contacts: letIn, samples: { length: 5 } });
    const { removalId, ...done } = (await call('POST', '/api/emails/clean')).body;
    expect(done).toEqual({ removed: toClean - letIn, ...usual });
    expect((await taskList())[0].summary).toBe(
      '18,300 contacts removed: 6,100 duplicate, 6,100 invalid, 6,100 non-UK; ' +
        '6,100 outside your UK setting kept, as their import chose.',
    );
    expect(await books()).toEqual([]);
    const rest = (await call('POST', '/api/emails/clean?reasons=letIn')).body;
    expect(rest).toMatchObject({ removed: letIn, nonUk: letIn, invalid: 0, letIn: 0 });
    expect(await books()).toEqual([]);
    expect((await stats()).totalEmails).toBe(contacts - toClean);
    for (const id of [removalId, rest.removalId]) await call('POST', `/api/removals/${id}/restore`);
    expect((await stats()).totalEmails).toBe(contacts);
  });
});

/** Finds a contact valid, with a reason that no other contact has. */
const verify = (tx: TenantTx, reason: string, id: number) =>
  sql`
    with made as (
      insert into verdict_profiles (workspace_id, verdict, reasons, risk, contacts)
      values (${workspace}, 'valid', array[${reason}], 5, 1) returning id
    )
    insert into contact_verifications (workspace_id, contact_id, profile_id, checked_at)
    select ${workspace}::bigint, ${id}::bigint, id, now() from made
    on conflict (workspace_id, contact_id) do update set profile_id = excluded.profile_id`.execute(tx);

describe('a large delete', () => {
  it('by filter leaves what the filter does not find, and what came later', async () => {
    const filter = { search: '.de', status: 'active' as const };
    const { count } = (await call('POST', '/api/emails/count', { filter })).body;
    expect(count).toBe(counts.nonUk);
    // A running import has taken ids that are lower than the newest, and is committed meanwhile.
    const coming = 5;
    await db.asTenant(workspace, async (tx) => {
      const { rows } = await sql<{ id: number }>`
        insert into imports (workspace_id, file_name, status, options)
        values (${workspace}, 'coming.csv', 'processing', '{}') returning id`.execute(tx);
      await sql`
        update contacts set import_id = ${rows[0]?.id} where workspace_id = ${workspace} and id in (
          select id from contacts where workspace_id = ${workspace} and domain like '%.de' order by id limit ${coming}
        )`.execute(tx);
    });
    expect((await call('DELETE', '/api/emails/bulk', { filter })).body.removed).toBe(count - coming);
    expect(await books()).toEqual([]);
    expect((await call('POST', '/api/emails/count', { filter })).body.count).toBe(coming);
    expect((await stats()).totalEmails).toBe(contacts - count + coming);
    expect((await call('GET', '/api/removals')).body.items[0].why).toBe(
      'Deleted together: contacts for which the address contains “.de” and the status is active',
    );
  });

  it('leaves contacts that a verification finds valid meanwhile, with a reason that nobody had', async () => {
    const first = await db.asTenant(workspace, async (tx) => {
      const { rows } = await sql<{ first: number }>`
        select min(id) as first from contacts where workspace_id = ${workspace}`.execute(tx);
      const first = rows[0]?.first ?? 0;
      await verify(tx, 'mx_record', first + 40_000);
      return first;
    });
    const taskId = await db.asTenant(workspace, async (tx) => {
      await holdRemovals(tx, workspace);
      const audience = { version: 1, none: [{ condition: 'verdict', value: 'valid' }] };
      const { id } = await inBackground(() =>
        tasks.start(workspace, 'contacts.remove', { audience, count: contacts }, stubCaller(workspace)),
      );
      await expect.poll(() => waitingForLocks({ database: db }), { timeout: 90_000 }).toBe(1);
      // One was found for the first piece already. The other is of the second.
      await verify(tx, 'no_mx_record', first + 100);
      await verify(tx, 'free_mailbox', first + 40_000);
      return id;
    });
    expect((await tasks.finished(workspace, taskId)).result).toMatchObject({ removed: contacts - 2 });
    const { emails } = (await call('GET', '/api/emails?order=asc')).body;
    expect(emails.map(({ id }: { id: number }) => id)).toEqual([first + 100, first + 40_000]);
  });

  it('broken off says what was removed so far, and that much can be restored', async () => {
    // Another transaction holds a contact of the second piece, so the work stops there.
    const holder = await db.pool.connect();
    let taskId: number;
    try {
      await holder.query('begin');
      await holder.query(`set local app.workspace_id = '${workspace}'`);
      await holder.query(
        'select from contacts where id = (select min(id) + 30000 from contacts where workspace_id = $1) for update',
        [workspace],
      );
      taskId = await begin('DELETE', '/api/emails/bulk', { filter: {} });
      await expect.poll(async () => (await stats()).totalEmails, { timeout: 90_000 }).toBe(contacts - 20_000);
      // Nothing that other calls need is locked.
      await db.asTenant(workspace, async (tx) => {
        await sql`insert into contacts (workspace_id, local, domain) values (${workspace}, 'new', 'acme.co.uk')`.execute(
          tx,
        );
        await contactsAdded(
          tx,
          workspace,
          sql`select 'acme.co.uk'::text collate "C" as domain, 'new'::text collate "C" as local, 0 as state`,
        );
      });
      const removal = await db.asTenant(workspace, (tx) =>
        sql<{ id: number }>`select id from removals where workspace_id = ${workspace}`.execute(tx),
      );
      const early = await call('POST', `/api/removals/${removal.rows[0]?.id}/restore`);
      expect([early.status, early.body.message]).toEqual([
        409,
        expect.stringContaining('still being removed'),
      ]);
      expect((await call('POST', `/api/tasks/${taskId}/cancel`)).status).toBe(200);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    const ended = await tasks.finished(workspace, taskId);
    expect(ended).toMatchObject({ status: 'cancelled', result: { removed: 20_000 } });
    expect(ended.summary).toBe('20,000 contacts moved to the bin.');
    expect(await books()).toEqual([]);
    expect((await stats()).totalEmails).toBe(contacts - 20_000 + 1);
    // What was added again meanwhile is left in the bin.
    const bin = `/api/removals/${ended.result?.removalId}`;
    const [first] = (await call('GET', `${bin}/contacts?limit=1`)).body.items;
    const again = (await call('POST', '/api/emails', { email: first.address })).body.id;
    expect((await call('POST', `${bin}/restore`)).body).toEqual({ restored: 19_999, leftOut: 1 });
    expect((await taskList())[0].summary).toBe(
      '19,999 contacts brought back; 1 stays in the bin, because its address exists again.',
    );
    expect((await call('GET', `${bin}/contacts`)).body.items).toMatchObject([{ id: first.id }]);
    await call('DELETE', `/api/emails/${again}`);
    expect((await call('POST', `${bin}/restore`)).body).toEqual({ restored: 1, leftOut: 0 });
    expect(await books()).toEqual([]);
  });
});

describe('a large restore', () => {
  /** Deletes contacts, and lets another transaction add an address of the second piece again. */
  async function removedAndAdded() {
    const { removalId, removed } = (await call('DELETE', '/api/emails/bulk', { filter: { search: '.de' } }))
      .body;
    const holder = await db.pool.connect();
    await holder.query('begin');
    await holder.query(`set local app.workspace_id = '${workspace}'`);
    await holder.query(
      `insert into contacts (workspace_id, local, domain, state)
       select workspace_id, local, domain, state from removed_contacts
       where workspace_id = $1 and removal_id = $2 and state <> 2 order by id offset 6000 limit 1`,
      [workspace, removalId],
    );
    const back = async () => (await stats()).totalEmails - contacts + removed;
    const letGo = async () => {
      await holder.query('rollback');
      holder.release();
    };
    return { removalId, removed, back, letGo };
  }

  it('brings everything back, although its time is over before it ends and the bin is emptied', async () => {
    const { removalId, removed, back, letGo } = await removedAndAdded();
    let taskId: number;
    let emptied: Promise<number>;
    try {
      taskId = await begin('POST', `/api/removals/${removalId}/restore`);
      await expect.poll(back, { timeout: 90_000 }).toBe(5000);
      await owner.pool.query(
        `update removals set created_at = now() - interval '31 days' where workspace_id = $1`,
        [workspace],
      );
      emptied = purgeBin(db, workspace, 30);
      await Promise.race([emptied, sleep(500)]);
    } finally {
      await letGo();
    }
    expect(await emptied).toBe(0);
    const ended = await tasks.finished(workspace, taskId);
    expect(ended).toMatchObject({ status: 'completed', result: { restored: removed } });
    expect((await stats()).totalEmails).toBe(contacts);
    expect(await books()).toEqual([]);
  });

  it('keeps no other deletion waiting while it waits for an address that is being added', async () => {
    const { removalId, removed, back, letGo } = await removedAndAdded();
    const [other] = (await call('GET', '/api/emails?search=.co.uk&limit=1')).body.emails;
    let taskId: number;
    try {
      taskId = await begin('POST', `/api/removals/${removalId}/restore`);
      await expect.poll(back, { timeout: 90_000 }).toBe(5000);
      await expect.poll(() => waitingForLocks({ database: db }), { timeout: 90_000 }).toBe(1);
      expect((await call('DELETE', `/api/emails/${other.id}`)).status).toBe(200);
    } finally {
      await letGo();
    }
    expect((await tasks.finished(workspace, taskId)).result).toEqual({ restored: removed, leftOut: 0 });
    expect((await stats()).totalEmails).toBe(contacts - 1);
    expect(await books()).toEqual([]);
  });
});
