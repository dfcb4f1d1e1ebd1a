import { describe, expect, it } from 'vitest';
import { noteWords } from './note-words.ts';
import { noNotes } from './notes.ts';

const slip = { from: 'gmial.com', to: 'gmail.com', rows: 2, mended: false };

describe('what is said about how a file was read', () => {
  it('is nothing where nothing stands out', () => {
    expect(noteWords(noNotes)).toEqual({ warnings: [], remarks: [] });
  });

  it('warns of what may have gone wrong', () => {
    const { warnings, remarks } = noteWords({
      ...noNotes,
      emailColumns: ['Email'],
      otherAddresses: [{ name: 'Work', addresses: 3 }],
      unclear: [{ index: 2, name: 'Left', values: [{ value: 'P', rows: 1 }] }],
      unusedDoNotMail: ['Status'],
      slips: [slip],
      slipTotal: { patterns: 1, rows: 2, mended: 0 },
      problems: { total: 1, byKind: { too_few_fields: 1 }, first: [{ line: 4, kind: 'too_few_fields' }] },
    });
    expect(warnings).toEqual([
      '“Work” holds addresses too, in 3 rows of those looked at. They were read from “Email” alone.',
      '“Left” may say who must not be mailed. It holds “P”, which nobody has explained, so nobody was left out for it.',
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
