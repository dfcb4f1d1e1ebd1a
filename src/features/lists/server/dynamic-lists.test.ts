import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { holdRemovals } from '#features/bin/server/index.ts';
import { inBackground } from '#platform/server/call-context.ts';
import { migrateJobs } from '#platform/server/jobs.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

// Lists that fill themselves: everywhere the people whom their rules mean at that moment.

let test: TestApp;
let person: SignedIn;
let other: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
  await migrateJobs(test.ownerUrl);
  await test.startWork();
  other = await signUp(test.app);
});
beforeEach(async () => {
  person = await signUp(test.app);
  const csv = 'email\nann@acme.co.uk\nbob@acme.co.uk\ntom@shop.co.uk\nzoe@shop.co.uk\n';
  expect((await importCsv(test.app, person.cookie, csv)).json()).toMatchObject({ imported: 4 });
});
afterAll(() => test?.close());

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
async function send(method: Method, url: string, payload?: object, who = person) {
  const headers = { cookie: who.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}
const atAcme = { conditions: [{ field: 'domain', operator: 'equals', value: 'acme.co.uk' }] };
const make = async (name: string, segmentRules: object = atAcme) =>
  (await send('POST', '/api/lists', { name, isDynamic: true, segmentRules })).body.id as number;
const whoIsOn = async (...ids: number[]) => {
  const { emails } = (await send('GET', `/api/emails?list=${ids.join(',')}`)).body;
  return emails.map(({ address }: { address: string }) => address.slice(0, 3)).sort();
};

it('shows whom the rules mean now, and after they have changed', async () => {
  const id = await make('Acme');
  expect(await whoIsOn(id)).toEqual(['ann', 'bob']);
  expect((await send('GET', `/api/lists/${id}`)).body).toMatchObject({
    isDynamic: true,
    segmentRules: atAcme,
    words: expect.stringContaining('acme.co.uk'),
    problem: null,
  });
  const added = (await send('POST', '/api/emails', { email: 'eve@acme.co.uk' })).status;
  expect(added).toBe(201);
  expect(await whoIsOn(id)).toEqual(['ann', 'bob', 'eve']);
  const segmentRules = { conditions: [{ field: 'domain', operator: 'equals', value: 'shop.co.uk' }] };
  expect((await send('PATCH', `/api/lists/${id}`, { segmentRules })).status).toBe(200);
  expect(await whoIsOn(id)).toEqual(['tom', 'zoe']);
});

it('is one of several lists, beside those that people fill', async () => {
  const id = await make('Either');
  const byHand = (await send('POST', '/api/lists', { name: 'By hand' })).body.id;
  await send('POST', `/api/lists/${byHand}/contacts`, { emails: ['zoe@shop.co.uk'] });
  expect(await whoIsOn(byHand)).toEqual(['zoe']);
  expect(await whoIsOn(id, byHand)).toEqual(['ann', 'bob', 'zoe']);
});

it('means everybody without rules', async () => {
  expect(await whoIsOn(await make('Everybody', { conditions: [] }))).toHaveLength(4);
});

it('is a selection for what is done to many, and takes nobody by hand', async () => {
  const id = await make('To count');
  const tag = (await send('POST', '/api/tags', { name: 'At Acme' })).body.id;
  const tagged = await send('POST', `/api/tags/${tag}/contacts`, { filter: { list: id } });
  expect(tagged).toMatchObject({ status: 200, body: { added: 2 } });
  const refused = await send('POST', `/api/lists/${id}/contacts`, { emails: ['zoe@shop.co.uk'] });
  expect(refused.status).toBe(409);
});

it('means in a task whom its rules meant when the call was made', async () => {
  const { workspaceId } = person;
  const rows = (domain: string, many: number) =>
    Array.from({ length: many }, (_, at) => `p${at}@${domain}\n`).join('');
  await importCsv(test.app, person.cookie, `email\n${rows('many.co.uk', 5_100)}${rows('rest.co.uk', 50)}`);
  const atMany = { conditions: [{ field: 'domain', operator: 'equals', value: 'many.co.uk' }] };
  const id = await make('Inactive', atMany);
  const begin = (method: 'POST' | 'DELETE', url: string, payload: object) =>
    inBackground(async () => {
      const headers = { cookie: person.cookie, prefer: 'respond-async' };
      const answer = await test.app.inject({ method, url, headers, payload });
      expect(answer.statusCode).toBe(202);
      return answer.json().taskId as number;
    });
  const removal = await test.database.asTenant(workspaceId, async (tx) => {
    await holdRemovals(tx, workspaceId);
    // Two tasks of a workspace run at once. The third waits for its turn.
    for (const _ of [1, 2]) await begin('POST', '/api/field-changes', { filter: {}, set: { notes: 'Old' } });
    const waits = await begin('DELETE', '/api/emails/bulk', { filter: { list: id } });
    const segmentRules = { conditions: [] };
    expect((await inBackground(() => send('PATCH', `/api/lists/${id}`, { segmentRules }))).status).toBe(200);
    return waits;
  });
  expect((await test.tasks.finished(workspaceId, removal)).result).toMatchObject({ removed: 5_100 });
  expect((await send('GET', '/api/emails')).body.totalCount).toBe(54);
});

it('is counted in the background, with the age of the count', async () => {
  const id = await make('Counted');
  const counted = async () => (await send('GET', `/api/lists/${id}`)).body;
  await expect.poll(async () => (await counted()).countedAt).not.toBeNull();
  expect((await counted()).contactCount).toBe(2);
  const segmentRules = { conditions: [] };
  const changed = (await send('PATCH', `/api/lists/${id}`, { segmentRules })).body;
  expect(changed.countedAt).toBeNull();
  await expect.poll(async () => (await counted()).contactCount).toBe(4);
});

it.each<[string, object, string]>([
  ['an unknown field', { field: 'shoeSize', operator: 'equals', value: '9' }, 'shoeSize'],
  ['an unknown operator', { field: 'domain', operator: 'resembles', value: 'x' }, 'resembles'],
  ['an unfinished condition', { field: 'domain', operator: 'equals', value: '' }, ''],
])('is refused with %s', async (_what, condition, word) => {
  const body = { name: 'No', isDynamic: true, segmentRules: { conditions: [condition] } };
  const { status, body: said } = await send('POST', '/api/lists', body);
  expect([status, JSON.stringify(said).includes(word)]).toEqual([400, true]);
});

it('is refused rules when people fill it', async () => {
  const given = { name: 'By hand too', segmentRules: atAcme };
  expect((await send('POST', '/api/lists', given)).status).toBe(400);
  const id = (await send('POST', '/api/lists', { name: 'By hand too' })).body.id;
  expect((await send('PATCH', `/api/lists/${id}`, { segmentRules: atAcme })).status).toBe(400);
});

it('may be sent with no conditions when people fill it, as a form does', async () => {
  const given = { name: 'Plain', isDynamic: false, segmentRules: { conditions: [] } };
  const { status, body } = await send('POST', '/api/lists', given);
  expect([status, body.isDynamic, body.segmentRules]).toEqual([201, false, null]);
  const changed = await send('PATCH', `/api/lists/${body.id}`, { segmentRules: { conditions: [] } });
  expect([changed.status, changed.body.segmentRules]).toEqual([200, null]);
});

it('is refused once it is deleted, and in another workspace', async () => {
  const id = await make('Gone');
  expect((await send('GET', `/api/emails?list=${id}`, undefined, other)).status).toBe(400);
  await send('DELETE', `/api/lists/${id}`);
  const { status, body } = await send('GET', `/api/emails?list=${id}`);
  expect([status, body.message]).toEqual([400, expect.stringContaining('“Gone” was deleted')]);
});

it('says which list has rules that cannot be read any more', async () => {
  const tag = (await send('POST', '/api/tags', { name: 'VIP' })).body.id;
  const id = await make('Very important', {
    conditions: [{ field: 'tags', operator: 'equals', value: String(tag) }],
  });
  expect(await whoIsOn(id)).toEqual([]);
  await send('DELETE', `/api/tags/${tag}`);
  const { status, body } = await send('GET', `/api/emails?list=${id}`);
  expect([status, body.message]).toEqual([400, expect.stringContaining('“Very important”')]);
  expect((await send('GET', `/api/lists/${id}`)).body.problem).toEqual(expect.any(String));
});

it('is told of as a use of the lists and tags that its rules name, as long as it is there', async () => {
  const list = (await send('POST', '/api/lists', { name: 'Asked for' })).body.id;
  const tag = (await send('POST', '/api/tags', { name: 'Asked for' })).body.id;
  const is = (field: string, ...value: unknown[]) => ({
    field,
    operator: 'one_of',
    value: value.map(String),
  });
  const id = await make('Asks', {
    conditions: [is('tags', tag)],
    groups: [{ match: 'any', conditions: [is('list', list)] }],
  });
  const other = await make('Asks for nothing', { conditions: [is('domain', list, tag)] });
  const asks = { kind: 'list', id, name: 'Asks' };
  expect((await send('GET', `/api/lists/${list}`)).body.usedBy).toEqual([asks]);
  expect((await send('GET', `/api/tags/${tag}`)).body.usedBy).toEqual([asks]);
  expect((await send('GET', `/api/lists/${other}`)).body.usedBy).toEqual([]);
  expect((await send('DELETE', `/api/tags/${tag}`)).body.usedBy).toEqual([asks]);
  await send('DELETE', `/api/lists/${id}`);
  expect((await send('DELETE', `/api/lists/${list}`)).body.usedBy).toEqual([]);
});

const asking = (...names: (string | number)[]) => ({
  conditions: [{ field: 'list', operator: 'one_of', value: names.map(String) }],
});

it('may ask for others like it, which are shown as its uses, but never in a circle', async () => {
  const first = await make('First');
  const second = await make('Second', asking('first'));
  const third = await make('Third', asking(second));
  const { emails } = (await send('GET', '/api/emails?domain=acme.co.uk')).body;
  expect(await whoIsOn(third)).toHaveLength(emails.length);
  expect((await send('GET', `/api/lists/${first}`)).body.usedBy).toEqual([
    { kind: 'list', id: second, name: 'Second' },
  ]);
  const circle = (id: number, ...names: (string | number)[]) =>
    send('PATCH', `/api/lists/${id}`, { segmentRules: asking(...names) });
  const refused = await circle(first, third);
  expect([refused.status, refused.body.fields.segmentRules]).toEqual([
    400,
    'These rules go round in a circle: “First” asks for “Third”, which asks for “Second”, which asks for “First”.',
  ]);
  expect((await circle(first, first)).body.message).toBe(
    'These rules go round in a circle: “First” asks for “First”.',
  );
  expect(await whoIsOn(first)).toHaveLength(emails.length);
});

it('lead to no circle when two are given rules at once', async () => {
  const [one, other] = [await make('One of two'), await make('Other of two')];
  const answers = await Promise.all([
    send('PATCH', `/api/lists/${one}`, { segmentRules: asking(other) }),
    send('PATCH', `/api/lists/${other}`, { segmentRules: asking(one) }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
});

it('is shown as broken when a list that it asks for is', async () => {
  const tag = (await send('POST', '/api/tags', { name: 'Inner' })).body.id;
  const inner = await make('Inner', { conditions: [{ field: 'tags', operator: 'equals', value: 'inner' }] });
  const outer = await make('Outer', asking(inner));
  expect((await send('GET', `/api/lists/${outer}`)).body.problem).toBeNull();
  await send('DELETE', `/api/tags/${tag}`);
  expect((await send('GET', `/api/lists/${outer}`)).body.problem).toContain(
    '“Inner” cannot be read any more',
  );
});

it('keeps lists and tags by number, so that other names change nothing, and names what uses them', async () => {
  const tag = (await send('POST', '/api/tags', { name: 'Harrogate' })).body.id;
  await send('POST', `/api/tags/${tag}/contacts`, { emails: ['ann@acme.co.uk'] });
  const tagged = { field: 'tags', operator: 'equals', value: ' harrogate' };
  const id = await make('From Harrogate', {
    conditions: [],
    groups: [{ match: 'any', conditions: [tagged] }],
  });
  const list = async () => (await send('GET', `/api/lists/${id}`)).body;
  expect((await list()).segmentRules).toEqual({
    conditions: [],
    groups: [{ match: 'any', conditions: [{ ...tagged, value: String(tag) }] }],
  });
  await send('PATCH', `/api/tags/${tag}`, { name: 'Leeds' });
  expect(await whoIsOn(id)).toEqual(['ann']);
  // As rules stand there that an earlier version kept.
  await sql`update lists set segment_rules = ${JSON.stringify({ conditions: [{ ...tagged, value: 'LEEDS' }] })}::jsonb
    where id = ${id}`.execute(test.owner.system);
  expect((await send('DELETE', `/api/tags/${tag}`)).body.usedBy).toEqual([
    { kind: 'list', id, name: 'From Harrogate' },
  ]);
});
