import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { purgeBin } from '#features/bin/server/index.ts';
import { addressChanges } from '#features/review/server/change-by-reader.ts';
import { selectFormerContacts } from '#features/review/server/index.ts';
import { checkBooks } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

/** A later import of the same file does not undo people's corrections. */
let product: TestApp;
let person: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
  product.tasks.startWork();
});
afterAll(() => product.close());
beforeEach(async () => {
  person = await signUp(product.app);
});
afterEach(async () => {
  const { workspaceId } = person;
  expect(await product.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
});

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  const answer = await product.app.inject({
    method,
    url,
    headers: { cookie: person.cookie },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json() };
}
const post = async (url: string, payload?: object) => (await call('POST', url, payload)).body;

const options = { validateEmails: true, filterNonUk: false, checkSuppressions: true, removeDuplicates: true };
const bring = async (rows: readonly string[], form: { dryRun?: boolean; options?: object } = {}) =>
  (await importCsv(product.app, person.cookie, `email\n${rows.join('\n')}\n`, { options, ...form })).json();

interface Shown {
  id: number;
  address: string;
  status: string;
}
const contacts = async (): Promise<Shown[]> =>
  (await call('GET', '/api/emails?order=asc&limit=200')).body.emails;
const statuses = async () =>
  Object.fromEntries((await contacts()).map(({ address, status }) => [address, status]));
const idOf = async (address: string): Promise<number> =>
  (await contacts()).find((contact) => contact.address === address)?.id ?? 0;

const correct = async (): Promise<number> => {
  await post('/api/verifications');
  const pattern = { from: 'gmial.com', to: 'gmail.com' };
  return (await post('/api/review/corrections/accept', { pattern })).correctionId;
};
const merge = async (keep: string, ...others: string[]): Promise<number> => {
  const otherIds = await Promise.all(others.map(idOf));
  return (await post('/api/review/duplicates/merge', { keepId: await idOf(keep), otherIds })).mergeId;
};

/** A reader confirms another address on the page of their choices. */
async function changeByReader(from: string, to: { local: string; domain: string }): Promise<void> {
  const { workspaceId } = person;
  const id = await idOf(from);
  const change = (tx: TenantTx) => addressChanges.change(tx, workspaceId, id, to);
  expect(await product.database.asTenant(workspaceId, change)).toBe(true);
}

/** Which of these addresses are former ones. */
async function former(...addresses: string[]): Promise<string[]> {
  const asked = `select split_part(a, '@', 2), split_part(a, '@', 1) from unnest($2::text[]) a`;
  const found = await product.database.asTenant(person.workspaceId, (tx) =>
    selectFormerContacts(tx, person.workspaceId, asked, [addresses]),
  );
  return found.map(({ local, domain }) => `${local}@${domain}`);
}

/** The reasons in an import's receipt, by line. */
async function reasons(importId: number): Promise<string[]> {
  const receipt = await product.app.inject({
    method: 'GET',
    url: `/api/imports/${importId}/receipt`,
    headers: { cookie: person.cookie },
  });
  return receipt.body
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',').slice(0, 3).join(','));
}

const today = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'Europe/London',
}).format(new Date());

const jos = ['jo@gmial.com', 'ann@acme.co.uk'];
const smiths = ['j.smith@gmail.com', 'jsmith+news@gmail.com', 'ann@acme.co.uk'];

describe('an address that was corrected', () => {
  it('is a duplicate of the contact it became, in words that name it', async () => {
    await bring(jos);
    await correct();
    const again = await bring(jos);
    expect(again).toMatchObject({ imported: 0, duplicates: 2 });
    expect(await reasons(again.id)).toEqual([
      `2,duplicate,Corrected to jo@gmail.com on ${today}`,
      '3,duplicate,Already in your contacts',
    ]);
    const { items } = (await call('GET', `/api/imports/${again.id}/rejected`)).body;
    expect(items[0].why).toBe(`Corrected to jo@gmail.com on ${today}`);
    expect(await statuses()).toEqual({ 'jo@gmail.com': 'active', 'ann@acme.co.uk': 'active' });
  });

  it('is told of by a dry run in the same numbers and words', async () => {
    await bring(jos);
    await correct();
    const tried = await bring([...jos, 'new@acme.co.uk'], { dryRun: true });
    expect(tried).toMatchObject({ imported: 1, duplicates: 2 });
    expect(tried.check.sample[0]).toMatchObject({
      fate: 'duplicate',
      why: `Corrected to jo@gmail.com on ${today}`,
    });
    expect(await post(`/api/imports/${tried.id}/run`, {})).toMatchObject({ imported: 1, duplicates: 2 });
  });

  it('is imported again when the correction was undone and the contact is gone', async () => {
    await bring(jos);
    const correction = await correct();
    await post(`/api/corrections/${correction}/undo`);
    const again = await bring(jos);
    expect(await reasons(again.id)).toEqual([
      '2,duplicate,Already in your contacts',
      '3,duplicate,Already in your contacts',
    ]);
    await call('DELETE', `/api/emails/${await idOf('jo@gmial.com')}`);
    expect(await bring(jos)).toMatchObject({ imported: 1, duplicates: 1 });
  });

  it('stays one for a contact that was in the bin when the correction was undone', async () => {
    await bring(['jo@gmial.com', 'kim@gmial.com']);
    const correction = await correct();
    const { removalId } = (await call('DELETE', `/api/emails/${await idOf('jo@gmail.com')}`)).body;
    const undone = await post(`/api/corrections/${correction}/undo`);
    expect(undone).toMatchObject({ restored: 1, leftOut: 1 });
    await post(`/api/removals/${removalId}/restore`);
    expect(await former('jo@gmial.com', 'kim@gmial.com')).toEqual(['jo@gmial.com']);
    const again = await bring(['jo@gmial.com', 'kim@gmial.com', 'kim@gmail.com']);
    expect(again).toMatchObject({ imported: 1, duplicates: 2 });
    expect(await reasons(again.id)).toEqual([
      `2,duplicate,Corrected to jo@gmail.com on ${today}`,
      '3,duplicate,Already in your contacts',
    ]);
    expect(await statuses()).toEqual({
      'jo@gmail.com': 'active',
      'kim@gmial.com': 'active',
      'kim@gmail.com': 'active',
    });
  });

  it('stays one for a contact that had changed when the correction was undone', async () => {
    await bring(jos);
    const correction = await correct();
    await changeByReader('jo@gmail.com', { local: 'jo', domain: 'acme.co.uk' });
    await post('/api/suppressions/email/manual', { email: 'jo@acme.co.uk' });
    const undone = await post(`/api/corrections/${correction}/undo`);
    expect(undone).toMatchObject({ restored: 0, leftOut: 1 });
    const again = await bring(['jo@gmial.com', 'jo@gmail.com']);
    expect(await reasons(again.id)).toEqual([
      `2,duplicate,Corrected to jo@acme.co.uk on ${today}`,
      `3,duplicate,Corrected to jo@acme.co.uk on ${today}`,
    ]);
    expect(await statuses()).toEqual({ 'jo@acme.co.uk': 'suppressed', 'ann@acme.co.uk': 'active' });
  });

  it('is imported again when the contact it became was removed', async () => {
    await bring(jos);
    await correct();
    await call('DELETE', `/api/emails/${await idOf('jo@gmail.com')}`);
    expect(await bring(jos)).toMatchObject({ imported: 1, duplicates: 1 });
    expect(await statuses()).toEqual({ 'jo@gmial.com': 'active', 'ann@acme.co.uk': 'active' });
  });

  it('is suppressed when it is on the list itself, and a duplicate when only its new form is', async () => {
    await bring(jos);
    await correct();
    await post('/api/suppressions/email/manual', { email: 'jo@gmail.com' });
    expect(await bring(jos)).toMatchObject({ imported: 0, duplicates: 2, suppressed: 0 });
    await post('/api/suppressions/email/manual', { email: 'jo@gmial.com' });
    const again = await bring(jos);
    expect(again).toMatchObject({ imported: 0, duplicates: 1, suppressed: 1 });
    expect((await reasons(again.id))[0]).toBe(`2,suppressed,Suppressed by hand on ${today}`);
    await post('/api/suppressions/domain', { domain: 'gmial.com' });
    expect(await bring(['jo@gmial.com', 'else@gmial.com'])).toMatchObject({ duplicates: 0, suppressed: 2 });
  });

  it('comes in marked as a duplicate where duplicates are kept, and Clean removes it', async () => {
    await bring(jos);
    await correct();
    const kept = { options: { ...options, removeDuplicates: false } };
    expect(await bring(['jo@gmial.com'], kept)).toMatchObject({ imported: 1, duplicates: 0 });
    expect(await statuses()).toMatchObject({ 'jo@gmail.com': 'active', 'jo@gmial.com': 'duplicate' });
    expect(await post('/api/emails/clean')).toMatchObject({ duplicates: 1 });
  });

  it('is known to an import of a few rows into many contacts, which looks it up in another way', async () => {
    const many = Array.from({ length: 90 }, (_, n) => `person${n}@acme.co.uk`);
    await bring([...jos, ...many]);
    await correct();
    const again = await bring(['new@acme.co.uk', 'jo@gmial.com', 'person7@acme.co.uk']);
    expect(await reasons(again.id)).toEqual([
      `3,duplicate,Corrected to jo@gmail.com on ${today}`,
      '4,duplicate,Already in your contacts',
    ]);
  });

  it('may be added by hand, and is then that contact’s own', async () => {
    await bring(jos);
    await correct();
    expect((await call('POST', '/api/emails', { email: 'jo@gmial.com' })).status).toBe(201);
    const again = await bring(['jo@gmial.com']);
    expect(await reasons(again.id)).toEqual(['2,duplicate,Already in your contacts']);
  });

  it('is as good as any other to another workspace', async () => {
    await bring(jos);
    await correct();
    person = await signUp(product.app);
    expect(await bring(jos)).toMatchObject({ imported: 2, duplicates: 0 });
  });
});

describe('an address that was merged away', () => {
  it('is a duplicate of the contact that stayed, until the merge is undone', async () => {
    await bring(smiths);
    const merged = await merge('j.smith@gmail.com', 'jsmith+news@gmail.com');
    const again = await bring(smiths);
    expect(again).toMatchObject({ imported: 0, duplicates: 3 });
    expect(await reasons(again.id)).toEqual([
      '2,duplicate,Already in your contacts',
      `3,duplicate,Merged into j.smith@gmail.com on ${today}`,
      '4,duplicate,Already in your contacts',
    ]);
    await post(`/api/merges/${merged}/undo`);
    await call('DELETE', `/api/emails/${await idOf('jsmith+news@gmail.com')}`);
    expect(await bring(smiths)).toMatchObject({ imported: 1, duplicates: 2 });
  });

  it('stays one after the bin has forgotten the contact', async () => {
    await bring(smiths);
    await merge('j.smith@gmail.com', 'jsmith+news@gmail.com');
    await emptyBin();
    expect(await bring(smiths)).toMatchObject({ imported: 0, duplicates: 3 });
  });

  it('is imported again when it was restored from the bin and removed once more', async () => {
    await bring(smiths);
    await merge('j.smith@gmail.com', 'jsmith+news@gmail.com');
    const { items } = (await call('GET', '/api/removals')).body;
    await post(`/api/removals/${items[0].id}/restore`);
    await call('DELETE', `/api/emails/${await idOf('jsmith+news@gmail.com')}`);
    expect(await bring(smiths)).toMatchObject({ imported: 1, duplicates: 2 });
  });

  it('leads on to the contact that the other was merged into, with all that went before', async () => {
    await bring(['jo@gmial.com', 'boss@acme.co.uk']);
    await correct();
    const merged = await merge('boss@acme.co.uk', 'jo@gmail.com');
    const rows = ['jo@gmial.com', 'jo@gmail.com', 'JO@gmial.com'];
    expect(await reasons((await bring(rows)).id)).toEqual([
      `2,duplicate,Merged into boss@acme.co.uk on ${today}`,
      `3,duplicate,Merged into boss@acme.co.uk on ${today}`,
      `4,duplicate,Merged into boss@acme.co.uk on ${today}`,
    ]);
    await post(`/api/merges/${merged}/undo`);
    expect(await reasons((await bring(rows)).id)).toEqual([
      `2,duplicate,Corrected to jo@gmail.com on ${today}`,
      '3,duplicate,Already in your contacts',
      `4,duplicate,Corrected to jo@gmail.com on ${today}`,
    ]);
  });

  it('finds an end where two were merged to and fro', async () => {
    await bring(['one@acme.co.uk', 'two@acme.co.uk']);
    await merge('one@acme.co.uk', 'two@acme.co.uk');
    await call('POST', '/api/emails', { email: 'two@acme.co.uk' });
    await merge('two@acme.co.uk', 'one@acme.co.uk');
    const again = await bring(['one@acme.co.uk', 'two@acme.co.uk']);
    expect(await reasons(again.id)).toEqual([
      `2,duplicate,Merged into two@acme.co.uk on ${today}`,
      '3,duplicate,Already in your contacts',
    ]);
  });
});

/** Deletes what is in the bin for good, as when its time is over. */
async function emptyBin(): Promise<void> {
  await sql`update removals set created_at = now() - interval '400 days' where workspace_id = ${person.workspaceId}`.execute(
    product.owner.system,
  );
  expect(await purgeBin(product.database, person.workspaceId, 30)).toBe(1);
}

describe('whatever was decided before', () => {
  const names = ['al', 'bo', 'cy', 'di'];
  const addresses = names.flatMap((name) => [`${name}@gmial.com`, `${name}@gmail.com`, `${name}@acme.co.uk`]);
  const address = fc.constantFrom(...addresses);
  const step = fc.oneof(
    fc.record({ kind: fc.constant('correct' as const) }),
    fc.record({ kind: fc.constant('merge' as const), keep: address, away: address }),
    fc.record({ kind: fc.constant('undo' as const), nth: fc.nat(5) }),
    fc.record({ kind: fc.constant('remove' as const), gone: address }),
    fc.record({ kind: fc.constant('suppress' as const), email: address }),
  );
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  async function take(one: Step): Promise<void> {
    if (one.kind === 'correct') await correct();
    if (one.kind === 'merge' && one.keep !== one.away) await merge(one.keep, one.away);
    if (one.kind === 'remove') await call('DELETE', `/api/emails/${await idOf(one.gone)}`);
    if (one.kind === 'suppress') await post('/api/suppressions/email/manual', { email: one.email });
    if (one.kind === 'undo') {
      const { items } = (await call('GET', '/api/review/history')).body;
      const past = items[one.nth % Math.max(1, items.length)];
      if (past) await post(`/api/${past.kind === 'merge' ? 'merges' : 'corrections'}/${past.id}/undo`);
    }
  }

  it('each row has one fate, a dry run says the same, and a second import adds nobody', async () => {
    const told = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(address, { minLength: 3, maxLength: 8 }),
        fc.array(step, { maxLength: 6 }),
        fc.array(address, { minLength: 1, maxLength: 12 }),
        async (first, steps, rows) => {
          person = await signUp(product.app);
          await bring(first);
          for (const one of steps) await take(one);
          const tried = await bring(rows, { dryRun: true });
          const done = await bring(rows);
          const { imported, duplicates, invalid, suppressed, nonUk } = done;
          expect(imported + duplicates + invalid + suppressed + nonUk).toBe(rows.length);
          expect(tried).toMatchObject({ imported, duplicates, invalid, suppressed, nonUk });
          const lines = await reasons(done.id);
          expect(lines).toHaveLength(rows.length - imported);
          for (const line of lines) told.add(/,(Corrected to|Merged into) /.exec(line)?.[1] ?? '');
          expect(await bring(rows)).toMatchObject({ imported: 0 });
          const { workspaceId } = person;
          expect(await product.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual(
            [],
          );
        },
      ),
      // Each run makes four imports and as many verifications as corrections, which takes seconds.
      { numRuns: 8 },
    );
    expect(told).toEqual(new Set(['', 'Corrected to', 'Merged into']));
  }, 240_000);
});
