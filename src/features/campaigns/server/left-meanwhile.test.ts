import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
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
async function preferencePages(): Promise<Map<string, string>> {
  await app.stands(await app.send(), { status: 'completed', sent: 6 });
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
async function twoLists() {
  const pages = await preferencePages();
  const news = await listOf('News', { domain: 'shop.co.uk' });
  const tea = await listOf('Tea', { domain: 'shop.co.uk' });
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

  it('to whoever has complained, while the suppression list does not know of it yet', async () => {
    const { id, waiting } = await begun(await listOf('News', { domain: 'shop.co.uk' }));
    const [angry = '', gone = ''] = waiting;
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
    await theHourComes(id);
    await vi.waitFor(async () =>
      expect(await skipped(id)).toEqual({ [angry]: 'suppressed', [gone]: 'suppressed' }),
    );
  });
});
