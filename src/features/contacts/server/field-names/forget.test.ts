import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { mostFieldNames } from '../../rules.ts';
import { forgetFieldNames } from './forget.ts';

let app: TestApp;
let person: SignedIn;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  person = await signUp(app.app);
});

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) {
  const { cookie } = person;
  const answer = await app.app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}
const add = async (local: string, attributes: object): Promise<number> =>
  (await call('POST', '/api/emails', { email: `${local}@acme.co.uk`, attributes })).body.id;
const names = async () => (await call('GET', '/api/emails/fields')).body.items;
const run = (statement: ReturnType<typeof sql>) =>
  app.database.asTenant(person.workspaceId, (tx) => statement.execute(tx));

/** Nobody has used any name for so many days. */
const pass = (days: number) =>
  run(sql`update contact_field_names set used_at = now() - make_interval(days => ${days})
          where workspace_id = ${person.workspaceId}`);
const night = () => forgetFieldNames(app.database, person.workspaceId, undefined, 2);

it('forgets after 30 days what no contact has, neither here nor in the bin', async () => {
  for (const local of ['a', 'b', 'c']) await add(local, { town: 'York' });
  const rare = await add('d', { rare: '1' });
  for (const local of ['e', 'f', 'g']) await add(local, { phone: '1' });
  const binned = await add('h', { binned: '1' });
  await call('DELETE', `/api/emails/${binned}`);
  const changed = await add('i', { mistaken: '1' });
  await call('PATCH', `/api/emails/${changed}`, { attributes: { mistaken: null } });
  await pass(29);
  await night();
  expect(await names()).toEqual(['binned', 'mistaken', 'phone', 'rare', 'town']);
  await pass(31);
  await night();
  expect(await names()).toEqual(['binned', 'phone', 'rare', 'town']);
  // What was found counts as used, and is not looked for again.
  await call('PATCH', `/api/emails/${rare}`, { attributes: { rare: null } });
  await night();
  expect(await names()).toContain('rare');
});

it('keeps what was used again since it was looked for', async () => {
  const id = await add('a', { shop: '1' });
  await call('PATCH', `/api/emails/${id}`, { attributes: { shop: null } });
  await pass(31);
  await add('b', { shop: '2' });
  await run(sql`delete from contacts where workspace_id = ${person.workspaceId}`);
  await night();
  expect(await names()).toEqual(['shop']);
});

it('keeps all while contacts come back from the bin', async () => {
  const id = await add('a', { shop: '1' });
  const { body } = await call('DELETE', `/api/emails/${id}`);
  await pass(31);
  await call('POST', `/api/removals/${body.removalId}/restore`);
  await run(sql`update contacts set attributes = null where workspace_id = ${person.workspaceId}`);
  await night();
  expect(await names()).toEqual(['shop']);
  await run(sql`update removals set restored_at = now() - interval '2 hours'
                where workspace_id = ${person.workspaceId}`);
  await night();
  expect(await names()).toEqual([]);
});

it('takes no more extra fields than an export can show, and says so', async () => {
  await run(sql`insert into contact_field_names (workspace_id, name)
                select ${person.workspaceId}, 'field ' || n from generate_series(1, ${mostFieldNames - 1}) n`);
  const id = await add('a', { 'field 1': '1', last: '1' });
  const refused = await call('PATCH', `/api/emails/${id}`, { attributes: { 'field 2': '1', more: '1' } });
  const problem =
    'A workspace has at most 1,000 extra fields, and this one has no room for “more”. ' +
    'Use those that it has. One that no contact has any more is forgotten after 30 days.';
  expect(refused).toMatchObject({ status: 400, body: { message: problem, fields: { attributes: problem } } });
  expect((await call('GET', `/api/emails/${id}`)).body.attributes).toEqual({ 'field 1': '1', last: '1' });
  expect((await call('PATCH', `/api/emails/${id}`, { attributes: { 'field 2': '1' } })).status).toBe(200);
  const added = await call('POST', '/api/emails', { email: 'b@acme.co.uk', attributes: { x: '1', y: '1' } });
  expect(added).toMatchObject({ status: 400, body: { message: expect.stringContaining('“x” and 1 other') } });
  expect((await call('GET', '/api/emails')).body.totalCount).toBe(1);
});
