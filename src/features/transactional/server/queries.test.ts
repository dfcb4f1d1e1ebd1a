import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { openDatabase, type TenantTx } from '#platform/server/database.ts';
import { openSendingApp } from '#test/support/sending-app.ts';
import { countMessages, type MessageFilter, selectMessage, selectMessages } from './queries.ts';

// A log of 50,000 messages from 500 calls, beside another of the same size.

const app = openSendingApp({ hasMailServer: false });
let firstBatch: number;

beforeAll(async () => {
  const { batch } = await app.call('POST', '/api/send', {
    to: 'ann@shop.co.uk',
    ...{ subject: 'Receipt', html: '<p>Thank you</p>' },
  });
  firstBatch = batch + 1000;
  const { system } = app.test.owner;
  await sql`
    insert into transactional_messages (workspace_id, mailing_id, send_id, address, subject)
    select w.id, ${firstBatch}::bigint + n / 100, n, 'P' || n || '@shop.co.uk', 'Receipt'
    from generate_series(0, 49999) n
      cross join lateral (values (${app.owner.workspaceId}::bigint), (${app.owner.workspaceId}::bigint + 1)) w (id)`.execute(
    system,
  );
  // Each hundredth has failed, and one of ten waits. Twenty of the oldest are uncertain.
  await sql`
    insert into sends (workspace_id, mailing_id, id, contact_id, local, domain, state, reason)
    select workspace_id, mailing_id, send_id, null, lower(split_part(address, '@', 1)), 'shop.co.uk',
      case when send_id % 100 = 32 then 'failed' when send_id % 100 = 8 and send_id < 2000 then 'uncertain' when send_id % 10 = 5 then 'handed' else 'sent' end, null
    from transactional_messages where mailing_id >= ${firstBatch}`.execute(system);
  // Of those that wait, only two old calls are not over.
  await sql`
    insert into mailings (workspace_id, id, kind, status, wait_until, name, from_name, from_address, subject, html, text,
      tracks_opens, tracks_clicks)
      overriding system value
    select ${app.owner.workspaceId}, ${firstBatch}::bigint + n, 'transactional', 'sending', 'infinity', '', '', '', '', '', '',
      false, false
    from unnest(array[3, 7]) n`.execute(system);
  await sql`
    insert into send_parts (workspace_id, mailing_id, first_send, last_send, total)
    select ${app.owner.workspaceId}, ${firstBatch}::bigint + n, n * 100, n * 100 + 99, 100
    from unnest(array[3, 7]) n`.execute(system);
  await sql`analyze transactional_messages, sends, mailings, send_parts`.execute(system);
});

/** What `read` answers, and which rows PostgreSQL reads for it, by index or not. */
async function watched<T>(read: (tx: TenantTx) => Promise<T>) {
  const db = openDatabase({ url: app.test.appUrl });
  try {
    return await db.asTenant(app.owner.workspaceId, async (tx) => {
      const answer = await read(tx);
      const { rows } = await sql<{ scans: number; byIndex: number }>`
        select sum(seq_scan)::int as scans, sum(idx_tup_fetch)::int as "byIndex"
        from pg_stat_xact_user_tables
        where relname in ('transactional_messages', 'sends')`.execute(tx);
      return { answer, ...(rows[0] as { scans: number; byIndex: number }) };
    });
  } finally {
    await db.close();
  }
}

const any: MessageFilter = { search: null, state: null, batch: null };
const listed = (filter: Partial<MessageFilter>, after: number | null = null) =>
  watched((tx) => selectMessages(tx, app.owner.workspaceId, { ...any, ...filter }, { after, limit: 51 }));
const counted = (filter: Partial<MessageFilter>) =>
  watched((tx) => countMessages(tx, app.owner.workspaceId, { ...any, ...filter }, 10_000));

it.each<[Omit<Partial<MessageFilter>, 'batch'> & { search: string }, number | null, number]>([
  [{ search: 'p5432@' }, null, 1],
  [{ search: 'P5432@shop.co.uk' }, null, 1],
  [{ search: 'p4321' }, null, 11],
  [{ search: 'p_321@' }, null, 0],
  [{ search: 'nobody@' }, null, 0],
  [{ search: 'p4321', state: 'sent' }, null, 10],
  [{ search: 'p4321', state: 'pending' }, null, 1],
  [{ search: 'p5432@', state: 'failed' }, null, 1],
  [{ search: 'p4321' }, 43, 1],
  [{ search: 'p4321' }, 432, 10],
  [{ search: 'p4321', state: 'pending' }, 432, 1],
])(
  'finds messages by index whose address begins with %j, of call %j, and counts them',
  async (filter, call, found) => {
    const asked = { ...filter, batch: call === null ? null : firstBatch + call };
    const list = await listed(asked);
    expect(list.answer).toHaveLength(found);
    for (const { to, state, batch } of list.answer) {
      expect(to.toLowerCase().startsWith(filter.search.toLowerCase())).toBe(true);
      if (filter.state) expect(state).toBe(filter.state === 'pending' ? 'handed' : filter.state);
      if (asked.batch !== null) expect(batch).toBe(asked.batch);
    }
    const count = await counted(asked);
    expect(count.answer).toBe(found);
    for (const { scans, byIndex } of [list, count]) {
      expect(scans).toBe(0);
      // Up to eleven begin so. Each is read with its place in the ledger, and the found ones again.
      expect(byIndex).toBeLessThanOrEqual(60);
    }
  },
);

it('reads one page of those whose address begins as many do, and the next from where it ends', async () => {
  const first = await listed({ search: 'p' });
  const next = await listed({ search: 'p' }, first.answer[50]?.id);
  const sent = await listed({ search: 'p', state: 'sent' });
  const all = await listed({ state: 'sent' });
  for (const { answer, scans, byIndex } of [first, next, sent, all]) {
    expect(answer).toHaveLength(51);
    expect(scans).toBe(0);
    expect(byIndex).toBeLessThanOrEqual(400);
  }
  expect(next.answer[0]?.id).toBeLessThan(first.answer[50]?.id as number);
});

it.each([
  { state: 'uncertain', ids: [1908, 1808, 8], most: 100 },
  // Two open parts, of a hundred sends each.
  { state: 'pending', ids: [795, 785, 305], most: 300 },
] as const)(
  'reads of the ledger only what is $state, however far back it is',
  async ({ state, ids, most }) => {
    const list = await listed({ state });
    const sends = list.answer.map(({ sendId }) => sendId);
    expect(sends).toHaveLength(20);
    expect([sends[0], sends[1], sends[19]]).toEqual(ids);
    const count = await counted({ state });
    expect(count.answer).toBe(20);
    for (const { scans, byIndex } of [list, count]) {
      expect(scans).toBe(0);
      expect(byIndex).toBeLessThanOrEqual(most);
    }
  },
);

it('goes on after a page of failed ones, also when its last message was erased meanwhile', async () => {
  const first = await listed({ state: 'failed' });
  const end = first.answer[50]?.id as number;
  const next = await listed({ state: 'failed' }, end);
  expect(next.answer).toHaveLength(51);
  const sends = [...first.answer, ...next.answer].map(({ sendId }) => sendId);
  expect(sends).toEqual(Array.from({ length: 102 }, (_, n) => 49_932 - n * 100));
  // The number of a message that is not there: it is the other workspace's.
  const { answer: none } = await watched((tx) => selectMessage(tx, app.owner.workspaceId, end - 1));
  expect(none).toBeUndefined();
  const again = await listed({ state: 'failed' }, end - 1);
  expect(again.answer).toEqual(next.answer);
  expect((await listed({ state: 'failed' }, 1)).answer).toEqual([]);
  for (const { scans, byIndex } of [first, next, again]) {
    expect(scans).toBe(0);
    expect(byIndex).toBeLessThanOrEqual(400);
  }
});

it('counts up to a limit', async () => {
  expect((await counted({ search: 'p' })).answer).toBe(10_000);
  expect((await counted({ search: 'p', state: 'failed' })).answer).toBe(500);
});
