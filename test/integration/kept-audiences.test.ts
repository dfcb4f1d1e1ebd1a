import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

/** Stored work, with the contacts it is about, that a process of another version picks up. */
let app: TestApp;
let person: SignedIn;

beforeAll(async () => {
  app = await openTestApp();
  app.tasks.startWork();
});
afterAll(() => app.close());
beforeEach(async () => {
  person = await signUp(app.app);
  const csv = 'email\nann@acme.co.uk\nbob@acme.co.uk\ntom@shop.co.uk\n';
  expect((await importCsv(app.app, person.cookie, csv)).statusCode).toBe(200);
});

async function get(url: string) {
  return (await app.app.inject({ method: 'GET', url, headers: { cookie: person.cookie } })).json();
}
const addresses = async (query = '') =>
  (await get(`/api/emails?sort=address${query}`)).emails.map((one: { address: string }) => one.address);
const everybody = ['ann@acme.co.uk', 'bob@acme.co.uk', 'tom@shop.co.uk'];

/** A task as another process left it. */
async function kept(kind: string, input: object): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into tasks (workspace_id, kind, title, input, user_name, actor)
    values (${person.workspaceId}, ${kind}, 'Kept', ${JSON.stringify(input)}::jsonb, 'Priya', 'priya@acme.co.uk')
    returning id`.execute(app.owner.system);
  return rows[0]?.id as number;
}
const finished = async (id: number) => app.tasks.finished(person.workspaceId, id);
const statusOf = async (id: number) => (await get(`/api/tasks/${id}`)).status;

const known = { condition: 'domain', value: 'acme.co.uk' };
const unknown = { condition: 'opened', value: 'yes' };
const notUnderstood = [
  { audience: { version: 1, all: [known, unknown] } },
  { audience: { version: 1, any: [known, { none: [unknown] }] } },
  { audience: { version: 2, all: [known] } },
  { audience: { all: [known] } },
  { audience: { version: 1, all: [known], limit: 5 } },
  { selection: { filter: { domain: 'acme.co.uk', opened: 'yes' } } },
  { selection: { segment: 7 } },
  {},
];

it.each([
  ['contacts.remove', { count: 3 }],
  ['suppressions.suppress', { count: 3 }],
  ['verification.run', { dns: false, contacts: 3 }],
])('%s is left to a newer version where a condition is not known, and touches nobody', async (kind, rest) => {
  const ids: number[] = [];
  for (const meant of notUnderstood) ids.push(await kept(kind, { ...rest, ...meant }));
  // It does the tasks it understands, even those that came later.
  const last = await kept('contacts.clean', {});
  expect((await finished(last)).status).toBe('completed');
  await vi.waitFor(async () => {
    for (const id of ids) expect(await statusOf(id)).toBe('waiting');
  }, 20_000);
  expect(await addresses()).toEqual(everybody);
  expect(await addresses('&status=active')).toEqual(everybody);
  expect((await get('/api/verifications')).totalCount).toBe(0);
});

it('work that was kept before there were trees is done as it was meant', async () => {
  const selection = { filter: { domain: 'acme.co.uk' } };
  const suppress = await kept('suppressions.suppress', { selection, count: 2 });
  expect((await finished(suppress)).result).toEqual({ suppressed: 2 });
  expect(await addresses('&status=suppressed')).toEqual(everybody.slice(0, 2));
  const remove = await kept('contacts.remove', { selection, count: 2 });
  expect((await finished(remove)).result).toMatchObject({ removed: 2 });
  expect(await addresses()).toEqual(everybody.slice(2));
  const verify = await kept('verification.run', { selection: null, dns: false, contacts: 1 });
  expect((await finished(verify)).result).toMatchObject({ contacts: 1 });
});

it('what a newer version understands is done for those it means alone', async () => {
  const tree = { version: 1, all: [known, { none: [{ condition: 'search', value: 'bob' }] }] };
  const remove = await kept('contacts.remove', { audience: tree, count: 1 });
  expect((await finished(remove)).result).toMatchObject({ removed: 1 });
  expect(await addresses()).toEqual(everybody.slice(1));
  const { items } = await get('/api/audit');
  expect(items[0]).toMatchObject({
    action: 'contacts.removed',
    details: {
      audience: 'contacts for which the domain is acme.co.uk and none is true of: the address contains “bob”',
    },
  });
});
