import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { personalLeavings } from '#features/lists/server/topics.ts';
import { tenantStatement } from '#platform/server/database.ts';
import { importCsv } from '#test/support/app.ts';
import { miscounted } from '#test/support/miscounted.ts';
import { openSendingApp } from '#test/support/sending-app.ts';

// A campaign waits for its hour, and readers think better of it before their message leaves.

const app = openSendingApp({ people: 6, anew: 'owner' });
const { call } = app;

const listOf = async (name: string, filter: object): Promise<number> => {
  const { id } = await call('POST', '/api/lists', { name, isPublic: true });
  await call('POST', `/api/lists/${id}/contacts`, { filter });
  return id;
};

/** The page of each reader's preferences, as the message of a first campaign leads to it. */
async function preferencePages(people = 6): Promise<Map<string, string>> {
  await app.stands(await app.send(), { status: 'completed', sent: people });
  const pages = new Map<string, string>();
  for (const { to, raw } of app.peer.taken) {
    const link = /^List-Unsubscribe: <([^>]+)>/m.exec(raw)?.[1] ?? '';
    const { body } = await app.test.app.inject({ url: new URL(link).pathname });
    pages.set(to, /href="(\/p\/[^"]+)"/.exec(body)?.[1] ?? '');
  }
  app.peer.taken.length = 0;
  return pages;
}

/** A campaign of which one message has left. The others leave later, one every ten minutes. */
async function begun(...lists: number[]): Promise<{ id: number; waiting: string[] }> {
  const audience = { include: lists.map((list) => ({ list })) };
  const id = await app.send({ audience, spreadHours: 1 });
  await app.stands(id, { sent: 1 });
  const { items } = await call('GET', `/api/campaigns/${id}/recipients?state=pending`);
  return { id, waiting: items.map(({ address }: { address: string }) => address) };
}

const theHourComes = async (id: number) => {
  await sql`update send_parts set not_before = null`.execute(app.test.owner.system);
  await app.stands(id, { status: 'completed' });
};

async function skipped(id: number): Promise<Record<string, string>> {
  const { items } = await call('GET', `/api/campaigns/${id}/recipients?state=skipped`);
  return Object.fromEntries(
    items.map(({ address, reason }: { address: string; reason: string }) => [address, reason]),
  );
}

/** Two public lists with everybody, and what a reader does to be on these of them alone. */
async function twoLists({ people = 6, filter = { domain: 'shop.co.uk' } as object } = {}) {
  const pages = await preferencePages(people);
  const news = await listOf('News', filter);
  const tea = await listOf('Tea', filter);
  const choose = (address: string, ticked: readonly number[]) =>
    app.test.app.inject({
      ...{ method: 'POST', url: pages.get(address) ?? '' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams([
        ['do', 'topics'],
        ...[news, tea].map((id) => ['shown', String(id)]),
        ...ticked.map((id) => ['topic', String(id)]),
      ] as [string, string][]).toString(),
    });
  return { news, tea, choose };
}

beforeAll(() => app.test.tasks.startWork());

describe('a message that waits does not leave', () => {
  it('to whoever leaves the list, unless they come back or are on another of its lists', async () => {
    const { news, tea, choose } = await twoLists();
    const one = await begun(news);
    const [leaves = '', returns = ''] = one.waiting;
    expect((await choose(leaves, [tea])).body).toContain('You are no longer on “News”');
    await choose(returns, [tea]);
    await choose(returns, [news, tea]);
    await theHourComes(one.id);
    expect(await skipped(one.id)).toEqual({ [leaves]: 'left_list' });
    expect(app.peer.taken.map(({ to }) => to)).not.toContain(leaves);
    expect(app.peer.taken).toHaveLength(5);

    const both = await begun(news, tea);
    await choose(both.waiting[0] ?? '', [news]);
    await theHourComes(both.id);
    expect(await skipped(both.id)).toEqual({});
  });

  it('to whoever leaves the list while an import holds it, and they are taken off afterwards', async () => {
    const { news, tea, choose } = await twoLists();
    const one = await begun(news, tea);
    const [leaves = '', joins = ''] = one.waiting;
    const membersOf = async (list: number): Promise<string[]> => {
      const { emails } = await call('GET', `/api/emails?list=${list}&limit=100`);
      return emails.map(({ address }: { address: string }) => address);
    };
    await choose(joins, [tea]);
    const engine = new pg.Client({ connectionString: app.test.appUrl });
    await engine.connect();
    try {
      await engine.query(`begin; ${tenantStatement(app.owner.workspaceId)}`);
      await engine.query('select from lists where id = any($1) for no key update', [[news, tea]]);
      // Who leaves has left; who would like to be on a list may try again.
      const answer = await choose(leaves, []);
      expect([answer.statusCode, answer.body.includes('You are no longer on “News” and “Tea”')]).toEqual([
        200,
        true,
      ]);
      expect(answer.body).not.toContain('checked');
      expect((await choose(joins, [news, tea])).statusCode).toBe(503);
    } finally {
      await engine.end();
    }
    expect(await membersOf(news)).toContain(leaves);
    await theHourComes(one.id);
    expect(await skipped(one.id)).toEqual({ [leaves]: 'left_list' });

    await sql`insert into pgboss.job (name) values ('lists.end-waiting-leavings')`.execute(
      app.test.owner.system,
    );
    await vi.waitFor(async () => expect(await membersOf(news)).not.toContain(leaves), 30_000);
    await vi.waitFor(async () => expect(await membersOf(tea)).not.toContain(leaves), 30_000);
    expect((await call('GET', `/api/lists/${tea}`)).contactCount).toBe(5);
    expect(await miscounted(app.test, app.owner.workspaceId)).toEqual([]);
  });

  it('to a contact into which another one is merged that has left, and it is taken off', async () => {
    const { news, tea, choose } = await twoLists();
    const one = await begun(news, tea);
    const [leaves = '', stays = ''] = one.waiting;
    const numberOf = async (address: string) =>
      (await call('GET', `/api/emails?search=${address}`)).emails[0].id;
    const listsOf = async (id: number): Promise<string[]> =>
      (await call('GET', `/api/emails/${id}`)).lists.map(({ name }: { name: string }) => name);
    const [keepId, mergedId] = [await numberOf(stays), await numberOf(leaves)];
    // They leave one of them while an import holds it, and then the other.
    await call('DELETE', `/api/lists/${news}/contacts`, { ids: [keepId] });
    const engine = new pg.Client({ connectionString: app.test.appUrl });
    await engine.connect();
    try {
      await engine.query(`begin; ${tenantStatement(app.owner.workspaceId)}`);
      await engine.query('select from lists where id = $1 for no key update', [news]);
      expect((await choose(leaves, [tea])).body).toContain('You are no longer on “News”');
    } finally {
      await engine.end();
    }
    // Those who wait for a deleted list keep nobody else waiting.
    const { id: gone } = await call('POST', '/api/lists', { name: 'Gone' });
    await call('DELETE', `/api/lists/${gone}`);
    await sql`
      insert into topic_leavings (workspace_id, list_id, domain, local, contact_id, mailing_id, is_waiting)
      select ${app.owner.workspaceId}::bigint, ${gone}::bigint, 'acme.co.uk', 'r' || n, 0, 0, true
      from generate_series(1, 1000) n`.execute(app.test.owner.system);
    await choose(leaves, []);
    expect(
      await call('POST', '/api/review/duplicates/merge', { keepId, otherIds: [mergedId] }),
    ).toMatchObject({ httpStatus: 200 });
    await theHourComes(one.id);
    expect(await skipped(one.id)).toEqual({ [leaves]: 'removed', [stays]: 'left_list' });

    await sql`insert into pgboss.job (name) values ('lists.end-waiting-leavings')`.execute(
      app.test.owner.system,
    );
    await vi.waitFor(async () => expect(await listsOf(keepId)).toEqual([]), 30_000);
    expect(await miscounted(app.test, app.owner.workspaceId)).toEqual([]);
  });

  it('to whoever leaves the list that a dynamic list asks for', async () => {
    const { news, tea, choose } = await twoLists();
    const segmentRules = { conditions: [{ field: 'list', operator: 'equals', value: 'News' }] };
    const rules = await call('POST', '/api/lists', { name: 'By rules', isDynamic: true, segmentRules });
    const { id, waiting } = await begun(rules.id);
    const [leaves = ''] = waiting;
    await choose(leaves, [tea]);
    await theHourComes(id);
    expect(await skipped(id)).toEqual({ [leaves]: 'left_list' });
    // Whoever is in a dynamic list is meant, whatever they have left.
    const other = await call('POST', '/api/lists', {
      ...{ name: 'All', isDynamic: true },
      segmentRules: { conditions: [{ field: 'domain', operator: 'equals', value: 'shop.co.uk' }] },
    });
    const either = await begun(news, other.id);
    await choose(either.waiting[0] ?? '', [tea]);
    await theHourComes(either.id);
    expect(await skipped(either.id)).toEqual({});
  });

  it('to whoever leaves one of two lists that a dynamic list asks for together', async () => {
    const { news, tea, choose } = await twoLists();
    const asksFor = (name: string) => ({ field: 'list', operator: 'equals', value: name });
    const both = await call('POST', '/api/lists', {
      ...{ name: 'Both', isDynamic: true },
      segmentRules: { conditions: [asksFor('News'), asksFor('Tea')] },
    });
    const { id, waiting } = await begun(both.id);
    const [leavesNews = '', leavesTea = ''] = waiting;
    await choose(leavesNews, [tea]);
    expect((await choose(leavesTea, [news])).body).toContain('You are no longer on “Tea”');
    await theHourComes(id);
    expect(await skipped(id)).toEqual({ [leavesNews]: 'left_list', [leavesTea]: 'left_list' });
    // What follows it up is not for whoever leaves one later either.
    const followers = { include: [{ sent: id }] };
    await choose(app.peer.taken.at(-1)?.to ?? '', [news]);
    expect(await call('POST', '/api/campaigns/audience', followers)).toMatchObject({ recipients: 3 });
  });

  it('when it follows up a campaign whose list its reader has left since', async () => {
    const { news, tea, choose } = await twoLists();
    const first = await app.send({
      audience: { include: [{ list: news }, { list: tea }] },
      trackOpens: true,
    });
    await app.stands(first, { status: 'completed', sent: 6 });
    await choose('p0@shop.co.uk', [tea]);
    await choose('p1@shop.co.uk', []);
    const counted = await call('POST', '/api/campaigns/audience', { include: [{ notOpened: first }] });
    expect(counted).toMatchObject({ recipients: 5 });
    const { id } = await call('POST', `/api/campaigns/${first}/resend`, {});
    await call('PUT', `/api/campaigns/${id}`, { spreadHours: 1 });
    await call('POST', `/api/campaigns/${id}/send`);
    await app.stands(id, { sent: 1, totalRecipients: 5 });
    const { items } = await call('GET', `/api/campaigns/${id}/recipients?state=pending`);
    const leaves = items.at(-1).address;
    await choose(leaves, []);
    await theHourComes(id);
    expect(await skipped(id)).toEqual({ [leaves]: 'left_list' });
  });

  it('when it follows up a campaign whose list its reader has left, and is gone for good', async () => {
    const { news, tea, choose } = await twoLists();
    const lists = [news, tea];
    const first = await app.send({
      audience: { include: lists.map((list) => ({ list })) },
      trackOpens: true,
    });
    await app.stands(first, { status: 'completed', sent: 6 });
    const { id: waits, waiting } = await begun(...lists);
    await call('POST', `/api/campaigns/${waits}/pause`);
    const [leaves = ''] = waiting;
    await choose(leaves, []);
    for (const list of lists) await call('DELETE', `/api/lists/${list}`);
    const { system } = app.test.owner;
    await sql`
      update lists set deleted_at = deleted_at - interval '40 days' where id = any(${lists}::bigint[])`.execute(
      system,
    );
    // Nobody can take them off a list that is gone, so they wait no longer.
    await sql`update topic_leavings set is_waiting = true where list_id = ${news}`.execute(system);
    await app.test.nightly();
    const { rows } = await sql`
      select (select count(*) from lists where id = any(${lists}::bigint[])) as lists, count(*) as leavings,
        count(*) filter (where is_waiting) as waiting
      from topic_leavings where list_id = any(${lists}::bigint[])`.execute(system);
    expect(rows).toEqual([{ lists: 0, leavings: 2, waiting: 0 }]);
    const [local = '', domain = ''] = leaves.split('@');
    const person = { workspaceId: app.owner.workspaceId, local, domain };
    const told = await app.test.database.asTenant(person.workspaceId, (tx) =>
      personalLeavings.export(tx, person),
    );
    const nameless = { name: 'A list that was deleted', at: expect.any(Date) };
    expect(told).toEqual({ topicsLeft: [nameless, nameless] });

    const followers = { include: [{ notOpened: first }] };
    expect(await call('POST', '/api/campaigns/audience', followers)).toMatchObject({ recipients: 5 });
    const { id } = await call('POST', `/api/campaigns/${first}/resend`, {});
    app.peer.taken.length = 0;
    await call('POST', `/api/campaigns/${id}/send`);
    await app.stands(id, { status: 'completed', sent: 5, totalRecipients: 5 });
    expect(app.peer.taken.map(({ to }) => to)).not.toContain(leaves);
    await call('POST', `/api/campaigns/${waits}/resume`);
    await theHourComes(waits);
    expect(await skipped(waits)).toEqual({ [leaves]: 'left_list' });
  });

  it('to whoever has left a list, whatever their address was then or is now', async () => {
    const options = { filterNonUk: false };
    await importCsv(app.test.app, app.owner.cookie, 'email\np0@gmial.com\n', { options });
    await call('POST', '/api/verifications');
    const { news, tea, choose } = await twoLists({ people: 7, filter: { search: 'p' } });
    const slip = 'p0@gmial.com';
    const correct = async () => {
      const pattern = { from: 'gmial.com', to: 'gmail.com' };
      return (await call('POST', '/api/review/corrections/accept', { pattern })).correctionId;
    };
    const first = await app.send({ audience: { include: [{ list: news }] } });
    await app.stands(first, { status: 'completed', sent: 7 });
    const { id, waiting } = await begun(news);
    expect(waiting).toContain(slip);
    // They leave by the address that their contact has for a while.
    const corrected = await correct();
    expect((await choose(slip, [tea])).body).toContain('You are no longer on “News”');
    const followers = { include: [{ sent: first }] };
    expect(await call('POST', '/api/campaigns/audience', followers)).toMatchObject({ recipients: 6 });
    expect(await call('POST', `/api/corrections/${corrected}/undo`)).toMatchObject({ httpStatus: 200 });
    expect(await call('POST', '/api/campaigns/audience', followers)).toMatchObject({ recipients: 6 });
    await theHourComes(id);
    expect(await skipped(id)).toEqual({ [slip]: 'left_list' });
  });

  it('to whoever has complained, while the suppression list does not know of it yet', async () => {
    await call('POST', '/api/emails', { email: 'p6@shop.co.uk' });
    const { id, waiting } = await begun(await listOf('News', { domain: 'shop.co.uk' }));
    const [angry = '', gone = '', kept = '', merged = '', old = '', now = ''] = waiting;
    const { workspaceId } = app.owner;
    const { system } = app.test.owner;
    const late = async (address: string, event: string, kind: string, moved: boolean) =>
      sql`
        insert into bounces (workspace_id, mailing_id, send_id, contact_id, local, domain, event, class, kind, fault,
          source, said, counts, is_due)
        select c.workspace_id, 1, c.id, c.id, ${moved ? sql`'before'` : sql`c.local`}, c.domain, ${event}, ${kind}, 'complaint',
          'address', 'webhook', '', false, true
        from contacts c where c.workspace_id = ${workspaceId} and c.local || '@' || c.domain = ${address}`.execute(
        system,
      );
    await late(angry, 'complaint', 'complaint', true);
    await late(gone, 'bounce', 'hard', false);
    await late(merged, 'complaint', 'complaint', false);
    await late(old, 'complaint', 'complaint', false);
    const idOf = async (address: string) => (await call('GET', `/api/emails?search=${address}`)).emails[0].id;
    const merge = { keepId: await idOf(kept), otherIds: [await idOf(merged)] };
    await call('POST', '/api/review/duplicates/merge', merge);
    // A reader who has confirmed the address of another contact.
    await sql`
      insert into address_requests (workspace_id, mailing_id, send_id, contact_id, old_local, old_domain, local, domain,
        done_at, to_contact_id)
      values (${workspaceId}, 1, 1, ${await idOf(old)}, ${old.split('@')[0]}, 'shop.co.uk', ${now.split('@')[0]},
        'shop.co.uk', now(), ${await idOf(now)})`.execute(system);
    await theHourComes(id);
    const isSkipped = {
      [angry]: 'suppressed',
      [gone]: 'suppressed',
      [kept]: 'suppressed',
      [merged]: 'removed',
      [old]: 'suppressed',
      [now]: 'suppressed',
    };
    await vi.waitFor(async () => expect(await skipped(id)).toEqual(isSkipped));
  });
});
