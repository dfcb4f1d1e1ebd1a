import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { waitingForLocks } from '#test/support/waiting-for-locks.ts';

// A kept file that two people look at: neither undoes or imports unseen what the other has chosen.

let product: TestApp;
let person: SignedIn;
let id: number;
let listId: number;

beforeAll(async () => {
  product = await openTestApp();
});
afterAll(() => product.close());
beforeEach(async () => {
  person = await signUp(product.app);
  const csv = 'email,unsubscribed\nann@acme.co.uk,no\nbob@acme.co.uk,yes\n';
  id = (await importCsv(product.app, person.cookie, csv, { dryRun: true })).json().id;
  listId = (await call('POST', '/api/lists', { name: 'Fair' })).body.id;
});

async function call(method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) {
  const answer = await product.app.inject({
    ...{ method, url, headers: { cookie: person.cookie } },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json() };
}
const record = async () => (await call('GET', `/api/imports/${id}`)).body;
const choose = (groups: object) => call('PATCH', `/api/imports/${id}`, groups);
const recheck = (choice: object) => call('POST', `/api/imports/${id}/check`, choice);
const flags = { removeDuplicates: true, validateEmails: true, filterNonUk: false, checkSuppressions: true };

/** What the check page shows, as it sends it with Import. */
async function look() {
  const { choicesHash, options } = await record();
  const { listId = null, tagIds = [], basis = null } = options;
  return { choicesHash, listId, tagIds, basis };
}
const run = (seen?: object) => call('POST', `/api/imports/${id}/run`, seen ? { seen } : {});

it('a choice leaves those of the other fields as they are, and so does another check', async () => {
  const tagIds = [(await call('POST', '/api/tags', { name: 'New' })).body.id];
  const basis = { basis: 'consent', source: 'Fair' };
  for (const groups of [{ listId }, { tagIds }, { basis }]) expect((await choose(groups)).status).toBe(200);
  expect((await recheck({ options: flags })).status).toBe(200);
  expect((await record()).options).toEqual({ ...flags, listId, tagIds, basis });
  for (const groups of [{ listId: null }, { tagIds: [] }, { basis: null }]) await choose(groups);
  expect((await record()).options).toEqual(flags);
});

it('what is chosen while another check is being begun stays', async () => {
  const other = new pg.Client({ connectionString: product.ownerUrl });
  await other.connect();
  try {
    await other.query('begin');
    await other.query(`update imports set options = options || $1 where id = $2`, [{ listId }, id]);
    const begun = recheck({ reading: {} });
    await expect.poll(() => waitingForLocks(product), { timeout: 30_000 }).toBeGreaterThan(0);
    await other.query('commit');
    expect((await begun).status).toBe(200);
    expect((await record()).options).toMatchObject({ listId });
  } finally {
    await other.end();
  }
});

it.each<[string, () => Promise<unknown>]>([
  ['read otherwise', () => recheck({ reading: { doNotMail: [] } })],
  ['checked with another option', () => recheck({ options: flags })],
  ['given a list', () => choose({ listId })],
  ['given a basis', () => choose({ basis: { basis: 'consent', source: null } })],
])('a file that was %s since somebody looked at it is not imported', async (_, change) => {
  const seen = await look();
  await change();
  const refused = await run(seen);
  expect(refused).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
  expect(await record()).toMatchObject({ status: 'checked' });
  expect((await run(await look())).status).toBe(200);
});

it('a check answers the hash of its choices, which a check that fails leaves', async () => {
  const { body } = await recheck({ reading: { doNotMail: [] } });
  const { choicesHash } = await record();
  expect(body.choicesHash).toBe(choicesHash);
  expect((await recheck({ reading: { columns: ['skip', 'skip'] } })).status).toBe(400);
  expect((await record()).choicesHash).toBe(choicesHash);
});

it('without what was seen, the last choices count', async () => {
  await choose({ listId });
  expect(await run()).toMatchObject({ status: 200, body: { imported: 1, suppressed: 1 } });
  expect((await record()).addedTo).toMatchObject([{ id: listId }]);
});
