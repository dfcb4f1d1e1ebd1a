import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
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

async function run(csv: string, form: Parameters<typeof importCsv>[3] = {}) {
  const answer = await importCsv(product.app, person.cookie, csv, form);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

const kept = async (id: number) =>
  (await product.app.inject({ url: `/api/imports/${id}`, headers: { cookie: person.cookie } })).json().notes;

const odd = [
  'Members 2026',
  '',
  'Email,Work Email,Unsubscribed,Status',
  'ann@acme.co.uk,ann@work.co.uk,P,Active',
  'bob@acme.co.uk; bo@acme.co.uk,bob@work.co.uk,Q,Unsubscribed',
  'cat@hotmial.co.uk,,P,Active,one too many',
  'dan@gmial.com,,,Active',
].join('\n');
const columns = ['email', 'skip', 'skip', 'skip'];

it('an import that nobody checked answers and keeps what a check would have shown', async () => {
  const { id, notes } = await run(odd);
  expect(notes).toMatchObject({
    header: true,
    emailColumns: ['Email'],
    otherAddresses: [{ name: 'Work Email', addresses: 2 }],
    severalAddresses: { lines: 1, addresses: 2 },
    titles: ['Members 2026'],
    unclear: [
      {
        index: 2,
        name: 'Unsubscribed',
        values: [
          { value: 'P', rows: 2 },
          { value: 'Q', rows: 1 },
        ],
      },
    ],
    unusedDoNotMail: [],
    notKept: [],
    slipTotal: { patterns: 2, rows: 2, mended: 0 },
    problems: { total: 1, byKind: { too_many_fields: 1 }, first: [{ line: 6, kind: 'too_many_fields' }] },
  });
  expect(notes.slips.map(({ from, to }: Record<string, string>) => `${from} ${to}`).sort()).toEqual([
    'gmial.com gmail.com',
    'hotmial.co.uk hotmail.co.uk',
  ]);
  expect(await kept(id)).toEqual(notes);
});

it('a column that says who must not be mailed and was left out is told', async () => {
  const { notes } = await run(odd, { reading: { columns } });
  expect(notes.unusedDoNotMail).toEqual(['Status']);
});

it('a dry run answers the same, and the import of its file too', async () => {
  const { id, notes, check } = await run(odd, { dryRun: true, reading: { columns, mend: 'all' } });
  expect(notes).toMatchObject({ slipTotal: { patterns: 2, rows: 2, mended: 2 }, emailColumns: ['Email'] });
  expect(check).toMatchObject({ slipTotal: notes.slipTotal, mendsAll: true });
  expect(await kept(id)).toBeNull();
  const answer = await product.app.inject({
    method: 'POST',
    url: `/api/imports/${id}/run`,
    headers: { cookie: person.cookie },
    payload: {},
  });
  expect(answer.json().notes).toEqual(notes);
  expect(await kept(id)).toEqual(notes);
});

it('tells which columns were not kept, for whoever sees no check', async () => {
  const { id, notes } = await run('email,name,Town,Phone,Empty\nann@acme.co.uk,Ann,Leeds,0113,\n');
  expect(notes.notKept).toEqual(['Town', 'Phone']);
  expect(await kept(id)).toEqual(notes);
});

it('a plain file has nothing to tell', async () => {
  const { notes } = await run('email,name\nann@acme.co.uk,Ann\n');
  expect(notes).toEqual({
    header: true,
    emailColumns: ['email'],
    otherAddresses: [],
    severalAddresses: { lines: 0, addresses: 0 },
    titles: [],
    unclear: [],
    unusedDoNotMail: [],
    notKept: [],
    slips: [],
    slipTotal: { patterns: 0, rows: 0, mended: 0 },
    problems: { total: 0, byKind: {}, first: [] },
  });
});

it('all slips are counted and mended, also those beyond the ones that are listed', async () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  // 60 towns under endings that nobody has: each is a slip of its own.
  const domains = letters.flatMap((letter) => ['x', 'y', 'z'].map((other) => `town${letter}${other}.co.ukk`));
  const csv = ['email', ...domains.map((domain) => `jo@${domain}`), 'jo@acme.co.uk'].join('\n');
  const { check } = await run(csv, { dryRun: true });
  expect(check.slips).toHaveLength(50);
  expect(check).toMatchObject({ slipTotal: { patterns: 78, rows: 78, mended: 0 }, mendsAll: false });
  const { check: mended } = await run(csv, { dryRun: true, reading: { mend: 'all' } });
  expect(mended).toMatchObject({ slipTotal: { patterns: 78, rows: 78, mended: 78 }, mendsAll: true });
  expect(mended.counts).toMatchObject({ imported: 79, invalid: 0 });
});

it('cells that are cut are told with their lines, each line once', async () => {
  const long = 'x'.repeat(10_001);
  const csv = [
    'email,notes,town,consent source',
    `ann@acme.co.uk,${long},York,Fair`,
    `bob@acme.co.uk; bo@acme.co.uk,short,${long},Fair`,
    `cat@acme.co.uk,${long.slice(1)},York,Fair`,
    `dan@acme.co.uk,,York,${long}`,
    `not an address,${long},York,Fair`,
    `eve@acme.co.uk,,${long},Fair`,
  ].join('\n');
  const columns = ['email', 'notes', 'extra:town', 'basisSource'];
  const { check } = await run(csv, { dryRun: true, reading: { columns } });
  expect(check.problems).toEqual({
    total: 4,
    byKind: { cell_cut: 4 },
    first: [2, 3, 5, 7].map((line) => ({ line, kind: 'cell_cut' })),
  });
  expect((await run(csv, { reading: { columns } })).notes.problems).toEqual(check.problems);
  // What is not kept is not cut.
  const skipped = await run(csv, { reading: { columns: ['email', 'skip', 'skip', 'skip'] } });
  expect(skipped.notes.problems.total).toBe(0);
});
