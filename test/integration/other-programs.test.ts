// Tests of: imports, exports, suppressions
import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

// Contacts as Mailchimp, HubSpot and Outlook export them, made up, with all that is wrong in such
// files. A column of each file that the product leaves out says what should become of each address
// of a row, so the figures that are expected are counted in the file itself.

let product: TestApp;
let person: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
});
afterAll(() => product.close());
beforeEach(async () => {
  person = await signUp(product.app);
});

type Row = Record<string, string>;
type Fate = 'imported' | 'duplicate' | 'invalid' | 'nonUk' | 'suppressed';

interface Given {
  bytes: Buffer;
  rows: Row[];
  /** The fates of the addresses of each row. */
  fates: Fate[][];
  counts: Record<string, number>;
}

async function given(name: string, expectations: string, encoding = 'utf-8'): Promise<Given> {
  const bytes = await readFile(new URL(`../fixtures/${name}`, import.meta.url));
  const text = new TextDecoder(encoding).decode(bytes);
  const { data } = Papa.parse<Row>(text, { header: true, skipEmptyLines: true });
  const fates = data.map((row) => (row[expectations] ?? '').split(' ').filter(isFate));
  const count = (fate: Fate) => fates.flat().filter((one) => one === fate).length;
  const counts = {
    imported: count('imported'),
    duplicates: count('duplicate'),
    invalid: count('invalid'),
    nonUk: count('nonUk'),
    suppressed: count('suppressed'),
  };
  return { bytes, rows: data, fates, counts };
}

const fates: string[] = ['imported', 'duplicate', 'invalid', 'nonUk', 'suppressed'];
const isFate = (word: string): word is Fate => fates.includes(word);

async function get(url: string) {
  return product.app.inject({ url, headers: { cookie: person.cookie } });
}

async function run(file: Given, form: Parameters<typeof importCsv>[3] = {}) {
  const answer = await importCsv(product.app, person.cookie, file.bytes, form);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

/**
 * The check and the import give the fates that the file asks for; the receipt gives them by row.
 */
async function runAsTold(file: Given, form: Parameters<typeof importCsv>[3] = {}) {
  const { check } = await run(file, { ...form, dryRun: true });
  expect(check).toMatchObject({ counts: file.counts, rows: file.fates.flat().length });
  const done = await run(file, form);
  expect(done).toMatchObject(file.counts);
  const receipt = Papa.parse<{ fate: Fate; line: string }>(
    (await get(`/api/imports/${done.id}/receipt`)).body,
    { header: true, skipEmptyLines: true },
  ).data;
  const byLine = Map.groupBy(receipt, ({ line }) => Number(line));
  const inOrder = [...byLine].sort(([a], [b]) => a - b).map(([, rows]) => rows.map(({ fate }) => fate));
  const leftOut = file.fates
    .map((row) => row.filter((fate) => fate !== 'imported'))
    .filter((row) => row.length > 0);
  expect(inOrder).toEqual(leftOut);
  return { check, done };
}

async function contacts(): Promise<Row[]> {
  const { body } = await get('/api/emails/export?format=csv');
  return Papa.parse<Row>(body, { header: true, skipEmptyLines: true }).data;
}
const targetsOf = (check: { columns: { name: string; target: string }[] }) =>
  Object.fromEntries(check.columns.map(({ name, target }) => [name, target]));

describe('an audience of Mailchimp', () => {
  it('comes in with the columns that were chosen, and out again with them', async () => {
    const file = await given('mailchimp-subscribed.csv', 'NOTES');
    const { check } = await run(file, { dryRun: true });
    const columns = check.columns.map(({ name, target }: { name: string; target: string }) =>
      ['TAGS', 'LONGITUDE', 'Phone Number'].includes(name) ? `extra:${name.toLowerCase()}` : target,
    );
    await runAsTold(file, { reading: { columns } });
    const out = await contacts();
    expect(out).toHaveLength(file.counts.imported as number);
    const tagsOf = (rows: Row[], email: string, tags: string) =>
      rows.find((row) => row[email]?.toLowerCase().includes('wei.begum'))?.[tags];
    expect(tagsOf(out, 'email', 'tags')).toBe(tagsOf(file.rows, 'Email Address', 'TAGS'));
    expect(new Set(out.map(({ longitude }) => longitude))).toEqual(new Set(['-0.1276']));
    expect(new Set(out.map((row) => row['phone number']))).toEqual(new Set(['', '+44 20 7946 0018']));
    expect(out.find(({ email }) => email?.startsWith('zoe@'))).toMatchObject({
      name: 'Zoë Müller',
      first_name: 'Zoë',
    });
  });

  it('and its unsubscribed become no contacts, but are never mailed', async () => {
    await run(await given('mailchimp-subscribed.csv', 'NOTES'));
    const file = await given('mailchimp-unsubscribed.csv', 'NOTES');
    const { check, done } = await runAsTold(file);
    expect(file.counts).toMatchObject({ imported: 0 });
    expect(check.optedOut).toBe(file.counts.suppressed);
    expect(done.newlySuppressed).toBe(file.counts.suppressed);
    const { body } = await get('/api/suppressions/export');
    for (const row of file.rows.filter(({ NOTES }) => NOTES?.startsWith('suppressed '))) {
      const [, reason] = (row.NOTES as string).split(' ');
      const line = body.split('\n').find((one) => one.includes(`${row['Email Address']}`));
      expect(line, row['Email Address']).toContain(reason);
      expect(line).toContain((row.UNSUB_TIME as string).slice(0, 10));
    }
    const statuses = (await contacts()).filter(({ status }) => status === 'suppressed');
    expect(statuses.map(({ email }) => email?.toLowerCase())).toEqual(['sam.hall@northfieldjoinery.co.uk']);
  });
});

describe('contacts of HubSpot', () => {
  it('are told apart by what it says of mail to them', async () => {
    const file = await given('hubspot-contacts.csv', 'Associated Note');
    const { check } = await runAsTold(file);
    expect(targetsOf(check)).toMatchObject({
      Email: 'email',
      'Contact owner': 'skip',
      'Unsubscribed from all email': 'doNotMail',
      'Email hard bounce reason': 'doNotMail',
      'Opted out of email: Marketing Information': 'doNotMail',
    });
    const bounces = check.columns.find(({ name }: { name: string }) => name === 'Email hard bounce reason');
    expect(bounces.firstValue).toBe('UNKNOWN_USER');
    expect(await contacts()).toHaveLength(file.counts.imported as number);
  });
});

describe('the address book of Outlook', () => {
  it('gives each address of a person, and no name with an address in it', async () => {
    const file = await given('outlook-contacts.csv', 'User 1', 'windows-1252');
    const { check: first } = await run(file, { dryRun: true });
    const holding = first.columns.filter(({ addresses }: { addresses: number }) => addresses > 0);
    expect(holding.map(({ name }: { name: string }) => name)).toEqual([
      'E-mail Address',
      'E-mail 2 Address',
      'E-mail 3 Address',
    ]);
    expect(targetsOf(first)).toMatchObject({ 'First Name': 'firstName', 'E-mail Display Name': 'skip' });

    const columns = first.columns.map(({ name, target }: { name: string; target: string }) =>
      /^E-mail \d? ?Address$/.test(name) ? 'email' : target,
    );
    const { done } = await runAsTold(file, { reading: { columns, addresses: 'each' } });
    const out = await contacts();
    expect(out).toHaveLength(file.counts.imported as number);
    expect(out.filter(({ name }) => name?.includes('@'))).toEqual([]);
    expect(out.map(({ email }) => email)).not.toContain('ian.old@pennine-tools.co.uk');
    expect(out.filter(({ name }) => name === 'HUGO PRÝCE')).toHaveLength(3);
    const { items } = (await get(`/api/imports/${done.id}/rejected?fate=invalid`)).json();
    expect(items.filter(({ why }: { why: string }) => why.includes('Exchange'))).toHaveLength(2);
  });

  it('gives the first address of a person that can be mailed, unless told otherwise', async () => {
    const file = await given('outlook-contacts.csv', 'User 1', 'windows-1252');
    const { check } = await run(file, { dryRun: true });
    const columns = check.columns.map(({ name, target }: { name: string; target: string }) =>
      /^E-mail \d? ?Address$/.test(name) ? 'email' : target,
    );
    await run(file, { reading: { columns, addresses: 'first' } });
    const emails = (await contacts()).map(({ email }) => email);
    // Rhys has only the name of a mailbox before it, Gil nothing, Nia an address outside the UK.
    expect(emails).toEqual(expect.arrayContaining(['rhys@pennine-tools.co.uk', 'gil@pennine-tools.co.uk']));
    expect(emails).not.toContain('nia@pennine-tools.co.uk');
  });

  it('keeps the name it shows where it has no other', async () => {
    const rows = ['E-mail Address,E-mail Display Name', 'ann@acme.co.uk,Ann Lee (ann@acme.co.uk)'];
    await importCsv(product.app, person.cookie, rows.join('\n'));
    expect(await contacts()).toMatchObject([{ name: 'Ann Lee', first_name: 'Ann', last_name: 'Lee' }]);
  });
});
