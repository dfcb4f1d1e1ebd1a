import { expect, it } from 'vitest';
import { noteOptOut, type OptOutTally, unclearAfter } from './opt-out-tally.ts';
import { chosenRule, createOptOutReader, type OptOutColumn, recogniseOptOuts } from './opt-outs.ts';

const now = Date.parse('2026-11-22T12:00:00Z');

/** What is asked about the column `Newsletter` of a file, with these cells in its first rows. */
function asked(first: readonly string[], later: readonly string[], chosen?: OptOutColumn) {
  const rows = (cells: readonly string[]) => cells.map((cell) => ['a@b.co.uk', cell]);
  const { columns, watched, unclear } = recogniseOptOuts(['Email', 'Newsletter'], rows(first));
  const rules = chosen ? [chosen] : [...columns, ...watched];
  const read = createOptOutReader(rules, now);
  const optOuts = new Map<number, OptOutTally>();
  for (const fields of rows([...first, ...later]))
    noteOptOut({ optOuts }, rules, { fields, optOut: read(fields) });
  return unclearAfter(chosen ? [] : unclear, rules, optOuts);
}

const question = (blank: number, yes: number) => [
  {
    index: 1,
    values: [
      { value: '', rows: blank },
      { value: 'Yes', rows: yes },
    ],
  },
];

it('a blank cell below ticks is asked about, wherever it stands', () => {
  expect(asked(['Yes', 'Yes'], ['', ' ', 'n/a'])).toEqual(question(2, 2));
  expect(asked(['', ''], ['Yes'])).toEqual(question(2, 1));
  // The first rows told already.
  expect(asked(['Yes', ''], ['Yes', ''])).toEqual(question(1, 1));
});

it.each<[string, string[], string[]]>([
  ['a row says no', ['Yes', 'No'], ['']],
  ['a later row says no', ['Yes'], ['', 'No']],
  ['“None” says what the others are', ['Yes'], ['', 'None']],
  ['no row is blank', ['Yes'], ['Yes', 'n/a']],
  ['no row has a tick', ['', ''], ['']],
  ['later texts are no ticks', ['', ''], ['weekly digest']],
])('nothing is asked where %s', (_, first, later) => {
  expect(asked(first, later)).toEqual([]);
});

it('nothing is asked that somebody has answered', () => {
  const rule = { ...chosenRule(1, ['']), values: {} };
  expect(asked([], ['Yes', ''], rule)).toEqual(question(1, 1));
  expect(asked([], ['Yes', ''], { ...rule, mail: ['yes', ''] })).toEqual([]);
  expect(asked([], ['Yes', ''], chosenRule(1, ['']))).toEqual([]);
  expect(asked([], ['Yes', ''], { ...rule, values: { no: 'imported' } })).toEqual([]);
});
