import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { openDatabase, type TenantTx } from '#platform/server/database.ts';
import { openSendingApp } from '#test/support/sending-app.ts';
import { countKept, selectKept } from './message-queries.ts';

// An outbox of 100,000 messages, beside another of the same size.

const app = openSendingApp({ people: 1, hasMailServer: false });

beforeAll(async () => {
  await app.stands(await app.send(), { status: 'completed' });
  const { system } = app.test.owner;
  await sql`
    insert into outbox_messages (workspace_id, mailing_id, send_id, recipient, subject, source)
    select w.id, m.id, n, 'P' || n || '@shop.co.uk', 'News', ''
    from mailings m cross join generate_series(100, 100099) n
      cross join lateral (values (m.workspace_id), (m.workspace_id + 1)) w (id)`.execute(system);
  await sql`analyze outbox_messages`.execute(system);
});

/** What `read` answers, and which rows of the outbox PostgreSQL reads for it, by index or not. */
async function watched<T>(read: (tx: TenantTx) => Promise<T>) {
  const db = openDatabase({ url: app.test.appUrl });
  try {
    return await db.asTenant(app.owner.workspaceId, async (tx) => {
      const answer = await read(tx);
      const { rows } = await sql<{ scans: number; byIndex: number }>`
        select seq_scan::int as scans, idx_tup_fetch::int as "byIndex" from pg_stat_xact_user_tables
        where relname = 'outbox_messages'`.execute(tx);
      return { answer, ...(rows[0] as { scans: number; byIndex: number }) };
    });
  } finally {
    await db.close();
  }
}

const page = { search: null, mailingId: null, after: null, limit: 51 };
const listed = (given: object) =>
  watched((tx) => selectKept(tx, app.owner.workspaceId, { ...page, ...given }));
const counted = (search: string | null, mailingId: number | null = null) =>
  watched((tx) => countKept(tx, app.owner.workspaceId, { search, mailingId }, 100_000));

it('shows a page from the index, however far back it is', async () => {
  const first = await listed({});
  const [newest] = first.answer;
  const back = await listed({ after: first.answer[50]?.id });
  // Messages of both workspaces are numbered in turn.
  const far = await listed({ after: (newest?.id ?? 0) - 150_000 });
  for (const { answer, scans, byIndex } of [first, back, far]) {
    expect(answer).toHaveLength(51);
    expect(scans).toBe(0);
    expect(byIndex).toBeLessThanOrEqual(51);
  }
});

it.each([
  ['p5432@', 1],
  ['P5432@shop.co.uk', 1],
  ['p5432', 11],
  ['p_432@', 0],
  ['nobody@', 0],
])('finds recipients who begin with %s by index, and counts them', async (search, found) => {
  const list = await listed({ search });
  expect(list.answer).toHaveLength(found);
  for (const { id, to } of list.answer)
    expect({ id, to: to.toLowerCase().startsWith(search.toLowerCase()) }).toEqual({ id, to: true });
  const count = await counted(search);
  expect(count.answer).toBe(found);
  for (const { scans, byIndex } of [list, count]) {
    expect(scans).toBe(0);
    expect(byIndex).toBeLessThanOrEqual(2 * found + 5);
  }
});

it('reads one page of those who begin as many do, and the next from where it ends', async () => {
  const first = await listed({ search: 'p' });
  const next = await listed({ search: 'p', after: first.answer[50]?.id });
  for (const { answer, scans, byIndex } of [first, next]) {
    expect(answer).toHaveLength(51);
    expect(scans).toBe(0);
    expect(byIndex).toBeLessThanOrEqual(200);
  }
  expect(next.answer[0]?.id).toBeLessThan(first.answer[50]?.id as number);
});

it('finds those of one campaign by index, among many of another', async () => {
  const id = await app.send({ name: 'Other' });
  await app.stands(id, { status: 'completed', keptMailingId: expect.any(Number), neverLeft: true });
  const { keptMailingId: mailingId } = await app.call('GET', `/api/campaigns/${id}`);
  const { rows } = await sql<{ id: number }>`
    select id from mailings where campaign_id = ${id}`.execute(app.test.owner.system);
  expect(rows).toEqual([{ id: mailingId }]);
  // Thousands of newer ones are of the first campaign.
  await sql`
    insert into outbox_messages (workspace_id, mailing_id, send_id, recipient, subject, source)
    select workspace_id, mailing_id, send_id + 1000000, recipient, subject, source
    from outbox_messages where workspace_id = ${app.owner.workspaceId} and send_id between 100 and 5099`.execute(
    app.test.owner.system,
  );
  for (const search of [null, 'p0@']) {
    const list = await listed({ search, mailingId });
    expect(list.answer).toMatchObject([{ to: 'p0@shop.co.uk', mailing: 'Other' }]);
    const count = await counted(search, mailingId);
    expect(count.answer).toBe(1);
    for (const { scans, byIndex } of [list, count]) {
      expect(scans).toBe(0);
      expect(byIndex).toBeLessThanOrEqual(10);
    }
  }
  expect((await listed({ search: 'p5432@', mailingId })).answer).toEqual([]);
  const called = await app.call('GET', `/api/outbox/messages?mailingId=${mailingId}`);
  expect(called).toMatchObject({ totalCount: 1, items: [{ mailing: 'Other' }] });
  // Once they are forgotten, the campaign leads to none.
  await sql`delete from outbox_messages where mailing_id = ${mailingId}`.execute(app.test.owner.system);
  await app.stands(id, { status: 'completed', keptMailingId: null, neverLeft: true });
});

it('counts up to a limit', async () => {
  expect((await counted(null)).answer).toBe(100_000);
  expect((await counted('p')).answer).toBe(100_000);
});
