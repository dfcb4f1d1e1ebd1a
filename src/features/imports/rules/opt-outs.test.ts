import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlaceholder, optOutReasons, vocabularyNames } from './opt-out-words.ts';
import {
  chosenRule,
  createOptOutReader,
  type OptOutColumn,
  optOutIndexes,
  recogniseOptOuts,
  valueKey,
} from './opt-outs.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const today = '2026-11-22';

/** What each row says, as `reason date column`, or nothing. */
function read(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const reader = createOptOutReader(recogniseOptOuts(header, rows).columns, now);
  return rows.map((row) => {
    const found = reader(row);
    return found === null ? '' : `${found.reason} ${found.date ?? '-'} ${header[found.column]}`;
  });
}

const column = (given: Partial<OptOutColumn>): OptOutColumn => ({
  index: 0,
  values: {},
  mail: [],
  vocabulary: null,
  rest: null,
  dates: 'day-first',
  dateColumn: null,
  ...given,
});

describe('of several columns that speak', () => {
  const header = [
    'Email',
    'Unsubscribed',
    'Hard bounced on',
    'Complained',
    'Unsubscribed date',
    'Deceased on',
  ];
  const rows = [
    ['a@acme.co.uk', 'yes', '01/02/2020', 'no', '03/04/2021', '05/06/2019'],
    ['b@acme.co.uk', 'yes', '01/02/2020', 'yes', '03/04/2021', ''],
    ['c@acme.co.uk', 'no', '01/02/2020', 'no', '', '05/06/2019'],
    ['d@acme.co.uk', 'no', '', 'no', '', '05/06/2019'],
    ['e@acme.co.uk', 'yes', '', 'no', '', '05/06/2019'],
    ['f@acme.co.uk', 'no', '', 'no', '', ''],
    ['g@acme.co.uk'],
    [],
  ];

  it('the strongest reason counts, with its own date or else the earliest of the others', () => {
    expect(read(header, rows)).toEqual([
      'unsubscribed 2021-04-03 Unsubscribed date',
      'complained 2020-02-01 Complained',
      'bounced 2020-02-01 Hard bounced on',
      'imported 2019-06-05 Deceased on',
      'unsubscribed 2019-06-05 Unsubscribed',
      '',
      '',
      '',
    ]);
  });

  it('the earliest date of one reason counts', () => {
    const dated = ['Email', 'Opt-out date', 'Unsubscribed at'];
    expect(
      read(dated, [
        ['a@b.co.uk', '2022-01-01', '2021-12-31'],
        ['c@b.co.uk', '', '2023-05-05'],
      ]),
    ).toEqual(['unsubscribed 2021-12-31 Unsubscribed at', 'unsubscribed 2023-05-05 Unsubscribed at']);
  });
});

it('a column about post is left alone beside one about email', () => {
  const rows = [
    ['a@b.co.uk', 'yes', 'no'],
    ['c@b.co.uk', 'no', 'yes'],
  ];
  expect(read(['Email', 'Do not mail', 'Do not email'], rows)).toEqual(['', 'unsubscribed - Do not email']);
  expect(read(['Email', 'Do not mail', 'Town'], rows)).toEqual(['unsubscribed - Do not mail', '']);
});

it('the order of the dates is that of the column', () => {
  const header = ['Email', 'Unsubscribed on', 'Bounced on'];
  const rows = [
    ['a@b.co.uk', '03/04/2024', ''],
    ['c@b.co.uk', '12/25/2023', ''],
    ['d@b.co.uk', '', '03/04/2024'],
  ];
  expect(read(header, rows)).toEqual([
    'unsubscribed 2024-03-04 Unsubscribed on',
    'unsubscribed 2023-12-25 Unsubscribed on',
    'bounced 2024-04-03 Bounced on',
  ]);
});

it('a date that has not come is no date, but an opt-out', () => {
  expect(
    read(
      ['Email', 'Unsubscribed on'],
      [
        ['a@b.co.uk', '2031-01-01'],
        ['c@b.co.uk', ''],
      ],
    ),
  ).toEqual(['unsubscribed - Unsubscribed on', '']);
});

it('“none” is no where nothing else says no', () => {
  const header = ['Email', 'Email marketing consent'];
  expect(
    read(header, [
      ['a@b.co.uk', 'Given'],
      ['c@b.co.uk', 'None'],
      ['d@b.co.uk', ''],
    ]),
  ).toEqual(['', 'imported - Email marketing consent', '']);
  expect(
    read(header, [
      ['a@b.co.uk', 'Yes'],
      ['c@b.co.uk', 'None'],
      ['d@b.co.uk', 'No'],
    ]),
  ).toEqual(['', '', 'imported - Email marketing consent']);
});

describe('cells further down than the sample', () => {
  const below = (heading: string, sample: string[], ...cells: string[]) => {
    const { columns } = recogniseOptOuts(
      ['Email', heading],
      sample.map((cell) => ['a@b.co.uk', cell]),
    );
    const reader = createOptOutReader(columns, now);
    return cells.map((cell) => reader(['a@b.co.uk', cell])?.reason ?? '');
  };

  it('of a column about opting out mean do not mail, whatever they say', () => {
    expect(
      below('Unsubscribed', ['yes', 'no'], 'see letter', 'No more emails', 'TRUE', '0', 'n/a', '✗'),
    ).toEqual(['unsubscribed', 'unsubscribed', 'unsubscribed', '', '', '']);
  });

  it('of a status say nothing, unless they are known', () => {
    expect(below('Status', ['Subscribed', 'Unsubscribed'], 'Purple', 'Cleaned', 'Archived', 'spam')).toEqual([
      '',
      'bounced',
      'imported',
      'complained',
    ]);
    expect(below('Status', ['New', 'Qualified', 'Unsubscribed'], 'Archived', 'Pending', 'Opted out')).toEqual(
      ['', '', 'unsubscribed'],
    );
  });

  it('of consent say nothing, unless they refuse', () => {
    expect(below('Opt in', ['yes', 'no'], 'perhaps', 'Refused', 'unsubscribed', 'Y', '2024-01-01')).toEqual([
      '',
      'imported',
      'unsubscribed',
      '',
      '',
    ]);
  });

  it('may hold several texts', () => {
    expect(
      below('Tags', ['VIP; Unsubscribed'], 'a, b', 'Do not email, VIP', 'x ::: Hard bounce ::: spam'),
    ).toEqual(['', 'unsubscribed', 'bounced']);
  });
});

it('a file without a header is read where every cell speaks of mail', () => {
  const rows = [
    ['a@b.co.uk', 'Subscribed'],
    ['c@b.co.uk', 'Unsubscribed'],
    ['d@b.co.uk', ''],
  ];
  const { columns } = recogniseOptOuts(null, rows);
  expect(rows.map((row) => createOptOutReader(columns, now)(row)?.reason ?? '')).toEqual([
    '',
    'unsubscribed',
    '',
  ]);
  expect(
    recogniseOptOuts(null, [
      ['a@b.co.uk', 'Subscribed'],
      ['c@b.co.uk', 'Leeds'],
    ]).columns,
  ).toEqual([]);
  expect(
    recogniseOptOuts(null, [
      ['a@b.co.uk', 'yes'],
      ['c@b.co.uk', 'no'],
    ]).columns,
  ).toEqual([]);
});

it('a file without a header is read where the words beside one about mail are known', () => {
  const heard = (sample: string[], ...below: string[]) => {
    const { columns, watched } = recogniseOptOuts(
      null,
      sample.map((text) => ['a@b.co.uk', text]),
    );
    const reader = createOptOutReader([...columns, ...watched], now);
    return [...sample, ...below].map((text) => reader(['a@b.co.uk', text])?.reason ?? '');
  };
  const own = ['active', 'suppressed', 'invalid', 'duplicate'];
  expect(heard(own)).toEqual(['', 'imported', '', '']);
  expect(heard(['Active', 'Unsubscribed'])).toEqual(['', 'unsubscribed']);
  // What stands far down the file.
  expect(heard(['active', 'active'], 'suppressed', 'Leeds')).toEqual(['', '', 'imported', '']);
  // A status of something else.
  expect(heard(['active', 'archived', 'deleted'])).toEqual(['', '', '']);
  expect(heard(['active', 'lead', 'unsubscribed'])).toEqual(['', '', '']);
});

describe('a column of ticks', () => {
  const recognised = (heading: string, ...cells: string[]) =>
    recogniseOptOuts(
      ['Email', heading],
      cells.map((cell) => ['a@b.co.uk', cell]),
    );

  it.each([
    ['Email opt in', 'Yes'],
    ['Newsletter', 'TRUE'],
    ['Consent to email', 'Checked'],
    ['Opt in', 'x'],
  ])('under “%s” asks what a blank means beside “%s”', (heading, tick) => {
    const { columns, unclear, watched } = recognised(heading, tick, '', tick, ' ', tick);
    expect(columns).toEqual([]);
    expect(unclear).toEqual([
      {
        index: 1,
        values: [
          { value: '', rows: 2 },
          { value: tick, rows: 3 },
        ],
      },
    ]);
    // A no further down counts all the same.
    expect(createOptOutReader(watched, now)(['a@b.co.uk', 'No'])?.reason).toBe('imported');
  });

  it('asks nothing where no row is blank, or another word says no', () => {
    for (const cells of [
      ['Yes', 'Yes'],
      ['Yes', 'No', ''],
      ['Yes', 'None', ''],
      ['', ''],
    ])
      expect(recognised('Email opt in', ...cells).unclear).toEqual([]);
    // A line without anything in it is no row.
    expect(recogniseOptOuts(['Email', 'Opt in'], [['a@b.uk', 'Yes'], ['', ''], ['']]).unclear).toEqual([]);
  });

  it('leaves out the blank ones where somebody says so', () => {
    const reader = createOptOutReader([chosenRule(1, [''])], now);
    const said = ['', ' ', '-', 'n/a', 'Yes', 'No'].map((cell) => reader(['a@b.uk', cell])?.reason ?? '');
    expect(said).toEqual(['imported', 'imported', 'imported', 'imported', '', 'imported']);
    expect(reader(['a@b.uk'])?.reason).toBe('imported');
  });
});

describe('a column that a person has explained', () => {
  const reader = createOptOutReader(
    [
      column({ values: { red: 'unsubscribed', 'n a': 'bounced' }, mail: ['green'] }),
      column({ index: 1, mail: ['keep'], rest: 'imported', dateColumn: 2 }),
    ],
    now,
  );

  it.each([
    [['Red', '', ''], 'unsubscribed'],
    [['GREEN', '', ''], undefined],
    [['yes', '', ''], undefined],
    [['N/A', '', ''], 'bounced'],
    [['', 'keep', ''], undefined],
    [['', 'drop', ''], 'imported'],
    [['', '-', ''], undefined],
    [['red', 'drop', ''], 'unsubscribed'],
  ])('%j is %s', (cells, reason) => {
    expect(reader(cells)?.reason).toBe(reason);
  });

  it('has its date beside it', () => {
    expect(reader(['', 'drop', '4 May 2022'])).toEqual({
      ...{ reason: 'imported', date: '2022-05-04', column: 1, isBare: false },
    });
    expect(optOutIndexes([column({}), column({ index: 1, dateColumn: 2 }), column({ index: 2 })])).toEqual([
      0, 1, 2,
    ]);
  });
});

it.each([
  ['NEVER_SUBSCRIBED', 'never subscribed'],
  ['NeverSubscribed', 'never subscribed'],
  [' never-subscribed. ', 'never subscribed'],
  ['Don’t email', 'dont email'],
  ['ＹＥＳ', 'yes'],
  ['yES', 'yes'],
  ['✔️', '✔'],
  ['N/A', 'n a'],
  ['--', ''],
  ['""', ''],
  ['Café', 'café'],
])('the key of %j is %j', (text, key) => {
  expect(valueKey(text)).toBe(key);
});

it.each([
  ...[
    '',
    ' ',
    '-',
    '--',
    'n/a',
    'N/A',
    'NA',
    'none',
    'NULL',
    'nil',
    'NaN',
    '#N/A',
    '\\N',
    '""',
    '[]',
    '{}',
    '?',
    '.',
  ],
  ...[
    '0000-00-00',
    '0000-00-00 00:00:00',
    '00/00/0000',
    '1970-01-01',
    '1970-01-01T00:00:00Z',
    '1970-01-01 00:00:00',
  ],
  ...[
    '1900-01-01',
    '01/01/1900 00:00',
    '30/12/1899',
    '0001-01-01T00:00:00',
    '1/1/0001 12:00:00 AM',
    '9999-12-31',
  ],
])('%j stands for nothing', (text) => {
  const reader = createOptOutReader([column({ rest: 'bounced', vocabulary: 'out' })], now);
  expect(reader([text])).toBeNull();
});

describe('whatever stands in a file', () => {
  const headings = fc.constantFrom(
    ...[
      'Unsubscribed',
      'UNSUB_TIME',
      'Opt in',
      'Status',
      'Email status',
      'Tags',
      'Bounce reason',
      'Newsletter',
    ],
    ...[
      'Email Marketing Consent',
      'Email Marketing Consent Timestamp',
      'Do not mail',
      'Hard bounces',
      'Town',
      '',
    ],
  );
  const words = fc.constantFrom(
    ...[
      'yes',
      'No',
      'TRUE',
      '0',
      '✓',
      'x',
      'Subscribed',
      'UNSUBSCRIBED',
      'HardBounced',
      'Spam',
      'Paid',
      'cancelled',
    ],
    ...[
      '2024-03-03',
      '03/04/2024 10:00',
      'Mar 3, 2024',
      '45354',
      'none',
      '-',
      '',
      'Red',
      'VIP; Unsubscribed',
      'Given',
    ],
  );
  const cell = fc.oneof(
    { weight: 6, arbitrary: words },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  );
  const file = fc
    .array(
      fc.oneof({ weight: 5, arbitrary: headings }, { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) }),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    .chain((header) =>
      fc.tuple(
        fc.constantFrom(header, null),
        fc.array(fc.array(cell, { maxLength: header.length + 1 }), { maxLength: 12 }),
      ),
    );

  it('no column is read in both senses, and each text as it is listed', () => {
    fc.assert(
      fc.property(file, ([header, rows]) => {
        const { columns, unclear } = recogniseOptOuts(header, rows);
        const indexes = [...columns, ...unclear].map(({ index }) => index);
        expect(new Set(indexes).size).toBe(indexes.length);
        for (const one of columns) {
          const reader = createOptOutReader([{ ...one, index: 0, dateColumn: null }], now);
          for (const [text, reason] of Object.entries(one.values))
            expect(reader([text])?.reason).toBe(reason);
          for (const text of one.mail) expect([text, reader([text])]).toEqual([text, null]);
          expect(one.mail.filter((text) => text in one.values)).toEqual([]);
          for (const [yes, no] of [
            ['yes', 'no'],
            ['TRUE', 'FALSE'],
            ['1', '0'],
            ['✓', '✗'],
          ] as const)
            expect([yes, no].filter((text) => reader([text]) !== null).length).toBeLessThan(2);
          for (const [mailed, not] of [
            ['subscribed', 'unsubscribed'],
            ['opted in', 'opted out'],
          ] as const)
            expect([reader([mailed]), reader([not])?.reason]).toEqual([null, 'unsubscribed']);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('reading never fails and gives a reason, a day that has come and a column', () => {
    const columns = fc.array(
      fc.record({
        index: fc.nat(4),
        values: fc.dictionary(fc.string().map(valueKey), fc.constantFrom(...optOutReasons)),
        mail: fc.array(fc.string().map(valueKey)),
        vocabulary: fc.constantFrom(null, ...vocabularyNames),
        rest: fc.constantFrom(null, ...optOutReasons),
        dates: fc.constantFrom(null, 'day-first' as const, 'month-first' as const),
        dateColumn: fc.option(fc.nat(4)),
      }),
    );
    fc.assert(
      fc.property(columns, fc.array(fc.array(cell, { maxLength: 5 })), (given, rows) => {
        const reader = createOptOutReader(given, now);
        for (const row of rows) {
          const found = reader(row);
          if (found === null) continue;
          expect(optOutReasons).toContain(found.reason);
          expect(given.map(({ index }) => index)).toContain(found.column);
          if (found.date !== null) {
            expect(found.date).toMatch(/^\d{4}-\d\d-\d\d$/);
            expect(found.date <= today).toBe(true);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('reading the same cells again says the same', () => {
    fc.assert(
      fc.property(file, ([header, rows]) => {
        const { columns } = recogniseOptOuts(header, rows);
        const reader = createOptOutReader(columns, now);
        const said = () => rows.map((row) => ({ ...reader(row) }));
        const fresh = rows.map((row) => ({ ...createOptOutReader(columns, now)(row) }));
        expect(said()).toEqual(fresh);
        expect(said()).toEqual(fresh);
      }),
      { numRuns: 500 },
    );
  });
});

it('blank cells are placeholders', () => {
  expect(isPlaceholder('')).toBe(true);
});

it('tells an address that is only called suppressed from one with something said of it', () => {
  const header = ['email', 'status', 'Deceased'];
  const cells = [
    ['suppressed', ''],
    ['Suppressed ', 'no'],
    ['suppressed', 'yes'],
    ['active', 'yes'],
    ['unsubscribed', ''],
    ['active', ''],
  ];
  const rows = cells.map((own, at) => [`a${at}@acme.co.uk`, ...own]);
  const read = createOptOutReader(recogniseOptOuts(header, rows).columns, now);
  expect(rows.map((row) => read(row)?.isBare)).toEqual([true, true, false, false, false, undefined]);
});
