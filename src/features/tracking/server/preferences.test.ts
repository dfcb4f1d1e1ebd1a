import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { otherAddressesOf } from '#features/contacts/server/index.ts';
import { takeLock } from '#platform/server/locks.ts';
import { importCsv } from '#test/support/app.ts';
import { miscounted } from '#test/support/miscounted.ts';
import { type Mailing, openTracked, type Tracked } from '#test/support/tracked-sends.ts';
import { deleteOldRequests, insertRequest } from './address/request-queries.ts';
import { addressRequestsLock } from './locks.ts';
import { personal } from './personal.ts';

// What readers choose on their preference page, and what it means for their lists.

let tracked: Tracked;
let mailing: Mailing;
let send: Awaited<ReturnType<Tracked['send']>>;
let page: string;

beforeAll(async () => {
  tracked = await openTracked();
  mailing = await tracked.mailing({ html: '<p>Hello</p>' });
});
afterAll(() => tracked.test.close());
beforeEach(async () => {
  send = await tracked.send(mailing);
  page = mailing.linksOf(send.sendId).preferences.replace(/^https?:\/\/[^/]+/, '');
});

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) {
  const headers = { cookie: tracked.owner.cookie };
  const answer = await tracked.test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}
const get = () => tracked.test.app.inject({ url: page });
const post = (fields: [string, string][], to = page) =>
  tracked.test.app.inject({
    ...{ method: 'POST', url: new URL(to, 'http://localhost').pathname },
    payload: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
/** Sends the form with these topics on it, and these of them ticked. */
const choose = (shown: number[], ticked: number[]) =>
  post([
    ['do', 'topics'],
    ...shown.map((id): [string, string] => ['shown', String(id)]),
    ...ticked.map((id): [string, string] => ['topic', String(id)]),
  ]);
const topic = async (name: string, more: object = {}): Promise<number> =>
  (await call('POST', '/api/lists', { name, isPublic: true, ...more })).body.id;
const listsOf = async (): Promise<{ id: number; source: string }[]> => {
  const { emails } = (await call('GET', `/api/emails?search=${send.local}`)).body;
  const address = `${send.local}@${send.domain}`;
  const own = emails.find((one: { address: string }) => one.address === address);
  return own.lists.map(({ id, source }: { id: number; source: string }) => ({ id, source }));
};
const add = async (id: number) =>
  (await call('POST', `/api/lists/${id}/contacts`, { ids: [send.contactId] })).body;

describe('topics', () => {
  it('are the public lists alone, in the words for readers, and looking at them changes nothing', async () => {
    await call('POST', '/api/lists', { name: 'Do not call <b>' });
    const shown = { publicName: 'Offers & news', publicDescription: 'Twice a month' };
    const id = await topic('Shop 2026 Q1', shown);
    await add(id);
    const first = await get();
    expect(first.body).toContain('Offers &amp; news<small>Twice a month</small>');
    expect(first.body).toMatch(new RegExp(`name="topic" value="${id}" checked>`));
    expect(first.body).not.toMatch(/Shop 2026|Do not call/);
    expect((await get()).body).toBe(first.body);
    expect(first.headers['set-cookie']).toBeUndefined();
    await call('PATCH', `/api/lists/${id}`, { isPublic: false });
    expect((await get()).body).not.toContain('Offers &amp; news');
    await choose([id], []);
    expect(await listsOf()).toEqual([{ id, source: 'chosen' }]);
  });

  it('are joined and left, and both stand on the timeline', async () => {
    const [news, tea] = [await topic('News'), await topic('Tea')];
    await add(news);
    const { body } = await choose([news, tea], [tea]);
    expect(body).toContain('You are on “Tea” now. You are no longer on “News”.');
    expect(await listsOf()).toEqual([{ id: tea, source: 'preferences' }]);
    const { items } = (await call('GET', `/api/emails/${send.contactId}/timeline`)).body;
    expect(items).toContainEqual(
      expect.objectContaining({ kind: 'left_topic', list: { id: news, name: 'News' } }),
    );
    expect(items).toContainEqual(expect.objectContaining({ kind: 'put_on_list', how: 'preferences' }));
    expect((await choose([news, tea], [tea])).body).toContain('Nothing was changed.');
    expect((await call('GET', `/api/lists/${tea}`)).body.contactCount).toBe(1);
    expect(await miscounted(tracked.test, tracked.owner.workspaceId)).toEqual([]);
  });

  it('that the page did not show are left alone', async () => {
    const late = await topic('Late');
    await add(late);
    await choose([], []);
    await choose([0, 999_999], [999_999]);
    await post([
      ['do', 'topics'],
      ['shown', `${late} or 1=1`],
    ]);
    expect(await listsOf()).toEqual([{ id: late, source: 'chosen' }]);
  });

  it('that somebody has left are not given back by an addition, an undo or an import', async () => {
    const id = await topic('Offers');
    const { changeId: added } = await add(id);
    const { body: removed } = await call('DELETE', `/api/lists/${id}/contacts`, { ids: [send.contactId] });
    await add(id);
    await choose([id], []);
    expect(await add(id)).toMatchObject({ added: 0, alreadyThere: 0, leftOut: 1, changeId: null });
    await call('POST', `/api/membership-changes/${removed.changeId}/undo`);
    const csv = `email\n${send.local}@${send.domain}\nnew-${send.local}@${send.domain}\n`;
    const answer = await importCsv(tracked.test.app, tracked.owner.cookie, csv, { options: { listId: id } });
    const record = (await call('GET', `/api/imports/${answer.json().id}`)).body;
    expect(record).toMatchObject({ leftTopics: 1, results: { imported: 1, duplicates: 1 } });
    expect(await listsOf()).toEqual([]);
    expect((await call('GET', `/api/lists/${id}`)).body.contactCount).toBe(1);
    expect(added).not.toBeNull();
    // Whoever chooses it again is on it, and others may add them again.
    await choose([id], [id]);
    await call('DELETE', `/api/lists/${id}/contacts`, { ids: [send.contactId] });
    expect(await add(id)).toMatchObject({ added: 1, leftOut: 0 });
    expect(await miscounted(tracked.test, tracked.owner.workspaceId)).toEqual([]);
  });

  it('stay left when the contact is deleted and imported anew', async () => {
    const id = await topic('Letters');
    await add(id);
    await choose([id], []);
    expect((await call('DELETE', `/api/emails/${send.contactId}`)).status).toBe(200);
    expect((await get()).body).not.toContain('Letters');
    const csv = `email\n${send.local}@${send.domain}\n`;
    await importCsv(tracked.test.app, tracked.owner.cookie, csv, { options: { listId: id } });
    expect(await listsOf()).toEqual([]);
    expect((await get()).body).toMatch(new RegExp(`name="topic" value="${id}">`));
  });

  it('stay left when the contact comes back from the bin, where it still was on them', async () => {
    const [binned, taken, kept] = [await topic('Bargains'), await topic('Coupons'), await topic('Recipes')];
    for (const id of [binned, taken, kept]) await add(id);
    const { body: change } = await call('DELETE', `/api/lists/${taken}/contacts`, { ids: [send.contactId] });
    const { removalId } = (await call('DELETE', `/api/emails/${send.contactId}`)).body;
    // Somebody adds the address anew meanwhile, and its reader leaves.
    const again = (await call('POST', '/api/emails', { email: `${send.local}@${send.domain}` })).body;
    for (const id of [binned, taken]) await call('POST', `/api/lists/${id}/contacts`, { ids: [again.id] });
    await choose([binned, taken], []);
    await call('DELETE', `/api/emails/${again.id}`);
    await call('POST', `/api/membership-changes/${change.changeId}/undo`);
    expect((await call('POST', `/api/removals/${removalId}/restore`)).body).toMatchObject({ restored: 1 });
    expect(await listsOf()).toEqual([{ id: kept, source: 'chosen' }]);
    for (const id of [binned, taken])
      expect((await call('GET', `/api/lists/${id}`)).body.contactCount).toBe(0);
    expect(await miscounted(tracked.test, tracked.owner.workspaceId)).toEqual([]);
  });

  it('stay left when the contact is merged into another, and are told of the one that stays', async () => {
    const id = await topic('Catalogue');
    await add(id);
    await choose([id], []);
    const email = `kept-${send.local}@shop.co.uk`;
    const keepId = (await call('POST', '/api/emails', { email })).body.id;
    const merge = { keepId, otherIds: [send.contactId] };
    const { mergeId } = (await call('POST', '/api/review/duplicates/merge', merge)).body;
    const old = `${send.local}@${send.domain}`;
    const pasted = await call('POST', `/api/lists/${id}/contacts`, { emails: [old] });
    expect(pasted.body).toMatchObject({ added: 0, leftOut: 1 });
    const csv = `email\n${old}\n`;
    const answer = await importCsv(tracked.test.app, tracked.owner.cookie, csv, { options: { listId: id } });
    expect((await call('GET', `/api/imports/${answer.json().id}`)).body).toMatchObject({ leftTopics: 1 });
    expect((await call('GET', `/api/lists/${id}`)).body.contactCount).toBe(0);
    const { items } = (await call('GET', `/api/emails/${keepId}/timeline`)).body;
    expect(items.filter(({ kind }: { kind: string }) => kind === 'left_topic')).toHaveLength(1);
    // Both have left it when they are two again.
    await call('POST', `/api/merges/${mergeId}/undo`);
    const both = { ids: [keepId, send.contactId] };
    expect((await call('POST', `/api/lists/${id}/contacts`, both)).body).toMatchObject({ leftOut: 2 });
  });

  it('stay left when the contact is corrected, and when that is undone', async () => {
    const slip = await tracked.send(mailing, `slip${send.contactId}@gmial.com`);
    const id = await topic('Samples');
    // Somebody else had the address, and has left.
    const { workspaceId, contactId } = slip;
    const leave = (at: typeof slip) =>
      sql`
      insert into topic_leavings (workspace_id, list_id, domain, local, contact_id, mailing_id)
      values (${workspaceId}, ${id}, ${at.domain}, ${at.local}, 0, ${slip.mailingId})`.execute(
        tracked.test.owner.system,
      );
    await leave(slip);
    const put = async () => (await call('POST', `/api/lists/${id}/contacts`, { ids: [contactId] })).body;
    const correct = { ids: [contactId] };
    const { correctionId } = (await call('POST', '/api/review/corrections/accept', correct)).body;
    expect(await put()).toMatchObject({ added: 0, leftOut: 1 });
    // The reader comes back, and leaves once more at the new address.
    await sql`delete from topic_leavings where list_id = ${id}`.execute(tracked.test.owner.system);
    await leave({ ...slip, domain: 'gmail.com' });
    const undone = await call('POST', `/api/corrections/${correctionId}/undo`);
    expect(undone.body).toEqual({ restored: 1, leftOut: 0 });
    expect(await put()).toMatchObject({ added: 0, leftOut: 1 });
  });

  it('are left anew by the contact that has the address by now', async () => {
    const id = await topic('Prizes');
    await add(id);
    const { workspaceId, local, domain } = send;
    await sql`
      insert into topic_leavings (workspace_id, list_id, domain, local, contact_id, mailing_id)
      values (${workspaceId}, ${id}, ${domain}, ${local}, 0, 1)`.execute(tracked.test.owner.system);
    await choose([id], []);
    const { items } = (await call('GET', `/api/emails/${send.contactId}/timeline`)).body;
    expect(items).toContainEqual(
      expect.objectContaining({ kind: 'left_topic', list: { id, name: 'Prizes' } }),
    );
  });

  it('that cannot be joined just now are named beside those that are left', async () => {
    const [left, wanted] = [await topic('Crumbs'), await topic('Cakes')];
    await add(left);
    const answer = await tracked.test.owner.system.transaction().execute(async (tx) => {
      await sql`select from lists where id = any(${[left, wanted]}::bigint[]) for no key update`.execute(tx);
      return choose([left, wanted], [wanted]);
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('You are no longer on “Crumbs”. You are not on “Cakes” yet');
    expect((await choose([left, wanted], [wanted])).body).toContain('You are on “Cakes” now.');
  });

  it('that many choose while they are held keep nobody from unsubscribing', async () => {
    const wanted = await topic('Queues');
    const readers = [send];
    while (readers.length < 8) readers.push(await tracked.send(mailing));
    const [leaves, ...others] = readers.map(({ sendId }) => mailing.linksOf(sendId));
    const fields: [string, string][] = [
      ['do', 'topics'],
      ['shown', String(wanted)],
      ['topic', String(wanted)],
    ];
    const { left, answers } = await tracked.test.owner.system.transaction().execute(async (tx) => {
      await sql`select from lists where id = ${wanted} for no key update`.execute(tx);
      const answers = Promise.all(others.map(({ preferences }) => post(fields, preferences)));
      await sleep(100);
      const left = await post([['List-Unsubscribe', 'One-Click']], leaves?.unsubscribe);
      return { left, answers: await answers };
    });
    expect(left.statusCode).toBe(200);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(others.map(() => 503));
  });

  it('are left also where the database ends a deadlock by ending the change', async () => {
    const [left, wanted] = [await topic('Knives'), await topic('Forks')];
    await add(left);
    const { system } = tracked.test.owner;
    await sql`
      create function lose() returns trigger language plpgsql as
        $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`.execute(system);
    await sql`create trigger lose before insert on list_members for each row execute function lose()`.execute(
      system,
    );
    const answer = await choose([left, wanted], [wanted]);
    await sql`drop function lose cascade`.execute(system);
    expect([answer.statusCode, answer.body.includes('You are no longer on “Knives”')]).toEqual([200, true]);
  });

  it('are no lists that fill themselves', async () => {
    const fields = { isPublic: expect.stringContaining('fills itself') };
    const made = await call('POST', '/api/lists', { name: 'Rules', isDynamic: true, isPublic: true });
    expect([made.status, made.body.fields]).toEqual([400, fields]);
    const { id } = (await call('POST', '/api/lists', { name: 'Rules', isDynamic: true })).body;
    expect((await call('PATCH', `/api/lists/${id}`, { isPublic: true })).body.fields).toEqual(fields);
  });
});

describe('another address', () => {
  const ask = (email: string) =>
    post([
      ['do', 'address'],
      ['email', email],
    ]);
  const mailsTo = async (address: string): Promise<string[]> => {
    const { rows } = await sql<{ text: string }>`
      select body_text as text from outbox where recipient = ${address} order by id`.execute(
      tracked.test.owner.system,
    );
    return rows.map(({ text }) => text);
  };
  const linkIn = (text = '') => /https?:\/\/[^/\s]+(\/a\/[\w-]+)/.exec(text)?.[1] ?? '/no-link';
  const open = (url: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
    tracked.test.app.inject({
      ...{ method, url },
      ...(method === 'POST'
        ? { payload: 'do=confirm', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
        : {}),
    });
  const contactOf = async (address: string) =>
    (await call('GET', `/api/emails?search=${encodeURIComponent(address)}`)).body.emails.find(
      (one: { address: string }) => one.address === address,
    );

  it('is taken when its owner confirms it, with what belongs to the contact', async () => {
    const id = await topic('Moves');
    await add(id);
    await choose([id], []);
    await post([['pause', '3']]);
    const fresh = `new-${send.local}@shop.co.uk`;
    expect((await ask(` ${fresh} `)).body).toContain('a message is on its way there');
    const [text = ''] = await mailsTo(fresh);
    expect(text).not.toContain(send.local);
    const link = linkIn(text);
    for (const method of ['GET', 'HEAD', 'GET'] as const)
      expect((await open(link, method)).statusCode).toBe(200);
    expect((await open(link)).body).toContain('Do you want the emails');
    expect(await contactOf(fresh)).toBeUndefined();
    const done = await open(link, 'POST');
    expect([done.statusCode, done.headers['set-cookie'], done.headers['cache-control']]).toEqual([
      200,
      undefined,
      'no-store',
    ]);
    expect(done.body).toContain('Your address is changed');
    expect((await contactOf(fresh)).id).toBe(send.contactId);
    const { body } = await get();
    for (const part of ['n•••@shop.co.uk', 'You are taking a break']) expect(body).toContain(part);
    expect(await mailsTo(`${send.local}@${send.domain}`)).toEqual([
      expect.stringContaining('no longer to this address'),
    ]);
    const { items } = (await call('GET', `/api/emails/${send.contactId}/timeline`)).body;
    expect(items).toContainEqual(expect.objectContaining({ kind: 'corrected', to: fresh }));
    expect(items.filter(({ kind }: { kind: string }) => kind === 'left_topic')).toHaveLength(1);
    // What they left stays left, and a link of an older message means them still.
    expect(await add(id)).toMatchObject({ added: 0, leftOut: 1 });
    expect((await post([['do', 'leave']])).body).toContain('n•••@shop.co.uk');
    expect((await contactOf(fresh)).status).toBe('suppressed');
    expect(await miscounted(tracked.test, tracked.owner.workspaceId)).toEqual([]);
  });

  it('is asked for three times a day by one message, also in other processes at the same moment', async () => {
    const { workspaceId, mailingId, sendId, contactId, local, domain } = send;
    const request = { mailingId, sendId, contactId: contactId ?? 0, oldLocal: local, oldDomain: domain };
    const fresh = `fourth-${local}@shop.co.uk`;
    const asked = await tracked.test.owner.asTenant(workspaceId, async (tx) => {
      await takeLock(tx, addressRequestsLock, workspaceId);
      for (const name of ['first', 'second', 'third'])
        await insertRequest(tx, workspaceId, { ...request, local: `${name}-${local}`, domain });
      const answer = ask(fresh);
      await sleep(300);
      return { answer };
    });
    expect((await asked.answer).body).toContain('You have asked for this three times today');
    expect(await mailsTo(fresh)).toEqual([]);
  });

  it('is confirmed once, within a day, and by nobody who has no link', async () => {
    await ask(`late-${send.local}@shop.co.uk`);
    const [text] = await mailsTo(`late-${send.local}@shop.co.uk`);
    const link = linkIn(text);
    await sql`update address_requests set asked_at = asked_at - interval '25 hours'`.execute(
      tracked.test.owner.system,
    );
    expect((await open(link)).statusCode).toBe(410);
    expect((await open(link, 'POST')).body).toContain('This link is over');
    const bent = link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await open(bent, 'POST')).statusCode).toBe(404);
    expect((await open(page.replace('/p/', '/a/'), 'POST')).statusCode).toBe(404);
    // After one change, the links of the others hold no more.
    await ask(`one-${send.local}@shop.co.uk`);
    await ask(`two-${send.local}@shop.co.uk`);
    const [one] = await mailsTo(`one-${send.local}@shop.co.uk`);
    const [two] = await mailsTo(`two-${send.local}@shop.co.uk`);
    await open(linkIn(one), 'POST');
    expect((await open(linkIn(two), 'POST')).statusCode).toBe(410);
    expect((await open(linkIn(one), 'POST')).body).toContain('Your address is changed');
    expect((await contactOf(`one-${send.local}@shop.co.uk`)).id).toBe(send.contactId);
  });

  it('says the same whether or not it is a contact, and ends the old one when it is', async () => {
    const other = `held-${send.local}@shop.co.uk`;
    const free = `free-${send.local}@shop.co.uk`;
    await call('POST', '/api/emails', { email: other });
    const [held, unheld] = [(await ask(other)).body, (await ask(free)).body];
    expect(held.replaceAll(other, '')).toBe(unheld.replaceAll(free, ''));
    const [text] = await mailsTo(other);
    expect((await open(linkIn(text), 'POST')).body).toContain('Your address is changed');
    expect((await contactOf(`${send.local}@${send.domain}`)).status).toBe('suppressed');
    expect((await contactOf(other)).status).not.toBe('suppressed');
    expect(await miscounted(tracked.test, tracked.owner.workspaceId)).toEqual([]);
  });

  /** The reader confirms the address of another contact. Answers where it is, and its id. */
  async function moves(): Promise<{ other: string; id: number; old: string }> {
    const other = `other-${send.local}@shop.co.uk`;
    const { id } = (await call('POST', '/api/emails', { email: other })).body;
    await ask(other);
    const [text] = await mailsTo(other);
    expect((await open(linkIn(text), 'POST')).body).toContain('Your address is changed');
    return { other, id, old: `${send.local}@${send.domain}` };
  }
  const statusOf = async (address: string) => (await contactOf(address)).status;
  const unsubscribe = (action?: string) =>
    tracked.test.app.inject({
      url: mailing.linksOf(send.sendId).unsubscribe.replace(/^https?:\/\/[^/]+/, ''),
      ...(action
        ? {
            ...{ method: 'POST', payload: action },
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          }
        : {}),
    });

  it('of another contact is left by an older message, which only ever comes back to that one', async () => {
    const { other, old } = await moves();
    const shown = (await unsubscribe()).body;
    expect(shown).toContain('o•••@shop.co.uk');
    expect(shown).not.toContain('You are unsubscribed');
    expect((await unsubscribe('List-Unsubscribe=One-Click')).body).toContain('You are unsubscribed');
    expect([await statusOf(old), await statusOf(other)]).toEqual(['suppressed', 'suppressed']);
    expect((await unsubscribe()).body).toContain('Keep getting emails');
    expect((await unsubscribe('do=come-back')).body).toContain('You get emails again');
    expect(await statusOf(old)).toBe('suppressed');
    expect(await statusOf(other)).not.toBe('suppressed');
    expect(await miscounted(tracked.test, tracked.owner.workspaceId)).toEqual([]);
  });

  it('of another contact is left along with the old one, where that is mailed again', async () => {
    const { other, old } = await moves();
    const entry = (await call('GET', `/api/suppressions/emails?search=${old}`)).body.items[0];
    await call('DELETE', '/api/suppressions/emails', { ids: [entry.id] });
    expect(await statusOf(old)).not.toBe('suppressed');
    await unsubscribe('do=leave');
    expect([await statusOf(old), await statusOf(other)]).toEqual(['suppressed', 'suppressed']);
  });

  it('of another contact has its topics and breaks on the page of an older message', async () => {
    const id = await topic('Of the other');
    const { other, id: otherId } = await moves();
    await call('POST', `/api/lists/${id}/contacts`, { ids: [otherId] });
    expect((await get()).body).toMatch(new RegExp(`name="topic" value="${id}" checked>`));
    await choose([id], []);
    expect((await contactOf(other)).lists).toEqual([]);
    await post([['pause', '3']]);
    const { rows } = await sql`
      select from mailing_pauses where local || '@' || domain = ${other}`.execute(tracked.test.owner.system);
    expect(rows).toHaveLength(1);
  });

  it('of another contact has what was left at the old one left there too', async () => {
    const id = await topic('Of both');
    await add(id);
    await choose([id], []);
    const { id: otherId } = await moves();
    const put = await call('POST', `/api/lists/${id}/contacts`, { ids: [otherId] });
    expect(put.body).toMatchObject({ added: 0, leftOut: 1 });
  });

  it('brings along what a contact before had left at the old one', async () => {
    const id = await topic('Inherited');
    await add(id);
    await choose([id], []);
    await call('DELETE', `/api/emails/${send.contactId}`);
    const again = (await call('POST', '/api/emails', { email: `${send.local}@${send.domain}` })).body;
    const fresh = `moved-${send.local}@shop.co.uk`;
    await ask(fresh);
    await open(linkIn((await mailsTo(fresh))[0]), 'POST');
    expect((await contactOf(fresh)).id).toBe(again.id);
    const put = await call('POST', `/api/lists/${id}/contacts`, { ids: [again.id] });
    expect(put.body).toMatchObject({ added: 0, leftOut: 1 });
  });

  it('of another contact is known for longer than requests are, by itself and by its address', async () => {
    const { other, id, old } = await moves();
    const { workspaceId } = tracked.owner;
    await sql`update address_requests set asked_at = now() - interval '1 year'`.execute(
      tracked.test.owner.system,
    );
    const to = () =>
      tracked.test.database.asTenant(workspaceId, async (tx) => {
        await deleteOldRequests(tx, workspaceId, 30);
        const [local = '', domain = ''] = old.split('@');
        const found = await otherAddressesOf(tx, workspaceId, { contactId: send.contactId, local, domain });
        return found.map((one) => `${one.local}@${one.domain}`);
      });
    expect(await to()).toEqual([other]);
    // It is corrected, then it leaves, and comes back as another contact.
    const local = `again-other-${send.local}`;
    await sql`update contacts set local = ${local} where id = ${id}`.execute(tracked.test.owner.system);
    expect(await to()).toEqual([`${local}@shop.co.uk`]);
    const person = { workspaceId, local, domain: 'shop.co.uk' };
    const told = await tracked.test.database.asTenant(workspaceId, (tx) => personal.export(tx, person));
    expect(told).toMatchObject({ addressRequests: [{ from: old, to: other }] });
    await call('DELETE', `/api/emails/${id}`);
    expect(await to()).toEqual([]);
    await call('POST', '/api/emails', { email: other });
    expect(await to()).toEqual([other]);
    await tracked.test.database.asTenant(workspaceId, (tx) => personal.erase(tx, person));
    expect(await to()).toEqual([]);
  });

  it('brings the longer break along, to a new address and to one of another contact', async () => {
    const [fresh, other] = [`pause-${send.local}@shop.co.uk`, `long-${send.local}@shop.co.uk`];
    const pauseAt = (address: string, months: number) =>
      sql`
      insert into mailing_pauses (workspace_id, local, domain, until)
      values (${send.workspaceId}, ${address.split('@')[0]}, 'shop.co.uk', now() + make_interval(months => ${months}::int))`.execute(
        tracked.test.owner.system,
      );
    const daysLeft = async () => {
      const { rows } = await sql<{ local: string; days: number }>`
        select local, extract(day from until - now())::int as days from mailing_pauses
        where local like ${`%${send.local}`}`.execute(tracked.test.owner.system);
      return Object.fromEntries(rows.map(({ local, days }) => [local, days]));
    };
    await pauseAt(fresh, 1);
    await post([['pause', '6']]);
    await ask(fresh);
    await open(linkIn((await mailsTo(fresh))[0]), 'POST');
    expect(await daysLeft()).toEqual({ [`pause-${send.local}`]: expect.toSatisfy((days) => days > 170) });
    await call('POST', '/api/emails', { email: other });
    await pauseAt(other, 1);
    await ask(other);
    await open(linkIn((await mailsTo(other))[0]), 'POST');
    expect(await daysLeft()).toEqual({ [`long-${send.local}`]: expect.toSatisfy((days) => days > 170) });
  });

  it('is not taken after somebody has left, at the old address or the new one', async () => {
    const [left, wanted] = [`left-${send.local}@shop.co.uk`, `wanted-${send.local}@shop.co.uk`];
    await ask(left);
    await ask(wanted);
    const links = [...(await mailsTo(left)), ...(await mailsTo(wanted))].map(linkIn);
    await call('POST', '/api/suppressions/email/manual', { email: left });
    await post([['do', 'leave']]);
    for (const link of links) expect((await open(link, 'POST')).statusCode).toBe(410);
    const old = `${send.local}@${send.domain}`;
    expect((await contactOf(old)).id).toBe(send.contactId);
    expect(await mailsTo(old)).toEqual([]);
  });

  it('is forgotten with the person, and stands in what they are told before', async () => {
    const other = `other-${send.local}@shop.co.uk`;
    await ask(other);
    const held = () =>
      sql`select from address_requests where contact_id = ${send.contactId}`.execute(
        tracked.test.owner.system,
      );
    expect((await held()).rows).toHaveLength(1);
    const key = { workspaceId: tracked.owner.workspaceId, local: send.local, domain: send.domain };
    const told = await tracked.test.database.asTenant(key.workspaceId, (tx) => personal.export(tx, key));
    expect(told).toMatchObject({ addressRequests: [{ to: other }] });
    await tracked.test.database.asTenant(key.workspaceId, (tx) => personal.erase(tx, key));
    expect((await held()).rows).toEqual([]);
  });

  it('brings no mail to who wants none, nor many to anybody', async () => {
    const never = `never-${send.local}@shop.co.uk`;
    await call('POST', '/api/suppressions/email/manual', { email: never });
    expect((await ask(never)).body).toContain('If mail can be sent');
    expect(await mailsTo(never)).toEqual([]);
    expect((await ask('nobody')).body).toContain('This is no email address');
    expect((await ask(`${send.local}@${send.domain}`)).body).toContain('go there already');
    const target = `target-${send.local}@shop.co.uk`;
    await ask(target);
    await ask(target);
    expect((await ask(target)).body).toContain('three times today');
    expect(await mailsTo(target)).toHaveLength(2);
  });
});
