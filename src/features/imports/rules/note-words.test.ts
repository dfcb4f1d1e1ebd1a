import { describe, expect, it } from 'vitest';
import { noteWords, slipsFound, slipsMended } from './note-words.ts';
import { noNotes } from './notes.ts';

const slip = { from: 'gmial.com', to: 'gmail.com', rows: 2, mended: false };

describe('what is said about how a file was read', () => {
  it('is nothing where nothing stands out', () => {
    expect(noteWords(noNotes)).toEqual({ warnings: [], remarks: [] });
  });

  it('names columns that were not kept', () => {
    const names = ['Town', 'Phone', 'Age', 'Size', 'Colour'];
    const choice = 'Choose where a column goes, or allow it in the settings, to keep it.';
    expect(noteWords({ ...noNotes, notKept: names.slice(0, 1) }).remarks).toEqual([
      `Not kept: “Town”. ${choice}`,
    ]);
    expect(noteWords({ ...noNotes, notKept: [...names, 'Shoe', 'Hat'] }).remarks).toEqual([
      `Not kept: “Town”, “Phone”, “Age”, “Size”, “Colour” and 2 others. ${choice}`,
    ]);
  });

  it('warns of what may have gone wrong', () => {
    const { warnings, remarks } = noteWords({
      ...noNotes,
      emailColumns: ['Email'],
      otherAddresses: [{ name: 'Work', addresses: 3 }],
      unclear: [
        { index: 2, name: 'Left', values: [{ value: 'P', rows: 1 }] },
        {
          index: 3,
          name: 'Newsletter',
          values: [
            { value: '', rows: 2 },
            { value: 'Yes', rows: 1 },
          ],
        },
      ],
      unusedDoNotMail: ['Status'],
      slips: [slip],
      slipTotal: { patterns: 1, rows: 2, mended: 0 },
      problems: { total: 1, byKind: { too_few_fields: 1 }, first: [{ line: 4, kind: 'too_few_fields' }] },
    });
    expect(warnings).toEqual([
      '“Work” holds addresses too, in 3 rows of those looked at. They were read from “Email” alone.',
      '“Left” may say who must not be mailed. It holds “P”, which nobody has explained, so nobody was left out for it.',
      '“Newsletter” holds “Yes”, and nothing in 2 rows of those looked at. Nobody has said what a blank means, so nobody was left out for it.',
      '“Status” says who must not be mailed, and was left out of account.',
      '2 rows have a probable slip in the domain: gmial.com for gmail.com 2. None was mended.',
      '1 line does not fit the header: 1 has too few fields (line 4).',
    ]);
    expect(remarks).toEqual([]);
  });

  it('only remarks on what was done as it should be', () => {
    const { warnings, remarks } = noteWords({
      ...noNotes,
      severalAddresses: { lines: 1, addresses: 2 },
      titles: ['Members'],
      slips: [{ ...slip, mended: true }],
      slipTotal: { patterns: 1, rows: 2, mended: 2 },
    });
    expect(warnings).toEqual([]);
    expect(remarks).toHaveLength(3);
    expect(remarks[2]).toMatch(/They were mended\.$/);
  });
});

it('counts the slips that are not named, so that the figures add up', () => {
  const slips = ['gmial.com', 'gmal.com', 'gmil.com', 'gamil.com'].map((from) => ({
    ...slip,
    from,
    rows: 1,
  }));
  const words = slipsFound({ slips, slipTotal: { patterns: 6, rows: 6, mended: 0 } });
  expect(words).toMatch(/^6 rows have .* gamil\.com for gmail\.com 1 and 2 others\.$/);
  const one = slipsFound({ slips: [slip], slipTotal: { patterns: 1, rows: 1, mended: 0 } });
  expect(one).toMatch(/^1 row has .* 2\.$/);
});

it.each([
  [6, 0, 'None was mended.'],
  [6, 1, '1 was mended.'],
  [6, 3, '3 were mended.'],
  [6, 6, 'They were mended.'],
  [1, 1, 'It was mended.'],
])('says of %s slips, %s of them mended: %s', (rows, mended, words) => {
  expect(slipsMended({ patterns: rows, rows, mended })).toBe(words);
});
