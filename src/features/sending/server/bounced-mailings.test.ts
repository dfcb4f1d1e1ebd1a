import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TenantTx } from '#platform/server/database.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { bouncedMailings } from './bounced-mailings.ts';

// What was sent to an address, in a ledger of some hundred thousand messages.

const contacts = 10_000;
const campaigns = 30;

let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
  owner = await signUp(test.app);
  const { workspaceId } = owner;
  await test.owner.asTenant(workspaceId, async (tx) => {
    await sql`
      insert into contacts (workspace_id, local, domain, state)
      select ${workspaceId}, 'p' || n, 'shop.co.uk', 0 from generate_series(1, ${contacts}::int) n`.execute(
      tx,
    );
    await sql`
      insert into mailings (workspace_id, kind, status, name, from_name, from_address, subject, html, text, tracks_opens,
        tracks_clicks, started_at, ended_at)
      select ${workspaceId}, case when n <= ${campaigns} then 'campaign' else 'transactional' end, 'completed', 'News', 'A',
        'a@shop.co.uk', 'News', '', '', false, false, now() - make_interval(days => n % 90), now() - make_interval(days => n % 90)
      from generate_series(1, ${campaigns + 20_000}) n`.execute(tx);
    await sql`
      insert into sends (workspace_id, mailing_id, id, contact_id, local, domain, state, attempts, handed_at, ended_at)
      select m.workspace_id, m.id, c.id, c.id, c.local, c.domain, 'sent', 1, m.ended_at, m.ended_at
      from mailings m join contacts c on c.workspace_id = m.workspace_id
      where m.workspace_id = ${workspaceId} and m.kind = 'campaign'`.execute(tx);
    await sql`
      insert into sends (workspace_id, mailing_id, id, local, domain, state, attempts, handed_at, ended_at)
      select m.workspace_id, m.id, n, 'buyer' || m.id || '-' || n, 'shop.co.uk', 'sent', 1, now(), now()
      from mailings m cross join generate_series(1, 5) n
      where m.workspace_id = ${workspaceId} and m.kind = 'transactional'`.execute(tx);
  });
  await sql`analyze sends, mailings, contacts`.execute(test.owner.system);
}, 120_000);
afterAll(() => test.close());

/** How many rows of the ledger this connection has read so far. */
async function rowsRead(tx: TenantTx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as count
    from pg_stat_xact_user_tables where relname in ('sends', 'mailings')`.execute(tx);
  return rows[0]?.count ?? 0;
}
const mailingOf = async (tx: TenantTx, day: number, kind = 'campaign') => {
  const { rows } = await sql<{ id: number }>`
    select id from mailings where workspace_id = ${owner.workspaceId} and kind = ${kind}
    order by ended_at desc offset ${day - 1} limit 1`.execute(tx);
  return (rows[0] as { id: number }).id;
};
const inWorkspace = <T>(work: (tx: TenantTx) => Promise<T>) => test.owner.asTenant(owner.workspaceId, work);
const day = (days: number) => new Date(Date.now() - days * 86_400_000);

it('the last message to an address is found without reading the ledger', async () => {
  const receipt = await inWorkspace((tx) => mailingOf(tx, 5, 'transactional'));
  const news = await inWorkspace((tx) => mailingOf(tx, 1));
  await inWorkspace(async (tx) => {
    const before = await rowsRead(tx);
    const buyer = { local: `buyer${receipt}-3`, domain: 'shop.co.uk' };
    const stranger = { local: 'stranger', domain: 'shop.co.uk' };
    const reader = { local: 'p77', domain: 'shop.co.uk' };
    const found = await bouncedMailings.latestTo(tx, owner.workspaceId, [buyer, stranger, reader], 14);
    expect(found).toEqual([
      { ...buyer, mailingId: receipt, sendId: 3 },
      { ...reader, mailingId: news, sendId: expect.any(Number) },
    ]);
    expect((await rowsRead(tx)) - before).toBeLessThan(200);
  });
});

it('whether an address was reached is found without reading the ledger', async () => {
  const reader = { local: 'p78', domain: 'shop.co.uk' };
  const last = await inWorkspace((tx) => mailingOf(tx, 1));
  await inWorkspace(async (tx) => {
    const before = await rowsRead(tx);
    const reached = (since: Date, mailingIds: number[] = []) =>
      bouncedMailings.hasReached(tx, owner.workspaceId, reader, { since, mailingIds });
    expect(await reached(day(3))).toBe(true);
    expect(await reached(day(1.5), [last])).toBe(false);
    expect(await reached(day(0.5))).toBe(false);
    expect((await rowsRead(tx)) - before).toBeLessThan(200);
  });
});

it('whether a transactional message reached an address is found without reading the ledger', async () => {
  const receipt = await inWorkspace((tx) => mailingOf(tx, 7, 'transactional'));
  const to = (place: number) => ({ local: `buyer${receipt}-${place}`, domain: 'shop.co.uk' });
  await inWorkspace(async (tx) => {
    await sql`
      update sends set state = 'failed'
      where workspace_id = ${owner.workspaceId} and mailing_id = ${receipt} and id = 2`.execute(tx);
    const before = await rowsRead(tx);
    const reached = (place: number, since: Date, mailingIds: number[] = []) =>
      bouncedMailings.hasReached(tx, owner.workspaceId, to(place), { since, mailingIds });
    expect(await reached(1, day(3))).toBe(true);
    expect(await reached(1, day(3), [receipt])).toBe(false);
    expect(await reached(1, day(-1))).toBe(false);
    expect(await reached(2, day(3))).toBe(false);
    expect((await rowsRead(tx)) - before).toBeLessThan(200);
  });
});

it('a message to an address that was corrected since is found', async () => {
  const { workspaceId } = owner;
  await inWorkspace(async (tx) => {
    await sql`
      insert into corrected_contacts (workspace_id, correction_id, contact_id, old_local, old_domain, old_state,
        new_local, new_domain)
      select workspace_id, 1, id, local, domain, state, 'corrected', domain from contacts
      where workspace_id = ${workspaceId} and local = 'p79'`.execute(tx);
    await sql`update contacts set local = 'corrected' where workspace_id = ${workspaceId} and local = 'p79'`.execute(
      tx,
    );
  });
  const of = (local: string) =>
    inWorkspace((tx) => bouncedMailings.latestTo(tx, workspaceId, [{ local, domain: 'shop.co.uk' }], 14));
  expect(await of('p79')).toHaveLength(1);
  expect(await of('corrected')).toEqual([]);
});
