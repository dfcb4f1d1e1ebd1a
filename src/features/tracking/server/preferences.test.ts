import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importCsv } from '#test/support/app.ts';
import { miscounted } from '#test/support/miscounted.ts';
import { type Mailing, openTracked, type Tracked } from '#test/support/tracked-sends.ts';

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
const post = (fields: [string, string][]) =>
  tracked.test.app.inject({
    ...{ method: 'POST', url: page, payload: new URLSearchParams(fields).toString() },
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
    expect((await get()).body).not.toContain('Offers');
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

  it('are no lists that fill themselves', async () => {
    const fields = { isPublic: expect.stringContaining('fills itself') };
    const made = await call('POST', '/api/lists', { name: 'Rules', isDynamic: true, isPublic: true });
    expect([made.status, made.body.fields]).toEqual([400, fields]);
    const { id } = (await call('POST', '/api/lists', { name: 'Rules', isDynamic: true })).body;
    expect((await call('PATCH', `/api/lists/${id}`, { isPublic: true })).body.fields).toEqual(fields);
  });
});
