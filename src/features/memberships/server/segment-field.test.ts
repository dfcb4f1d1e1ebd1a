import { afterAll, beforeAll, expect, it } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

// Segments ask for tags and lists: by number or name, and as text.

let test: TestApp;
let person: SignedIn;
const tags: Record<string, number> = {};
let customers = 0;

beforeAll(async () => {
  test = await openTestApp();
  person = await signUp(test.app);
  const csv = 'email\nann@acme.co.uk\nbob@acme.co.uk\ntom@acme.co.uk\nzoe@acme.co.uk\n';
  expect((await importCsv(test.app, person.cookie, csv)).json()).toMatchObject({ imported: 4 });
  for (const name of ['VIP', 'Agency', 'vip guest', 'Old'])
    tags[name] = (await send('POST', '/api/tags', { name })).body.id;
  const ids = Object.fromEntries(
    (await send('GET', '/api/emails')).body.emails.map((one: { address: string; id: number }) => [
      one.address.slice(0, 3),
      one.id,
    ]),
  );
  const put = (tag: string, ...names: string[]) =>
    send('POST', `/api/tags/${tags[tag]}/contacts`, { ids: names.map((name) => ids[name]) });
  await put('VIP', 'ann');
  await put('Agency', 'ann', 'bob');
  await put('vip guest', 'tom');
  await put('Old', 'zoe');
  await send('DELETE', `/api/tags/${tags.Old}`);
  customers = (await send('POST', '/api/lists', { name: 'Customers' })).body.id;
  await send('POST', `/api/lists/${customers}/contacts`, { ids: [ids.bob] });
  const segmentRules = { conditions: [{ field: 'tags', operator: 'equals', value: 'agency' }] };
  await send('POST', '/api/lists', { name: 'By rules', isDynamic: true, segmentRules });
});
afterAll(() => test?.close());

async function send(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  const headers = { cookie: person.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}
const whom = async (field: string, operator: string, value?: string | string[]) => {
  const segmentRules = { conditions: [{ field, operator, ...(value === undefined ? {} : { value }) }] };
  const { body } = await send('POST', '/api/segments/preview', { segmentRules });
  if (!body.sample) return body.message as string;
  expect(body.sample).toHaveLength(body.total.count);
  return body.sample
    .map((one: { address: string }) => one.address.slice(0, 3))
    .sort()
    .join(' ');
};

it.each<[string, string, string | string[] | undefined, string]>([
  ['tags', 'equals', 'vip', 'ann'],
  ['tags', 'not_equals', 'VIP', 'bob tom zoe'],
  ['tags', 'contains', 'vip', 'ann tom'],
  ['tags', 'not_contains', 'vip', 'bob zoe'],
  ['tags', 'starts_with', 'AG', 'ann bob'],
  ['tags', 'ends_with', 'guest', 'tom'],
  ['tags', 'contains', 'nothing like it', ''],
  ['tags', 'is_empty', undefined, 'zoe'],
  ['tags', 'is_not_empty', undefined, 'ann bob tom'],
  ['tags', 'one_of', ['vip guest', 'agency'], 'ann bob tom'],
  ['list', 'equals', 'customers', 'bob'],
  ['list', 'is_empty', undefined, 'ann tom zoe'],
])('%s %s %j: %s', async (field, operator, value, expected) => {
  expect(await whom(field, operator, value)).toBe(expected);
});

it('takes a tag by its number, which stays when it is renamed', async () => {
  expect(await whom('tags', 'equals', String(tags.Agency))).toBe('ann bob');
});

it('refuses what was deleted or never was', async () => {
  expect(await whom('tags', 'equals', 'Old')).toContain('Tags: “Old” is none of those there are.');
  expect(await whom('list', 'equals', 'Nowhere')).toContain('List: “Nowhere” is none of those there are.');
});

it('asks for a list that fills itself where it is named, and nowhere else', async () => {
  expect(await whom('list', 'equals', 'By rules')).toBe('ann bob');
  expect(await whom('list', 'one_of', ['by RULES', 'customers'])).toBe('ann bob');
  expect(await whom('list', 'not_equals', 'By rules')).toBe('tom zoe');
  expect(await whom('list', 'contains', 'rules')).toBe('');
  expect(await whom('list', 'is_empty')).toBe('ann tom zoe');
});

it('takes a number for the number, also where another is called so', async () => {
  const name = String(tags.Agency);
  await send('POST', '/api/tags', { name });
  expect(await whom('tags', 'equals', name)).toBe('ann bob');
  await send(
    'DELETE',
    `/api/tags/${(await send('GET', '/api/tags')).body.find((one: { name: string }) => one.name === name).id}`,
  );
});

it('offers them, and says which a contact has', async () => {
  const { fields } = (await send('GET', '/api/segments/fields')).body;
  const offered = (key: string) =>
    fields
      .find((one: { key: string }) => one.key === key)
      .options.map(({ label }: { label: string }) => label);
  expect(offered('tags').sort()).toEqual(['Agency', 'VIP', 'vip guest']);
  expect(offered('list').sort()).toEqual(['By rules', 'Customers']);
  const { emails } = (await send('GET', '/api/emails?search=ann')).body;
  const segmentRules = { conditions: [{ field: 'tags', operator: 'equals', value: 'vip' }] };
  const { body } = await send('POST', '/api/segments/explain', { segmentRules, contactId: emails[0].id });
  expect(body).toMatchObject({ isIn: true, conditions: [{ holds: true, has: ['Agency', 'VIP'] }] });
});
