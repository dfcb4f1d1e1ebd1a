import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';

let app: TestApp;
let person: SignedIn;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  person = await signUp(app.app);
});

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, by = person) {
  const { cookie } = by;
  const answer = await app.app.inject({ method, url, headers: { cookie }, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}

it('is blue unless another colour is chosen, and is listed A to Z', async () => {
  const { status, body } = await call('POST', '/api/tags', { name: ' VIP ' });
  expect(status).toBe(201);
  expect(body).toMatchObject({ name: 'VIP', color: '#3B82F6', contactCount: 0 });
  await call('POST', '/api/tags', { name: 'agency', color: '#84cc16' });
  const tags = (await call('GET', '/api/tags')).body;
  expect(tags.map(({ name, color }: { name: string; color: string }) => [name, color])).toEqual([
    ['agency', '#84CC16'],
    ['VIP', '#3B82F6'],
  ]);
  expect((await call('POST', '/api/tags', { name: 'x', color: 'blue' })).status).toBe(400);
});

it('has its name alone, in whatever case, and says which tag has it', async () => {
  const { body: vip } = await call('POST', '/api/tags', { name: 'Très  VIP' });
  const second = await call('POST', '/api/tags', { name: 'TRÈS vip' });
  expect([second.status, second.body.code, second.body.fields.id]).toEqual([
    409,
    'already_exists',
    String(vip.id),
  ]);
  const { body: other } = await call('POST', '/api/tags', { name: 'Other' });
  const renamed = await call('PATCH', `/api/tags/${other.id}`, { name: 'très vip' });
  expect([renamed.status, renamed.body.fields.id]).toEqual([409, String(vip.id)]);
  expect(
    (await call('PATCH', `/api/tags/${vip.id}`, { name: 'très vip', color: '#EC4899' })).body,
  ).toMatchObject({
    name: 'très vip',
    color: '#EC4899',
  });
  const stranger = await signUp(app.app);
  expect((await call('POST', '/api/tags', { name: 'très vip' }, stranger)).status).toBe(201);
});

it('comes back with its contacts, unless its name was given to another since', async () => {
  const { body: tag } = await call('POST', '/api/tags', { name: 'VIP' });
  const { body: ann } = await call('POST', '/api/emails', { email: 'ann@acme.co.uk' });
  await call('POST', `/api/tags/${tag.id}/contacts`, { ids: [ann.id] });
  expect((await call('DELETE', `/api/tags/${tag.id}`)).body).toEqual({ deleted: 1, usedBy: [] });
  expect((await call('GET', '/api/tags')).body).toEqual([]);
  const { body: another } = await call('POST', '/api/tags', { name: 'vip' });
  const refused = await call('POST', `/api/tags/${tag.id}/restore`);
  expect([refused.status, refused.body.fields.id]).toEqual([409, String(another.id)]);
  await call('DELETE', `/api/tags/${another.id}`);
  expect((await call('POST', `/api/tags/${tag.id}/restore`)).body).toMatchObject({
    name: 'VIP',
    contactCount: 1,
  });
  expect((await call('POST', `/api/tags/${tag.id}/restore`)).status).toBe(200);
});

it('says which saved views ask for it, of those that the caller sees', async () => {
  const { body: tag } = await call('POST', '/api/tags', { name: 'VIP' });
  const view = (name: string, shared: boolean, of: number, by?: SignedIn) =>
    call('POST', '/api/views', { name, shared, state: { tag: [of] } }, by);
  await view('Shared', true, tag.id);
  await view('Mine', false, tag.id);
  await view('Others', true, tag.id + 1);
  const viewer = await signUpMember(app.app, app.database, {
    workspaceId: person.workspaceId,
    role: 'viewer',
  });
  const used = async (by: SignedIn) =>
    (await call('GET', `/api/tags/${tag.id}`, undefined, by)).body.usedBy.map(
      ({ name }: { name: string }) => name,
    );
  expect(await used(person)).toEqual(['Mine', 'Shared']);
  expect(await used(viewer)).toEqual(['Shared']);
  expect((await call('POST', '/api/tags', { name: 'Not mine' }, viewer)).status).toBe(403);
  expect((await call('DELETE', `/api/tags/${tag.id}`)).body.usedBy).toHaveLength(2);
});

it('is in the export with the lists when asked for, in JSON as an array', async () => {
  const { body: ann } = await call('POST', '/api/emails', { email: 'ann@acme.co.uk' });
  await call('PATCH', `/api/emails/${ann.id}`, { attributes: { tags: 'her own' } });
  for (const name of ['VIP', 'agency']) {
    const { body } = await call('POST', '/api/tags', { name });
    await call('POST', `/api/tags/${body.id}/contacts`, { ids: [ann.id] });
  }
  const { body: list } = await call('POST', '/api/lists', { name: '=Fair' });
  await call('POST', `/api/lists/${list.id}/contacts`, { ids: [ann.id] });
  const file = async (query: string) =>
    (await app.app.inject({ url: `/api/emails/export?${query}`, headers: { cookie: person.cookie } })).body;
  const [header = '', row = ''] = (await file('include=lists&format=csv')).split('\n');
  expect(header.trim()).toMatch(/,tags,lists,contact_tags$/);
  expect(row).toContain(`"'=Fair","agency; VIP"`);
  const [contact] = JSON.parse(await file('include=verdict,lists&format=json'));
  expect(contact).toMatchObject({ lists: ['=Fair'], tags: ['agency', 'VIP'], verdict: 'valid' });
  expect(JSON.parse(await file('format=json'))[0]).not.toHaveProperty('tags');
});

it('keeps what somebody else has changed since it was read', async () => {
  const { body: read } = await call('POST', '/api/tags', { name: 'Trade' });
  const at = `/api/tags/${read.id}`;
  const { updatedAt } = read;
  expect((await call('PATCH', at, { color: '#EC4899', updatedAt })).status).toBe(200);
  const late = await call('PATCH', at, { name: 'Wholesale', updatedAt });
  expect([late.status, late.body.code]).toEqual([409, 'changed_meanwhile']);
  expect((await call('GET', at)).body).toMatchObject({ name: 'Trade', color: '#EC4899' });
  expect((await call('PATCH', at, { name: 'Wholesale' })).body.color).toBe('#EC4899');
});
