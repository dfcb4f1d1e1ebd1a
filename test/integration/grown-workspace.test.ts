import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

/*
 * PostgreSQL expects a single row of a workspace that it has not seen yet, and then compares each
 * of its contacts with all. At this size that takes minutes, and the work itself a second.
 */

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const many = 20_000;
let app: TestApp;
let owner: SignedIn;

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  const given = payload ? { payload } : {};
  const answer = await app.app.inject({ method, url, headers: { cookie: owner.cookie }, ...given });
  if (answer.statusCode >= 400) throw new Error(`${method} ${url}: ${answer.body}`);
  return answer.json();
}
const makeList = async (name: string): Promise<number> => (await call('POST', '/api/lists', { name })).id;
async function bring(count: number, options: object) {
  const rows = Array.from({ length: count }, (_, at) => `many${at}@acme.co.uk`);
  return (await importCsv(app.app, owner.cookie, `email\n${rows.join('\n')}\n`, { options })).json();
}

beforeAll(async () => {
  app = await openTestApp();
  app.tasks.startWork();
  for (let others = 0; others < 3; others += 1) {
    owner = await signUp(app.app);
    await bring(300, { listId: await makeList('News') });
  }
  const { system } = app.owner;
  await sql`analyze`.execute(system);
  // As on a server whose autovacuum is still to come, and comes once a minute at most.
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(system);
  for (const { name } of rows)
    await sql`alter table ${sql.table(name)} set (autovacuum_enabled = off)`.execute(system);
});
afterAll(() => app?.close());
beforeEach(async () => {
  owner = await signUp(app.app);
});

it('takes a first file into a list, and goes on with it at once', async () => {
  const listId = await makeList('News');
  expect(await bring(many, { listId })).toMatchObject({ imported: many });
  const of = `list=${listId}&search=many1`;
  expect((await call('GET', `/api/emails?limit=50&${of}`)).totalCount).toBe(11_111);
  const filter = { search: 'many1' };
  expect(await call('DELETE', `/api/lists/${listId}/contacts`, { filter })).toMatchObject({
    removed: 11_111,
  });
});

it('says a basis of everybody in a list, and takes it back', async () => {
  const listId = await makeList('Offers');
  const basis = { basis: 'consent', source: 'Spring fair' };
  expect(await bring(many, { listId, basis })).toMatchObject({ imported: many });
  const { changed, changeId } = await call('POST', '/api/basis-changes', {
    filter: { list: listId },
    basis: 'none',
    source: 'They asked',
  });
  expect(changed).toBe(many);
  expect((await call('POST', `/api/basis-changes/${changeId}/undo`)).undone).toBe(many);
});

it('says a basis of everybody from a file that names a source in each row, and takes it back', async () => {
  await bring(many, {});
  const rows = Array.from({ length: many }, (_, at) => `many${at}@acme.co.uk,consent,Sign-up ${at}`);
  const file = `email,Marketing basis,Consent source\n${rows.join('\n')}\n`;
  const { id } = (await importCsv(app.app, owner.cookie, file)).json();
  expect((await call('GET', '/api/basis')).contacts.consent).toBe(many);
  await call('POST', `/api/imports/${id}/undo`);
  expect((await call('GET', '/api/basis')).contacts.consent).toBe(0);
});

it('deletes everybody and brings them back', async () => {
  await bring(many, { listId: await makeList('Offers') });
  const { removed, removalId } = await call('DELETE', '/api/emails/bulk', { filter: {} });
  expect(removed).toBe(many);
  expect((await call('POST', `/api/removals/${removalId}/restore`)).restored).toBe(many);
});
