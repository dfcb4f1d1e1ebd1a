import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { detectDialect } from './detect.ts';
import type { CsvProblem, Dialect } from './dialect.ts';
import { type CsvReaderOptions, createCsvReader } from './reader.ts';

interface Read {
  header: string[] | null;
  rows: string[][];
  lines: number[];
  raws: string[];
  problems: [line: number, code: CsvProblem][];
  emptyLines: number;
}

const plain: Dialect = {
  encoding: 'utf-8',
  bom: false,
  sepLine: false,
  titleLines: 0,
  delimiter: ',',
  quote: '"',
  lineEnd: 'LF',
  header: false,
};

type Extra = Partial<Omit<CsvReaderOptions, 'dialect' | 'onRow' | 'onHeader' | 'onProblem'>>;

/** Reads everything. `cuts` are the sizes of the pieces it arrives in, used in turn. */
function read(
  input: string | Uint8Array,
  dialect: Partial<Dialect> = {},
  extra: Extra = {},
  cuts: number[] = [],
): Read {
  const result: Read = { header: null, rows: [], lines: [], raws: [], problems: [], emptyLines: 0 };
  const reader = createCsvReader({
    ...extra,
    dialect: { ...plain, ...dialect },
    onHeader: (names) => {
      result.header = names;
    },
    onRow: (fields, line, rowNumber) => {
      result.rows.push([...fields]);
      result.lines.push(line);
      result.raws.push(reader.rawText());
      expect(rowNumber).toBe(result.rows.length);
    },
    onProblem: (line, code) => result.problems.push([line, code]),
  });
  const bytes = typeof input === 'string' ? Buffer.from(input) : input;
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const size = cuts.length === 0 ? bytes.length : (cuts[i % cuts.length] as number);
    reader.push(bytes.subarray(at, at + size));
    at += size;
  }
  reader.end();
  result.emptyLines = reader.emptyLines();
  return result;
}

/** The same text cut at every place, three ways. */
function readEveryWay(input: string | Uint8Array, dialect: Partial<Dialect> = {}, extra: Extra = {}): Read {
  const atOnce = read(input, dialect, extra);
  for (const blockBytes of [1, 2, 3, 7]) {
    expect(read(input, dialect, { ...extra, limits: { ...extra.limits, blockBytes } }, [5, 1])).toEqual(
      atOnce,
    );
  }
  return atOnce;
}

const corpus = resolve(import.meta.dirname, '../../../../../shared/corpora/csv-spectrum');
const corpusFiles = existsSync(corpus) ? readdirSync(join(corpus, 'csvs')) : [];

describe.skipIf(corpusFiles.length === 0)(
  'the csv-spectrum corpus (skipped where its folder is absent)',
  () => {
    it.each(corpusFiles)('reads %s as its answer says', (file) => {
      const bytes = readFileSync(join(corpus, 'csvs', file));
      const answer = [
        JSON.parse(readFileSync(join(corpus, 'json', file.replace('.csv', '.json')), 'utf8')),
      ].flat();
      const detection = detectDialect(bytes, true);
      if (!detection.ok) throw new Error(detection.message);
      const { header, rows, problems } = readEveryWay(bytes, { ...detection.dialect, header: true });
      const records = rows.map((row) => Object.fromEntries(row.map((cell, i) => [header?.[i], cell])));
      if (file === 'location_coordinates.csv') {
        // The expected answer has another telephone number than the file.
        expect(records[0]?.['Contact Phone Number']).toBe('2095257564');
        for (const record of [...records, ...answer]) delete record['Contact Phone Number'];
      }
      expect(records).toEqual(answer);
      const lost = bytes.includes('\ufffd') ? [[2, 'bad_encoding']] : [];
      expect(problems).toEqual(lost);
    });
  },
);

describe('well-formed files', () => {
  const cell = fc.string({
    unit: fc.constantFrom(
      'a',
      'b',
      'é',
      '€',
      '😀',
      '@',
      '"',
      "'",
      ',',
      ';',
      '\t',
      '|',
      '\n',
      '\r\n',
      '\r',
      ' ',
      '.',
    ),
    maxLength: 8,
  });
  const file = fc.record({
    table: fc
      .integer({ min: 2, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
      ),
    delimiter: fc.constantFrom(',' as const, ';' as const, '\t' as const, '|' as const),
    newline: fc.constantFrom('\n' as const, '\r\n' as const, '\r' as const),
    encoding: fc.constantFrom('utf-8' as const, 'utf-16le' as const, 'utf-16be' as const),
    quoteAll: fc.boolean(),
    lastLineEnd: fc.boolean(),
  });

  function write(table: string[][], delimiter: string, newline: string, quoteAll: boolean): string {
    const lines = table.map((row) =>
      row
        .map((text) =>
          quoteAll || /["\r\n]/.test(text) || text.includes(delimiter)
            ? `"${text.replaceAll('"', '""')}"`
            : text,
        )
        .join(delimiter),
    );
    return lines.join(newline);
  }

  function encode(text: string, encoding: Dialect['encoding']): Uint8Array {
    if (encoding === 'utf-8') return Buffer.from(text);
    const bytes = Buffer.from(text, 'utf16le');
    return encoding === 'utf-16le' ? bytes : bytes.swap16();
  }

  it('come out as papaparse reads them, however they are cut', () => {
    fc.assert(
      fc.property(
        file,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 40 }),
        ({ table, delimiter, newline, encoding, quoteAll, lastLineEnd }, cuts, blockBytes) => {
          const text = write(table, delimiter, newline, quoteAll) + (lastLineEnd ? newline : '');
          const oracle = Papa.parse<string[]>(text, { delimiter, newline, skipEmptyLines: true });
          const result = read(
            encode(text, encoding),
            { delimiter, encoding },
            { limits: { blockBytes } },
            cuts,
          );
          expect(result.rows).toEqual(oracle.data);
          expect(result.rows).toEqual(table);
          expect(result.problems).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe('any bytes at all', () => {
  it('never throw, never depend on how they arrive, and never give text a database refuses', () => {
    const units = ['"', '"', ',', '\n', '\r', 'a', ' ', '\0', '\u00e9', '\ud83d\ude00', '\xff', 'a@b.uk'];
    const bytes = fc
      .array(fc.constantFrom(...units), { maxLength: 60 })
      .map((parts) =>
        Buffer.concat(parts.map((part) => Buffer.from(part, part === '\xff' ? 'latin1' : 'utf8'))),
      );
    fc.assert(
      fc.property(
        bytes,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const)),
        (input, cuts, encoding) => {
          const limits = { blockBytes: 11, maxRecordBytes: 20, maxColumns: 3 };
          const result = read(input, { encoding }, { limits }, cuts);
          expect(read(input, { encoding }, { limits })).toEqual(result);
          for (const text of [...result.rows.flat(), ...result.raws]) {
            expect(text.isWellFormed()).toBe(true);
            expect(text).not.toContain('\0');
          }
          expect(result.lines).toEqual([...result.lines].sort((a, b) => a - b));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('give the same rows in one block as in many when no record is near its limit', () => {
    const text = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', ' ', 'é'), maxLength: 40 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 12 }), (input, blockBytes) => {
        expect(read(input, {}, { limits: { blockBytes } })).toEqual(read(input));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('lines', () => {
  it('end at LF, CRLF or CR, mixed in one file', () => {
    const { rows, lines } = readEveryWay('a,1\r\nb,2\nc,3\rd,4\r\n\r\ne,5\n\rf,6\r');
    expect(rows.map((row) => row[0])).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(lines).toEqual([1, 2, 3, 4, 6, 8]);
  });

  it('tells how many lines held nothing at all, wherever they stand', () => {
    for (const cuts of [[], [1], [3]]) {
      expect(read('\n\na,b\n\r\nc,d\n \n\n\n', {}, {}, cuts).emptyLines).toBe(5);
      expect(read('a,b\nc,d\n', {}, {}, cuts).emptyLines).toBe(0);
    }
  });

  it('are counted through empty lines and quoted newlines', () => {
    const { rows, lines, raws } = readEveryWay('a,"1\r\n2\n3"\n\n\nb,"x\ry"\nc,4\n');
    expect(rows).toEqual([
      ['a', '1\r\n2\n3'],
      ['b', 'x\ry'],
      ['c', '4'],
    ]);
    expect(lines).toEqual([1, 6, 8]);
    expect(raws).toEqual(['a,"1\r\n2\n3"', 'b,"x\ry"', 'c,4']);
  });

  it('that are empty are no rows; a quoted nothing and a blank are', () => {
    expect(readEveryWay('\n\r\n""\n \n\n').rows).toEqual([[''], [' ']]);
  });

  it('of a header and of sep= are not rows', () => {
    const { header, rows, lines } = readEveryWay('\ufeffsep=;\r\nemail;name\r\na@b.uk;A\r\n', {
      sepLine: true,
      delimiter: ';',
      header: true,
    });
    expect(header).toEqual(['email', 'name']);
    expect(rows).toEqual([['a@b.uk', 'A']]);
    expect(lines).toEqual([3]);
  });

  it('lose a byte order mark in every encoding', () => {
    const text = '\ufeffa@b.uk,é\n';
    expect(readEveryWay(text).rows).toEqual([['a@b.uk', 'é']]);
    const utf16 = Buffer.from(text, 'utf16le');
    expect(readEveryWay(utf16, { encoding: 'utf-16le' }).rows).toEqual([['a@b.uk', 'é']]);
    expect(readEveryWay(Buffer.from(utf16).swap16(), { encoding: 'utf-16be' }).rows).toEqual([
      ['a@b.uk', 'é'],
    ]);
  });
});

describe('an unclosed quote', () => {
  const row = (i: number) => `user${i}@example.co.uk,"Name ${i}","note, ${i}"`;

  it.each([
    ['among quoted fields', (i: number) => row(i), 'user3@example.co.uk,"Name 3,plain'],
    ['as a first field', (i: number) => row(i), '"user3@example.co.uk,Name 3,plain'],
    [
      'among plain fields',
      (i: number) => `user${i}@example.co.uk,Name ${i},note`,
      'user3@example.co.uk,"Name 3,note',
    ],
  ])('costs no other row of a thousand: %s', (_, other, broken) => {
    const text = Array.from({ length: 1_000 }, (_, i) => (i + 1 === 3 ? broken : other(i + 1))).join('\n');
    const { rows, problems, raws } = read(text);
    expect(rows).toHaveLength(1_000);
    expect(rows[2]).toEqual(broken.split(','));
    expect(raws[2]).toBe(broken);
    expect(rows[3]?.[0]).toBe('user4@example.co.uk');
    expect(rows[999]?.[1]).toBe('Name 1000');
    expect(problems).toEqual([[3, 'unclosed_quote']]);
  });

  it('gives up after 64 KB even where a quote closes it much later', () => {
    const filler = 'x@example.co.uk,n\n'.repeat(5_000);
    const { rows, problems } = read(`a@b.uk,"open\n${filler}b@b.uk,close"\n`);
    expect(rows).toHaveLength(5_002);
    expect(rows[0]).toEqual(['a@b.uk', '"open']);
    expect(problems).toEqual([[1, 'unclosed_quote']]);
  });

  it('at the end of the file is text', () => {
    const { rows, problems } = readEveryWay('a,b\nc,"d\ne,f');
    expect(rows).toEqual([
      ['a', 'b'],
      ['c', '"d'],
      ['e', 'f'],
    ]);
    expect(problems).toEqual([[2, 'unclosed_quote']]);
  });

  it('is reported on its own line when the record began earlier', () => {
    const { rows, problems } = readEveryWay('"a\nb","c\nd,e\n');
    expect(rows).toEqual([
      ['a\nb', '"c'],
      ['d', 'e'],
    ]);
    expect(problems).toEqual([[2, 'unclosed_quote']]);
  });

  it('on every row takes no longer than the rows', () => {
    const text = 'user@example.co.uk,"Name,note\n'.repeat(50_000);
    expect(read(text).rows).toHaveLength(50_000);
  });
});

describe('quotes', () => {
  it.each([
    ['text behind the closing quote is kept', 'x,"a"b,c', ['x', 'ab', 'c']],
    ['quotes inside are kept', 'x,"John "Johnny" Smith",c', ['x', 'John "Johnny" Smith', 'c']],
    ['the next field may be quoted', 'x,"a"b,"c, d"', ['x', 'ab', 'c, d']],
  ])('malformed: %s', (_, text, fields) => {
    const { rows, problems } = readEveryWay(`${text}\ny,1,2\n`);
    expect(rows).toEqual([fields, ['y', '1', '2']]);
    expect(problems).toEqual([[1, 'malformed_quote']]);
  });

  it.each([
    ['in the middle of plain text mean nothing', 'x,5" pipe,it"s', ['x', '5" pipe', 'it"s']],
    ['may stand behind and before blanks', 'x, "a, b" ,"c"\t', ['x', 'a, b', 'c']],
    ['doubled are one', 'x,"a ""b"" c",""""', ['x', 'a "b" c', '"']],
    ['of the other kind are text', "x,'a,b'", ['x', "'a", "b'"]],
  ])('%s', (_, text, fields) => {
    const { rows, problems } = readEveryWay(text);
    expect(rows).toEqual([fields]);
    expect(problems).toEqual([]);
  });

  it('may be single, or mean nothing at all', () => {
    expect(readEveryWay(`'a,b','it''s'`, { quote: "'" }).rows).toEqual([['a,b', "it's"]]);
    expect(readEveryWay('"a,b"', { quote: '' }).rows).toEqual([['"a', 'b"']]);
  });
});

describe('the number of fields', () => {
  it('is compared with the columns, or with the first record, and the row is delivered', () => {
    const { rows, problems } = readEveryWay('email,name\na\nb,1,2\nc,3\n   \n', { header: true });
    expect(rows).toEqual([['a'], ['b', '1', '2'], ['c', '3'], ['   ']]);
    expect(problems).toEqual([
      [2, 'too_few_fields'],
      [3, 'too_many_fields'],
    ]);
    expect(readEveryWay('a,1\n', {}, { columnCount: 3 }).problems).toEqual([[1, 'too_few_fields']]);
  });

  it('delivered is capped, the number counted is not', () => {
    const { rows, problems } = read(`a,b\n${'x,'.repeat(300_000)}\n`);
    expect(rows[1]).toHaveLength(1_024);
    expect(problems).toEqual([[2, 'too_many_fields']]);
  });

  it('keeps positions when only some columns are wanted', () => {
    const { rows } = readEveryWay('a,b,c\n"d","e",f\n', {}, { wantedColumns: [0, 2] });
    expect(rows).toEqual([
      ['a', '', 'c'],
      ['d', '', 'f'],
    ]);
  });
});

describe('size', () => {
  it('over the limit empties the record, keeps a start of its text and costs no other row', () => {
    const limits = { maxRecordBytes: 30 };
    const long = `b,${'x'.repeat(40)}`;
    const { rows, lines, raws, problems } = readEveryWay(`a,1\n${long}\r\nc,2\n`, {}, { limits });
    expect(rows).toEqual([['a', '1'], [''], ['c', '2']]);
    expect(lines).toEqual([1, 2, 3]);
    expect(raws[1]).toBe(long.slice(0, 30));
    expect(problems).toEqual([[2, 'record_too_long']]);
  });

  it('of exactly the limit is fine', () => {
    const exact = `b,${'x'.repeat(28)}`;
    expect(readEveryWay(`${exact}\r\nc,2\r\n`, {}, { limits: { maxRecordBytes: 30 } }).problems).toEqual([]);
  });

  it('of a quoted record over the limit counts its lines', () => {
    const { rows, lines, problems } = readEveryWay(
      `a,"${'12345678\r\n'.repeat(3)}"\r\nb,1\r\n`,
      {},
      { limits: { maxRecordBytes: 23 } },
    );
    expect(problems[0]).toEqual([1, 'record_too_long']);
    expect(rows.at(-1)).toEqual(['b', '1']);
    expect(lines.at(-1)).toBe(5);
  });

  it.each([
    ['one field', 'x'],
    ['a million columns', ','],
    ['one quoted field', '"'],
    ['NULs', '\0'],
  ])('of 200 MB of %s takes no memory', (_, unit) => {
    let rows = 0;
    const reader = createCsvReader({ dialect: plain, onRow: () => rows++ });
    const block = Buffer.alloc(65_536, unit);
    const before = process.memoryUsage().heapUsed;
    let peak = 0;
    reader.push(Buffer.from('a,1\nb,'));
    for (let i = 0; i < 3_200; i++) {
      reader.push(block);
      if (i % 50 === 0) peak = Math.max(peak, process.memoryUsage().heapUsed);
    }
    reader.push(Buffer.from('\nc,3\n'));
    reader.end();
    expect(rows).toBe(3);
    expect(peak - before).toBeLessThan(80_000_000);
  });
});

describe('bytes that are not text', () => {
  it('NULs are reported, and join nothing that was apart', () => {
    const { rows, raws, problems } = readEveryWay('a\0@b.uk,"x\0y"\n\0\0c,d\0\n');
    expect(rows).toEqual([
      ['a\ufffd@b.uk', 'x\ufffdy'],
      ['c', 'd'],
    ]);
    expect(raws[0]).toBe('a\ufffd@b.uk,"x\ufffdy"');
    expect(problems).toEqual([
      [1, 'nul_byte'],
      [2, 'nul_byte'],
    ]);
  });

  it('single-byte accents in a file taken for UTF-8 are still read', () => {
    const bytes = Buffer.concat([Buffer.from('a,Siân 😀\n'), Buffer.from('b,Zo\u00eb \u0080\n', 'latin1')]);
    const { rows, problems } = readEveryWay(bytes);
    expect(rows).toEqual([
      ['a', 'Siân 😀'],
      ['b', 'Zoë €'],
    ]);
    expect(problems).toEqual([]);
  });

  it('half a UTF-16 pair becomes a replacement character and is reported', () => {
    const bytes = Buffer.from('a,x\nb,\ud83d\nc,y\n', 'utf16le');
    const { rows, problems } = readEveryWay(bytes, { encoding: 'utf-16le' });
    expect(rows[1]).toEqual(['b', '\ufffd']);
    expect(problems).toEqual([[2, 'bad_encoding']]);
  });
});
