import fc from 'fast-check';
import Papa from 'papaparse';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { tableWorkbook } from '#test/support/workbooks.ts';

let product: TestApp;
let person: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
});
afterAll(() => product.close());
beforeEach(async () => {
  person = await signUp(product.app);
});

/** Imports into a workspace of its own, and answers the figures, the contacts and the receipt. */
async function importInto(csv: string | Uint8Array, reading?: object, fileName = 'list.csv') {
  person = await signUp(product.app);
  const headers = { cookie: person.cookie };
  const answer = await importCsv(product.app, person.cookie, csv, {
    fileName,
    ...(reading ? { reading } : {}),
  });
  expect(answer.statusCode, answer.body).toBe(200);
  const done = answer.json();
  const { emails } = (await product.app.inject({ url: '/api/emails?limit=200', headers })).json();
  const receipt = await product.app.inject({ url: `/api/imports/${done.id}/receipt`, headers });
  const leftOut =
    receipt.statusCode === 404
      ? []
      : Papa.parse<{ line: string; fate: string; reason: string }>(receipt.body.trim(), { header: true })
          .data;
  return {
    done,
    addresses: emails.map(({ address }: { address: string }) => address).sort() as string[],
    leftOut: leftOut.map(({ line, fate, reason }) => `${line} ${fate} ${reason}`),
  };
}

/** Name, first and last name of the person's contacts, by address. */
async function namesOf(): Promise<Record<string, (string | null)[]>> {
  const { emails } = (
    await product.app.inject({ url: '/api/emails', headers: { cookie: person.cookie } })
  ).json();
  return Object.fromEntries(
    emails.map((one: Record<string, string>) => [one.address, [one.name, one.firstName, one.lastName]]),
  );
}

async function checkOf(csv: string | Uint8Array, reading?: object, fileName = 'list.csv') {
  const form = { dryRun: true, fileName, ...(reading ? { reading } : {}) };
  const answer = await importCsv(product.app, person.cookie, csv, form);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().check;
}

describe('a name before the address in its cell', () => {
  it('counts where no column gives one', async () => {
    await importInto(
      [
        'email,name',
        'Mary O’Neil <mary@acme.co.uk>,',
        'Cat Low <cat@acme.co.uk>; Dan Shaw <dan@acme.co.uk>,',
        'Gwen <gwen@acme.co.uk>,Gwen Price',
        'hal@acme.co.uk,',
      ].join('\n'),
    );
    expect(await namesOf()).toEqual({
      'mary@acme.co.uk': ['Mary O’Neil', 'Mary', 'O’Neil'],
      'cat@acme.co.uk': ['Cat Low', 'Cat', 'Low'],
      'dan@acme.co.uk': ['Dan Shaw', 'Dan', 'Shaw'],
      'gwen@acme.co.uk': ['Gwen Price', 'Gwen', 'Price'],
      'hal@acme.co.uk': [null, null, null],
    });
  });

  it('counts wherever the first one stands', async () => {
    const before = Array.from({ length: 2_500 }, (_, at) => `p${at}@acme.co.uk`);
    await importInto(['email', ...before, 'Hal Low <hal@shop.co.uk>'].join('\n'));
    const { emails } = (
      await product.app.inject({
        url: '/api/emails?search=hal@shop.co.uk',
        headers: { cookie: person.cookie },
      })
    ).json();
    expect(emails).toMatchObject([{ name: 'Hal Low', firstName: 'Hal', lastName: 'Low' }]);
  });

  it('counts in a file of addresses alone', async () => {
    await importInto('Mary O’Neil <mary@acme.co.uk>\nHal Low <hal@acme.co.uk>\nivy@acme.co.uk\n');
    expect(await namesOf()).toEqual({
      'mary@acme.co.uk': ['Mary O’Neil', 'Mary', 'O’Neil'],
      'hal@acme.co.uk': ['Hal Low', 'Hal', 'Low'],
      'ivy@acme.co.uk': [null, null, null],
    });
  });
});

describe('a whole name in the column of first or last names', () => {
  it('is taken apart where it says which is which', async () => {
    await importInto(
      [
        'email,first name,last name',
        'louise@acme.co.uk,,"Wright, Louise"',
        'will@acme.co.uk,"Wright, William",',
        'ann@acme.co.uk,Ann,"Low, PhD"',
        'jr@acme.co.uk,,"Smith, Jr"',
      ].join('\n'),
    );
    expect(await namesOf()).toEqual({
      'louise@acme.co.uk': ['Wright, Louise', 'Louise', 'Wright'],
      'will@acme.co.uk': ['Wright, William', 'William', 'Wright'],
      'ann@acme.co.uk': ['Ann Low, PhD', 'Ann', 'Low, PhD'],
      'jr@acme.co.uk': ['Smith, Jr', null, 'Smith, Jr'],
    });
  });
});

describe('several addresses in a cell', () => {
  const csv = [
    'email,name',
    'ann@acme.co.uk; bob@acme.co.uk,Both',
    'Cat <cat@acme.co.uk>; Dan <dan@firma.de>,Two',
    'ann@acme.co.uk / eve@acme.co.uk / eve@acme.co.uk,Again',
    'fay@acme.co.uk; gus@,Half',
    'hal@acme.co.uk,One',
  ].join('\n');

  it('are a row each, with the line they stand on', async () => {
    const { done, addresses, leftOut } = await importInto(csv);
    expect(done).toMatchObject({ imported: 6, duplicates: 1, invalid: 1, nonUk: 1 });
    expect(addresses).toEqual(['ann', 'bob', 'cat', 'eve', 'fay', 'hal'].map((name) => `${name}@acme.co.uk`));
    expect(leftOut).toEqual([
      '3 nonUk Dan <dan@firma.de>: Ends in .de',
      '4 duplicate ann@acme.co.uk: Same as line 2',
      expect.stringMatching(/^5 invalid gus@: /),
    ]);
  });

  it('are told of before, with the fate of each', async () => {
    const check = await checkOf(csv);
    expect(check).toMatchObject({ rows: 9, severalAddresses: { lines: 4, addresses: 8 } });
    expect(check.sample.map(({ line, part }: { line: number; part: number }) => [line, part])).toEqual([
      [2, 0],
      [2, 1],
      [3, 0],
      [3, 1],
      [4, 0],
      [4, 1],
      [5, 0],
      [5, 1],
      [6, 0],
    ]);
  });
});

describe('addresses in fields beyond the columns', () => {
  it.each([
    ['First Name,Email\nBo,h2@acme.co.uk,h3@acme.co.uk\nCy,h4@acme.co.uk\n', ['h2', 'h3', 'h4']],
    ['Email\ng5@acme.co.uk, g6@acme.co.uk\ng7@acme.co.uk\ng8@acme.co.uk\n', ['g5', 'g6', 'g7', 'g8']],
    ['Name,Email\nSmith, John,j1@acme.co.uk\nAnn,a1@acme.co.uk\n', ['a1', 'j1']],
    ['Name,Email\nBo,b1@acme.co.uk,b1@acme.co.uk\n', ['b1']],
    ['Name,Email\nBo,b1@acme.co.uk,"b2@acme.co.uk; b3@acme.co.uk",x\n', ['b1', 'b2', 'b3']],
    ['Name,Email,Notes\nBo,b1@acme.co.uk,met at the fair, ask b2@acme.co.uk first\n', ['b1']],
  ])('belong to the line: %j', async (csv, names) => {
    const { addresses, leftOut } = await importInto(csv);
    expect(addresses.toSorted()).toEqual(names.map((name) => `${name}@acme.co.uk`));
    expect(leftOut).toEqual([]);
  });
});

describe('several columns with addresses', () => {
  const csv = [
    'Email,Name,Business Email',
    'n/a,Ann,ann@acme.co.uk',
    'bob@acme.co.uk,Bob,bob@work.co.uk',
    ',Cat,cat@acme.co.uk',
    'dan@acme.co.uk,Dan,dan@acme.co.uk',
    'eve@acme.co.uk,Eve,',
    '-,Fay,-',
  ].join('\n');
  const columns = ['email', 'name', 'email'];

  it('give the first that is filled with an address', async () => {
    const { addresses, leftOut } = await importInto(csv, { columns });
    expect(addresses).toEqual(['ann', 'bob', 'cat', 'dan', 'eve'].map((name) => `${name}@acme.co.uk`));
    expect(leftOut).toEqual(['7 invalid No @ sign']);
  });

  it('give each when asked to, an address that stands twice once', async () => {
    const { done, addresses } = await importInto(csv, { columns, addresses: 'each' });
    expect(done).toMatchObject({ imported: 6, duplicates: 0, invalid: 2 });
    expect(addresses).toContain('bob@work.co.uk');
  });

  it('are all counted before, and one is taken', async () => {
    const check = await checkOf(csv);
    expect(check.columns.map((one: { addresses: number }) => one.addresses)).toEqual([3, 0, 4]);
    expect(check.columns.filter((one: { target: string }) => one.target === 'email')).toHaveLength(1);
  });
});

describe('what stands above the header', () => {
  it.each([
    [
      'Members list exported 1 May 2026\nEmail,Name\njo@acme.co.uk,Jo\n',
      ['Members list exported 1 May 2026'],
    ],
    ['Notes:\n\n"A long, quoted\nnote",,\nName,E-mail address,Town\nJo,jo@acme.co.uk,Bath\n', 2],
    ['Members,,\n1 May,,\nName,Email,Town\nJo,jo@acme.co.uk,Bath\n', ['Members', '1 May']],
    ['Members\nName,Contact,Town\nJo,jo@acme.co.uk,Bath\nSam,sam@acme.co.uk,Ely\n', ['Members']],
    ['Members\nCommittee\nEmail\njo@acme.co.uk\n', ['Members', 'Committee']],
    ['Members\njo@acme.co.uk,Jo\nsam@acme.co.uk,Sam\n', ['Members']],
    ['Email,Name\njo@acme.co.uk,Jo\n', []],
    ['Name,,\nJo,jo@acme.co.uk,Bath\n', []],
    ['jo@acme.co.uk\n', []],
  ])('%j', async (csv, titles) => {
    const check = await checkOf(csv);
    if (typeof titles === 'number') expect(check.titles).toHaveLength(titles);
    else expect(check.titles).toEqual(titles);
    expect(check.dialect.titleLines).toBe(check.titles.length);
    expect(check.counts.imported).toBeGreaterThan(0);
    expect(check.counts.invalid).toBe(0);
  });

  it('can be set by hand', async () => {
    const csv = 'Email,Name\nsam@acme.co.uk,Sam\njo@acme.co.uk,Jo\n';
    expect(await checkOf(csv, { dialect: { titleLines: 2, header: false } })).toMatchObject({ rows: 1 });
    const none = 'Members\nEmail\njo@acme.co.uk\n';
    expect(await checkOf(none, { dialect: { titleLines: 0 } })).toMatchObject({ rows: 2, titles: [] });
  });
});

// Each reads dozens of files, which a busy machine does slowly.
describe('every line', { timeout: 240_000 }, () => {
  const cell = fc.oneof(
    { weight: 4, arbitrary: fc.stringMatching(/^[a-c]@(acme|shop)\.co\.uk$/) },
    fc.constantFrom(
      '',
      ' ',
      'n/a',
      '@',
      'jo@',
      'x@firma.de',
      'A@acme.co.uk;b@acme.co.uk',
      'a@b@c',
      '"',
      '\0',
    ),
    fc.constantFrom(
      'two\nlines',
      'Jane <a@acme.co.uk>',
      'a@acme.co.uk a@shop.co.uk',
      '=1+1',
      "'",
      'ÿ',
      '\u200b',
    ),
  );
  const long = fc.constantFrom('b'.repeat(40_000), `${'c'.repeat(70_000)}@acme.co.uk`);
  const line = fc.array(fc.oneof({ weight: 40, arbitrary: cell }, { weight: 1, arbitrary: long }), {
    minLength: 1,
    maxLength: 4,
  });
  const lines = fc.array(line, { minLength: 1, maxLength: 25 });
  const anchor = ['anchor@acme.co.uk', 'x', 'y', 'z'];
  const choice = fc.constantFrom('first', 'each');
  const isFilled = (cells: readonly string[]) => cells.some((one) => one.trim() !== '');
  /** Holds what became of a file against its filled lines. */
  async function holds(file: string | Uint8Array, filled: number[], more: object, fileName = 'list.csv') {
    // How many columns there are depends on the rows. The first two are taken for addresses.
    person = await signUp(product.app);
    const { columns } = await checkOf(file, more, fileName);
    const targets = columns.map((_: unknown, at: number) => (at < 2 ? 'email' : 'skip'));
    const { done, leftOut } = await importInto(file, { columns: targets, ...more }, fileName);
    const total = done.imported + done.duplicates + done.invalid + done.nonUk + done.suppressed;
    expect(leftOut).toHaveLength(total - done.imported);
    const told = new Set(leftOut.map((row) => Number(row.split(' ')[0])));
    for (const one of told) expect(filled).toContain(one);
    // Lines that are not in the receipt have each given a contact.
    expect(filled.filter((one) => !told.has(one)).length).toBeLessThanOrEqual(done.imported);
    expect(done.imported).toBeGreaterThan(0);
  }

  /** The lines on which the filled records of a file start: each where those before it end. */
  function startsOf(records: readonly (readonly string[])[], titles: number): number[] {
    let at = 1 + titles;
    return records.flatMap((cells) => {
      const here = at;
      at += cells.join('').split('\n').length;
      return isFilled(cells) ? [here] : [];
    });
  }

  /** Nobody can tell a few apostrophes from quotes, so those are said. */
  const dialect = fc
    .record({
      delimiter: fc.constantFrom(',', ';', '\t', '|'),
      quote: fc.constantFrom('"', "'"),
      lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
      encoding: fc.constantFrom('utf-8', 'utf-8 with mark', 'utf-16le', 'utf-16be', 'windows-1252'),
      titles: fc.nat(2),
      isDetected: fc.boolean(),
    })
    .map((how) => (how.isDetected ? { ...how, quote: '"' } : how));

  it('with anything in it is imported or in the receipt, and nothing else is', async () => {
    await fc.assert(
      fc.asyncProperty(lines, dialect, choice, async (drawn, how, addresses) => {
        const { delimiter, quote, lineEnd, encoding, titles, isDetected } = how;
        const title = Array.from({ length: titles }, (_, at) => `Members of group ${at + 1}`);
        const header = isDetected ? [['Email', 'Work email', 'Town', 'Team']] : [];
        // What nobody says is told by a file that looks like one.
        const sure = isDetected ? [anchor, anchor, anchor] : [anchor];
        const records = [...sure, ...drawn].map((cells) => cells.map((one) => fitting(one, how)));
        const text = [
          ...title,
          ...[...header, ...records].map((cells) => cells.map(quotedBy(how)).join(delimiter)),
        ];
        const bytes = encoded(text.join(lineEnd), encoding);
        const said = {
          header: false,
          titleLines: titles,
          delimiter,
          quote,
          encoding: encoding.split(' ')[0],
        };
        await holds(bytes, startsOf(records, titles + header.length), {
          ...(isDetected ? {} : { dialect: said }),
          addresses,
        });
      }),
      { numRuns: 50 },
    );
  });

  it('too long to be read is in the receipt, and costs no other line', async () => {
    const tooLong = `${'d'.repeat(1_100_000)}@acme.co.uk`;
    await fc.assert(
      fc.asyncProperty(lines, fc.nat(5), dialect, async (drawn, place, how) => {
        const { delimiter, quote, lineEnd, encoding } = how;
        const records = [anchor, ...drawn.toSpliced(place, 0, [tooLong, 'x'])].map((cells) =>
          cells.map((one) => fitting(one, how)),
        );
        const text = records.map((cells) => cells.map(quotedBy(how)).join(delimiter)).join(lineEnd);
        const said = { header: false, titleLines: 0, delimiter, quote, encoding: encoding.split(' ')[0] };
        await holds(encoded(text, encoding), startsOf(records, 0), { dialect: said });
      }),
      { numRuns: 5 },
    );
  });

  it('of a workbook with anything in it is imported or in the receipt, and nothing else is', async () => {
    await fc.assert(
      fc.asyncProperty(lines, fc.nat(2), choice, async (drawn, titles, addresses) => {
        const title = Array.from({ length: titles }, (_, at) => [`Members of group ${at + 1}`]);
        // XML holds no NUL, and a cell of Excel no more than 32,767 characters.
        const records = [anchor, ...drawn].map((cells) =>
          cells.map((one) => one.replaceAll('\0', '').slice(0, 32_767)),
        );
        const filled = records.flatMap((cells, at) => (isFilled(cells) ? [titles + at + 1] : []));
        const dialect = { header: false, titleLines: titles };
        await holds(tableWorkbook([...title, ...records]), filled, { dialect, addresses }, 'list.xlsx');
      }),
      { numRuns: 25 },
    );
  });
});

interface Dialect {
  delimiter: string;
  quote: string;
  encoding: string;
  isDetected: boolean;
}

/**
 * What the file can hold: Windows-1252 has no such blank, and NUL makes a file look like UTF-16.
 */
function fitting(cell: string, { encoding, isDetected }: Dialect): string {
  const text = encoding === 'windows-1252' ? cell.replaceAll('\u200b', 'é') : cell;
  return isDetected ? text.replaceAll('\0', 'é') : text;
}

/** A writer of cells that quotes where it has to. */
const quotedBy =
  ({ delimiter, quote }: Dialect) =>
  (cell: string): string =>
    [delimiter, quote, '\n', '\r'].some((one) => cell.includes(one))
      ? quote + cell.replaceAll(quote, quote + quote) + quote
      : cell;

function encoded(text: string, encoding: string): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-8 with mark') return Buffer.from(`\ufeff${text}`);
  if (encoding === 'windows-1252') return Buffer.from(text, 'latin1');
  const little = Buffer.from(`\ufeff${text}`, 'utf16le');
  return encoding === 'utf-16le' ? little : little.swap16();
}
