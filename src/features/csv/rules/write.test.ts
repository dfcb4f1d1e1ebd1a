import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { createCsvReader } from './reader.ts';
import { csvCell, csvLine, neutralise, unneutralise } from './write.ts';

const text = fc.string({
  unit: fc.constantFrom(
    "'",
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '"',
    ',',
    ';',
    ' ',
    'a',
    '1',
    'é',
    '😀',
    '＝',
  ),
  maxLength: 10,
});

describe('neutralising', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+44 20 7946 0000', '+44 20 7946 0000'],
    ['+44 (0)20 7946.0000', '+44 (0)20 7946.0000'],
    ['-0.1276', '-0.1276'],
    ['-5', '-5'],
    ["'-5", "''-5"],
    ["'+44 20", "''+44 20"],
    ['-5+1', "'-5+1"],
    ['-5.', "'-5."],
    ['+44-20', "'+44-20"],
    ['+44\n=x', "'+44\n=x"],
    ['-5\n', "'-5\n"],
    ['+A1', "'+A1"],
    ['+(1)', "'+(1)"],
    ['-', "'-"],
    ['-x@y.uk', "'-x@y.uk"],
    ['@import', "'@import"],
    ["'=1+1", "''=1+1"],
    ["O'Brien", "O'Brien"],
    ["'quoted'", "'quoted'"],
    ['', ''],
  ])('writes %j as %j', (given, written) => {
    expect(neutralise(given)).toBe(written);
    expect(unneutralise(written)).toBe(given);
  });

  it('is undone exactly, and leaves nothing that a spreadsheet runs', () => {
    fc.assert(
      fc.property(text, (given) => {
        const written = neutralise(given);
        expect(written).not.toMatch(/^[=@\t\r\n]|^[-+](?![0-9][0-9 ().]*$)/);
        expect(unneutralise(written)).toBe(given);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('writing', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['a;b', '"a;b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    [' padded', '" padded"'],
    ['\t=1', '"\'\t=1"'],
    [-5, '-5'],
    [null, ''],
    [undefined, ''],
    [true, 'true'],
    [new Date(Date.UTC(2026, 1, 3)), '2026-02-03T00:00:00.000Z'],
  ])('a cell: %j becomes %j', (value, written) => {
    expect(csvCell(value)).toBe(written);
  });

  it('a line ends with CRLF and is never empty', () => {
    expect(csvLine(['a', 'b'], { delimiter: ';' })).toBe('a;b\r\n');
    expect(csvLine([''])).toBe('""\r\n');
  });

  it('comes back unchanged through the reader, and through papaparse', () => {
    const table = fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(table, fc.constantFrom(',' as const, ';' as const, '\t' as const), (rows, delimiter) => {
        const written = rows.map((row) => csvLine(row, { delimiter })).join('');
        const back: string[][] = [];
        const problems: string[] = [];
        const reader = createCsvReader({
          dialect: { encoding: 'utf-8', sepLine: false, delimiter, quote: '"', header: false },
          onRow: (fields) => back.push(fields.map(unneutralise)),
          onProblem: (_, code) => problems.push(code),
        });
        reader.push(Buffer.from(written));
        reader.end();
        expect(back).toEqual(rows);
        expect(problems.filter((code) => !code.endsWith('_fields'))).toEqual([]);

        const oracle = Papa.parse<string[]>(written, { delimiter, newline: '\r\n' }).data.slice(0, -1);
        expect(oracle.map((row) => row.map(unneutralise))).toEqual(rows);
      }),
      { numRuns: 500 },
    );
  });
});
