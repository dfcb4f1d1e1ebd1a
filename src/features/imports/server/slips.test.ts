import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkBooks } from '#features/rollups/server/index.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

let product: TestApp;
let person: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
});
afterAll(() => product.close());
beforeEach(async () => {
  person = await signUp(product.app);
});

const file = [
  'email,name',
  'ann@gmial.com,Ann',
  'Bob@gmial.com,Bob',
  'cat@hotmial.co.uk,Cat',
  'dan@acme.co.ukk,Dan',
  'eve@gmail.com,Eve',
  'fay@acme.co.uk,Fay',
].join('\n');
const options = { ukPolicy: 'any_but_foreign_cctld' };

const run = async (form: Parameters<typeof importCsv>[3] = {}) => {
  const answer = await importCsv(product.app, person.cookie, file, { options, ...form });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

async function ask(method: 'GET' | 'POST', url: string) {
  return (await product.app.inject({ method, url, headers: { cookie: person.cookie } })).json();
}

async function addresses(): Promise<string[]> {
  const { emails } = await ask('GET', '/api/emails?limit=200');
  const { workspaceId } = person;
  const books = await product.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId));
  expect(books).toEqual([]);
  return emails.map(({ address }: { address: string }) => address).sort();
}

it('slips are told before, with their number, and nobody changes them unasked', async () => {
  const { check } = await run({ dryRun: true });
  expect(check.slips).toEqual([
    { from: 'gmial.com', to: 'gmail.com', rows: 2, mended: false },
    { from: 'hotmial.co.uk', to: 'hotmail.co.uk', rows: 1, mended: false },
    { from: 'acme.co.ukk', to: 'acme.co.uk', rows: 1, mended: false },
  ]);
  expect(check.counts).toMatchObject({ imported: 5, invalid: 1 });
  await run();
  expect(await addresses()).toContain('cat@hotmial.co.uk');
});

it('chosen ones are read as they were meant, recorded, and can be undone', async () => {
  const { check } = await run({ dryRun: true, reading: { mend: ['gmial.com', 'acme.co.ukk'] } });
  expect(check.counts).toMatchObject({ imported: 6, invalid: 0 });
  expect(check.slips.map(({ mended }: { mended: boolean }) => mended)).toEqual([true, false, true]);
  expect(check.sample[1].why).toBe('Read as bob@gmail.com');
  expect(await run({ reading: { mend: ['gmial.com', 'acme.co.ukk'] } })).toMatchObject({ imported: 6 });
  expect(await addresses()).toEqual([
    'Bob@gmail.com',
    'ann@gmail.com',
    'cat@hotmial.co.uk',
    'dan@acme.co.uk',
    'eve@gmail.com',
    'fay@acme.co.uk',
  ]);
  // The same file brings nobody a second time, with or without mending.
  expect(await run()).toMatchObject({ imported: 0, duplicates: 5, invalid: 1 });
  expect(await run({ reading: { mend: 'all' } })).toMatchObject({ imported: 1, duplicates: 5 });

  const { items } = await ask('GET', '/api/review/history');
  const pattern = items.find((one: { title?: string }) => JSON.stringify(one).includes('gmial.com'));
  expect(pattern, JSON.stringify(items)).toBeDefined();
  await product.database.asTenant(person.workspaceId, async (tx) => {
    const { rows } = await sql<{ told: string }>`
      select from_domain || ' ' || to_domain || ' ' || contacts as told from corrections order by 1`.execute(
      tx,
    );
    expect(rows.map(({ told }) => told)).toEqual([
      'acme.co.ukk acme.co.uk 1',
      'gmial.com gmail.com 2',
      'hotmial.co.uk hotmail.co.uk 1',
    ]);
  });
});

it('undoing gives back what the file had, and the state it would have had', async () => {
  await run({ reading: { mend: 'all' } });
  await ask('GET', '/api/review/history');
  const ids = await product.database.asTenant(person.workspaceId, async (tx) => {
    const { rows } = await sql<{ id: number }>`select id from corrections order by id`.execute(tx);
    return rows.map(({ id }) => id);
  });
  expect(ids).toHaveLength(3);
  for (const id of ids) await ask('POST', `/api/corrections/${id}/undo`);
  expect(await addresses()).toEqual([
    'Bob@gmial.com',
    'ann@gmial.com',
    'cat@hotmial.co.uk',
    'dan@acme.co.ukk',
    'eve@gmail.com',
    'fay@acme.co.uk',
  ]);
  const { emails } = await ask('GET', '/api/emails?status=invalid');
  expect(emails.map(({ address }: { address: string }) => address)).toEqual(['dan@acme.co.ukk']);
});

it('the note of what the UK filter leaves out counts every class, with the largest domains', async () => {
  const lines = [
    'email',
    ...Array.from({ length: 3 }, (_, n) => `p${n}@btinternet.com`),
    ...Array.from({ length: 2 }, (_, n) => `p${n}@gmail.com`),
    'x@firma.de',
    'x@gov.scot',
    'x@nhs.wales',
    'x@acme.co.uk',
  ];
  const answer = await importCsv(product.app, person.cookie, lines.join('\n'), {});
  expect(answer.json()).toMatchObject({
    imported: 3,
    nonUk: 6,
    nonUkView: {
      uk: 0,
      likelyUk: 3,
      global: 2,
      notUk: 1,
      domains: [
        { domain: 'btinternet.com', uk: 'likely_uk', rows: 3 },
        { domain: 'gmail.com', uk: 'global', rows: 2 },
        { domain: 'firma.de', uk: 'not_uk', rows: 1 },
      ],
    },
  });
});
