import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

// The calls of lists as the specification has them, and those beyond.

let test: TestApp;
let person: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
});
afterAll(() => test?.close());
beforeEach(async () => {
  person = await signUp(test.app);
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
async function send(method: Method, url: string, payload?: object) {
  const headers = { cookie: person.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}

it('are made with what the form sends, listed A to Z, changed, deleted and brought back', async () => {
  const given = { name: 'Fair', description: 'Met in York', isDynamic: false };
  const made = await send('POST', '/api/lists', given);
  expect([made.status, made.body]).toEqual([
    201,
    {
      ...given,
      id: expect.any(Number),
      ...{ isPublic: false, publicName: null, publicDescription: null },
      segmentRules: null,
      contactCount: 0,
      countedAt: null,
      createdBy: person.email,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      updatedAt: expect.any(String),
    },
  ]);
  const plain = await send('POST', '/api/lists', { name: 'Abroad' });
  expect(plain.body).toMatchObject({ description: null, isDynamic: false, segmentRules: null });
  const names = async () => (await send('GET', '/api/lists')).body.map(({ name }: { name: string }) => name);
  expect(await names()).toEqual(['Abroad', 'Fair']);

  const at = `/api/lists/${made.body.id}`;
  const changed = await send('PATCH', at, { name: 'Fair 2026', description: '' });
  expect([changed.status, changed.body.name, changed.body.description]).toEqual([200, 'Fair 2026', null]);
  expect((await send('DELETE', at)).body).toEqual({ deleted: 1, usedBy: [] });
  expect(await names()).toEqual(['Abroad']);
  expect((await send('GET', at)).status).toBe(404);
  expect((await send('DELETE', at)).status).toBe(404);
  expect((await send('POST', `${at}/restore`)).body.name).toBe('Fair 2026');
  expect(await names()).toEqual(['Abroad', 'Fair 2026']);
});

it.each([[{}], [{ name: '' }], [{ name: ' ' }], [{ name: null }]])('ask for a name: %j', async (body) => {
  const { status, body: said } = await send('POST', '/api/lists', body);
  expect([status, said.fields.name]).toEqual([400, 'List name is required']);
});

it('keep what somebody else has changed since they were read', async () => {
  const { body: read } = await send('POST', '/api/lists', { name: 'Newsletter', isPublic: true });
  const at = `/api/lists/${read.id}`;
  const { updatedAt } = read;
  expect((await send('PATCH', at, { isPublic: false, updatedAt })).status).toBe(200);
  const late = await send('PATCH', at, { description: 'Twice a month', updatedAt });
  expect([late.status, late.body.code]).toEqual([409, 'changed_meanwhile']);
  expect(late.body.message).toMatch(/“Newsletter”.*Nothing was saved/);
  const stored = await send('GET', at);
  expect(stored.body).toMatchObject({ isPublic: false, description: null });
  // What stands there already is no change, and whoever names no time overwrites.
  expect((await send('PATCH', at, { isPublic: false, updatedAt })).status).toBe(200);
  expect((await send('PATCH', at, { description: 'Twice a month' })).status).toBe(200);
});

it('have a later time after each change, however soon it comes', async () => {
  const { body: made } = await send('POST', '/api/lists', { name: 'Quick' });
  const at = `/api/lists/${made.id}`;
  await sql`update lists set updated_at = now() + interval '1 hour' where id = ${made.id}`.execute(
    test.owner.system,
  );
  const before = (await send('GET', at)).body.updatedAt;
  const after = (await send('PATCH', at, { name: 'Quicker' })).body.updatedAt;
  expect(Date.parse(after)).toBeGreaterThan(Date.parse(before));
});
