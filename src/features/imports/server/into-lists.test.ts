import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { miscounted } from '#test/support/miscounted.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

let app: TestApp;
let person: SignedIn;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  person = await signUp(app.app);
});

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  const { cookie } = person;
  const answer = await app.app.inject({ method, url, headers: { cookie }, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}
const make = async (what: 'lists' | 'tags', name: string): Promise<number> =>
  (await call('POST', `/api/${what}`, { name })).body.id;
const listed = async (query: string): Promise<string[]> =>
  (await call('GET', `/api/emails?sort=address&${query}`)).body.emails.map(
    ({ address }: { address: string }) => address,
  );
const csv = 'email\nann@acme.co.uk\nbob@acme.co.uk\nbob@acme.co.uk\nnot an address\nstopped@acme.co.uk\n';

it('puts new contacts and those that were there on a list, and tags them', async () => {
  await call('POST', '/api/emails', { email: 'ann@acme.co.uk' });
  await call('POST', '/api/suppressions/email/manual', { email: 'stopped@acme.co.uk' });
  const [listId, one, other] = [
    await make('lists', 'Fair'),
    await make('tags', 'VIP'),
    await make('tags', 'New'),
  ];
  const options = { listId, tagIds: [other, one, one] };
  const answer = await importCsv(app.app, person.cookie, csv, { options });
  expect(answer.json()).toMatchObject({ imported: 1, duplicates: 2, suppressed: 1, invalid: 1 });
  for (const query of [`list=${listId}`, `tag=${one}`, `tag=${other}`])
    expect(await listed(query)).toEqual(['ann@acme.co.uk', 'bob@acme.co.uk']);
  const { addedTo } = (await call('GET', `/api/imports/${answer.json().id}`)).body;
  expect(addedTo).toEqual([
    { kind: 'list', id: listId, name: 'Fair' },
    { kind: 'tag', id: one, name: 'VIP' },
    { kind: 'tag', id: other, name: 'New' },
  ]);
  const { emails } = (await call('GET', `/api/emails?list=${listId}`)).body;
  expect(emails[0].lists[0]).toMatchObject({ name: 'Fair', source: 'import' });
  expect(await miscounted(app, person.workspaceId)).toEqual([]);
});

it('adds nobody by a dry run, and takes the choice when the kept file is imported', async () => {
  const listId = await make('lists', 'Fair');
  const { id } = (await importCsv(app.app, person.cookie, csv, { options: { listId }, dryRun: true })).json();
  expect(await listed(`list=${listId}`)).toEqual([]);
  expect((await call('POST', `/api/imports/${id}/run`, {})).status).toBe(200);
  expect(await listed(`list=${listId}`)).toHaveLength(3);
  expect((await call('POST', `/api/imports/${id}/undo`)).status).toBe(200);
  expect((await call('GET', `/api/lists/${listId}`)).body.contactCount).toBe(0);
  expect(await miscounted(app, person.workspaceId)).toEqual([]);
});

it('imports nothing when the list is not there any more', async () => {
  const listId = await make('lists', 'Fair');
  await call('DELETE', `/api/lists/${listId}`);
  for (const options of [{ listId }, { tagIds: [999_999] }]) {
    const answer = await importCsv(app.app, person.cookie, csv, { options });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_input']);
    expect(answer.json().message).toContain('not there any more');
  }
  expect((await call('GET', '/api/emails')).body.totalCount).toBe(0);
});
