import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it, vi } from 'vitest';
import { nameColumns } from './columns.ts';
import { applyOverrides, type DetectedCsv, type DialectOverrides, detectDialect } from './detect.ts';
import { csvLine } from './write.ts';

function detect(head: string | Uint8Array, whole = true, overrides: DialectOverrides = {}): DetectedCsv {
  const detection = detectDialect(typeof head === 'string' ? Buffer.from(head) : head, whole, overrides);
  if (!detection.ok) throw new Error(detection.message);
  return detection;
}

describe('the delimiter', () => {
  it.each([
    ['comma', 'email,name\na@b.uk,A\n', ','],
    ['semicolon', 'email;name;paid\na@b.uk;A;1,50\nb@b.uk;B;2,50\n', ';'],
    ['semicolon, decimal commas in every cell but the first', 'email;a;b;c\na@b.uk;1,5;2,5;3,5\n', ';'],
    ['tab', 'email\tname\na@b.uk\tSmith, Jane\nb@b.uk\tJones, Tom\n', '\t'],
    ['pipe', 'a@b.uk|A\nb@b.uk|B\n', '|'],
    ['comma beside quoted semicolons', 'email,tags\na@b.uk,"x;y;z"\nb@b.uk,"x;y;z"\n', ','],
    ['none: one column', 'a@b.uk\nb@b.uk\n', ','],
    ['none: one column with a stray comma', 'email\na@b.uk\nb@b.uk,\nc@b.uk\n', ','],
    ['rows of uneven length', 'email;name;town\na@b.uk;A\nb@b.uk;B;Bath\nc@b.uk\n', ';'],
    ['header only', 'name;email', ';'],
    ...['Members\nMay, 2026', 'Members, May 2026, Leeds'].map((titles) => [
      `titles above a header, most rows of one field: ${titles}`,
      `${titles}\nEmail;Town\na@b.uk;Ely\nb@b.uk\nc@b.uk\nd@b.uk\n`,
      ';',
    ]),
  ])('%s', (_, text, delimiter) => {
    expect(detect(text).dialect.delimiter).toBe(delimiter);
  });

  it('is found below as many blank lines as there are', () => {
    const before = process.cpuUsage();
    for (const blank of ['\r\n', '\r', '\n'])
      expect(detect(`${blank.repeat(28)}email;name\na@b.uk;A\n`).dialect.delimiter).toBe(';');
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).toBeLessThan(1);
    expect(detect(`${'\r\n'.repeat(1_000)}sep=;\r\nemail;name\r\n`).dialect.sepLine).toBe(true);
  });

  it('comes from a sep= line, quoted or not, where there is one', () => {
    for (const line of ['sep=|', 'SEP=|', '"sep=|"']) {
      const { dialect, columns } = detect(`\ufeff${line}\r\nemail|a,b\r\nx@y.uk|1,2\r\n`);
      expect(dialect).toMatchObject({ sepLine: true, delimiter: '|', bom: true, header: true });
      expect(columns).toEqual(['email', 'a,b']);
    }
  });
});

describe('the encoding', () => {
  const text = 'email,name\nzoë@b.uk,Siân €\n';

  it('is told by a byte order mark', () => {
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
    expect(detect(`\ufeff${text}`).dialect).toMatchObject({ encoding: 'utf-8', bom: true });
    expect(detect(utf16).dialect).toMatchObject({ encoding: 'utf-16le', bom: true });
    expect(detect(Buffer.from(utf16).swap16()).dialect).toMatchObject({ encoding: 'utf-16be', bom: true });
    expect(detect(utf16).columns).toEqual(['email', 'name']);
  });

  it('is told by the bytes without one', () => {
    const utf16 = Buffer.from(text, 'utf16le');
    expect(detect(text).dialect).toMatchObject({ encoding: 'utf-8', bom: false });
    expect(detect(utf16).dialect).toMatchObject({ encoding: 'utf-16le', bom: false });
    expect(detect(Buffer.from(utf16).swap16()).dialect).toMatchObject({ encoding: 'utf-16be', bom: false });
    const windows = Buffer.from(text.replace('€', '\x80'), 'latin1');
    expect(detect(windows).dialect.encoding).toBe('windows-1252');
    expect(detect(windows).sample).toEqual([['zoë@b.uk', 'Siân €']]);
  });

  it('is UTF-8 wherever the head cuts a character', () => {
    const bytes = Buffer.from('a@b.uk,é€😀\n'.repeat(3));
    for (let end = 20; end < bytes.length; end++) {
      expect(detect(bytes.subarray(0, end), false).dialect.encoding).toBe('utf-8');
    }
  });

  it('is UTF-8 where a few of many accents are damaged', () => {
    const bytes = Buffer.concat([
      Buffer.from('a@b.uk,Siân\n'.repeat(20)),
      Buffer.from('b@b.uk,Zo\xeb\n', 'latin1'),
    ]);
    expect(detect(bytes).dialect.encoding).toBe('utf-8');
  });
});

describe('line ends and quotes', () => {
  it.each([
    ['a\nb\n', 'LF'],
    ['a\r\nb\r\n', 'CRLF'],
    ['a\rb\r', 'CR'],
    ['a\r\nb\n', 'mixed'],
    ['a\r\n"in two\nlines, ""really"" "\r\n', 'CRLF'],
    ['a', 'LF'],
  ])('%j ends its lines with %s', (text, lineEnd) => {
    expect(detect(text).dialect.lineEnd).toBe(lineEnd);
  });

  it('a CRLF cut by the end of the head is not mistaken for a CR', () => {
    expect(detect('a\r\nb\r', false).dialect.lineEnd).toBe('CRLF');
  });

  it.each([
    [`email,name\na@b.uk,"A"\n`, '"'],
    [`'email','name'\n'a@b.uk','A'\n`, "'"],
    [`email,name\na@b.uk,O'Brien\nb@b.uk,'t Hooft\n`, '"'],
    ['a@b.uk\n', '"'],
  ])('%j is quoted with %s', (text, quote) => {
    expect(detect(text).dialect.quote).toBe(quote);
  });
});

describe('the header', () => {
  it.each([
    ['an email header', 'email,name\nnot-an-address,X\n', true],
    ['unknown names above addresses', 'kontakt,wer\na@b.uk,X\n', true],
    ['an address in the first row', 'a@b.uk,X\nb@b.uk,Y\n', false],
    ['an address in the first row, beside the word email', 'a@b.uk,email\nb@b.uk,phone\n', false],
    ['no address anywhere', 'x,y\nz,w\n', false],
  ])('%s', (_, text, header) => {
    expect(detect(text).dialect.header).toBe(header);
  });

  it.each([
    'jo@acme.co.uk (home)',
    'jo@acme.co.uk.',
    'jo@acme.co.uk.,Jo',
    'jo＠acme.co.uk,Jo',
    '“jo@acme.co.uk.”,Jo',
    'jo@acme,Jo',
    'jo @acme.co.uk,Jo',
    'jo@ acme.co.uk,Jo',
    'jo @ acme.co.uk,Jo',
    'jo_@acme.co.uk;,Jo',
    'jo@acme.co.uk.,Mail',
    'jo@acme (home),Jo',
    'jo@acme.co.uk. (home); sam@acme.co.uk. (work),Jo',
    'Jo Lee <jo@acme.co.uk.>,Jo',
    'Jo jo@acme.co.uk.,Jo',
    'jo@acme.co.uk. work,Jo',
  ])('%s is a row, although its address needs repair', (line) => {
    for (const rest of ['', 'sam@acme.co.uk,Sam\n', 'sam@acme.co.uk.,Sam\n']) {
      const { dialect, rows } = detect(`${line}\n${rest}`);
      expect(dialect).toMatchObject({ header: false, titleLines: 0 });
      expect(rows).toHaveLength(rest === '' ? 1 : 2);
    }
  });

  it.each(['@twitter,Email', "'@twitter,Email", 'Twitter @handle,Email', 'X (@),Email', 'Twitter: @x,Email'])(
    '%s names columns',
    (line) => {
      expect(detect(`${line}\n@jo,jo@acme.co.uk\n`).dialect.header).toBe(true);
    },
  );

  it('is told as it was before it was made harmless for spreadsheets', () => {
    const names = ['@twitter', '=sum', '+44', "'-x", "'tis", '-5'];
    const { columns } = detect(`Email,${csvLine(names)}a@b.uk\r\n`);
    expect(columns).toEqual(['Email', ...names]);
  });

  it('stands below a title that speaks of a place or a day', () => {
    for (const title of ['Members @ Leeds', 'Members @ 1.5.2026', 'Follow us: @acme']) {
      const { dialect } = detect(`${title}\nEmail,Town\na@b.uk,Ely\n`);
      expect(dialect).toMatchObject({ header: true, titleLines: 1 });
    }
  });

  it.each([
    'Exported by admin@club.org.uk on 1 May',
    'From: admin@club.org.uk',
    'Members @ club.org.uk on 1 May',
    'Members of admin@club on 1 May',
  ])('stands below the title %s', (title) => {
    for (const named of ['Email,Unsubscribed', '"Email","May we write? Ask jo@club.org.uk."']) {
      const { dialect } = detect(`${title}\n${named}\nann@acme.co.uk,Yes\n`);
      expect(dialect).toMatchObject({ header: true, titleLines: 1 });
    }
  });

  it.each([
    'Timestamp,Email Address,"May we email you? Write to office@club.org.uk to leave"',
    'Timestamp,Your email,"May we email you? Write to office@club.org.uk to leave"',
    'Timestamp,Email Address,Ask office@club.org.uk',
    'Name,Email (name@company),Town',
    'Name,Email <name@company>,Town',
    'Name,Email (like jo@acme.co.uk),Town',
  ])('may speak of an address: %s', (line) => {
    const { dialect } = detect(`${line}\n1 May,ann@acme.co.uk,Yes\n`);
    expect(dialect).toMatchObject({ header: true, titleLines: 0 });
  });

  it('is told above rows that all need repair', () => {
    expect(detect('kontakt,wer\njo@acme.co.uk.,Jo\n').dialect.header).toBe(true);
  });

  it('gives the columns trimmed, unique names; without one they are numbered', () => {
    expect(detect(' Email , Name,Name,,Name\na@b.uk,1,2,3,4\n').columns).toEqual([
      'Email',
      'Name',
      'Name_1',
      'Column 4',
      'Name_2',
    ]);
    expect(detect('a@b.uk,X\n').columns).toEqual(['Column 1', 'Column 2']);
  });

  it('names repeated columns as papaparse does', () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {}); // papaparse says that it renames
    const names = fc.array(fc.constantFrom('a', 'b', 'a_1', 'a_2', 'email'), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(names, (header) => {
        const oracle = Papa.parse(`${header.join(',')}\n`, { header: true }).meta.fields;
        expect(nameColumns(header, header.length)).toEqual(oracle);
      }),
    );
    vi.restoreAllMocks();
  });
});

describe('the email column', () => {
  it.each([
    ...['Email', 'E-mail', 'EMAIL ADDRESS', 'e-mail_address', 'EmailAddress', 'mail', 'Contact Email'].map(
      (name): [string, string, number] => [name, `name,${name},x@y\nA,a@b.uk,z\n`, 1],
    ),
    ['named, of two that are as full', 'manager,email\na@b.uk,c@d.uk\n', 1],
    ['named, when it is half as full', 'manager,email\na@b.uk,c@d.uk\ne@b.uk,\n', 1],
    ['not the named one that is nearly empty', `manager,email\n${'a@b.uk,\n'.repeat(9)}a@b.uk,c@d.uk\n`, 0],
    ['not the named one that is empty', 'Email,Business Email\nn/a,a@b.uk\nn/a,c@d.uk\n', 1],
    ['not a column with a stray @', 'Twitter,Preferred Email\n@janeh,a@b.uk\n,c@d.uk\n', 1],
    ['called after mail, of two as full', 'Manager,Preferred Email\na@b.uk,c@d.uk\n', 1],
    ['the plainest heading of several', 'E-mail 2,Secondary Email,Email\na@b.uk,c@d.uk,e@f.uk\n', 2],
    ['the first of several numbered ones', 'E-mail 1,E-mail 2\na@b.uk,c@d.uk\n', 0],
    ['not one that says whether mail may be sent', 'Email Opt In,Address\nyes,a@b.uk\n', 1],
    [
      'full only after the first rows',
      `email,other\n${'n/a,\n'.repeat(400)}${'n/a,a@b.uk\n'.repeat(400)}`,
      1,
    ],
    ['named, of two the one that holds addresses', 'email,mail\n,a@b.uk\n', 1],
    ['the first, by its cells', 'who,other\na@b.uk,b@b.uk\n', 0],
    ['the one with most addresses', 'name,who\nA,a@b.uk\nB,b@b.uk\n', 1],
    ['the one with an @ at all', 'A,x@\nB,y@\n', 1],
    ['named, although no cell is an address', 'name,email\nX,not-an-address\n', 1],
    ['none', 'name,town\nX,Bath\n', -1],
  ])('%s', (_, text, column) => {
    expect(detect(text).emailColumn).toBe(column);
  });
});

describe('columns with addresses', () => {
  const found = (text: string) => detect(text).emailColumns.map(({ index }) => index);
  const outlook = 'E-mail Address,E-mail Display Name,E-mail 2 Address,E-mail 2 Display Name\n';

  it('are told without those that only show an address once more', () => {
    const rows = [
      'a@b.uk,Ann (a@b.uk),c@d.uk,c@d.uk',
      'e@f.uk,e@f.uk,g@h.uk,Gil (g@h.uk)',
      'i@j.uk,Ian (long.ago@j.uk),,',
    ];
    expect(found(outlook + rows.join('\n'))).toEqual([0, 2]);
    expect(found('Email,Confirm email\na@b.uk,A@B.uk\nc@d.uk,c@d.uk\n')).toEqual([0]);
    expect(found('Email,Both\na@b.uk,a@b.uk\nc@d.uk,Bo <c@d.uk>\n')).toEqual([0]);
  });

  it('are told when a single row has another address', () => {
    expect(found('Email,Confirm email\na@b.uk,a@b.uk\nc@d.uk,x@d.uk\n')).toEqual([0, 1]);
    expect(found('Email,Second\n,a@b.uk\nc@d.uk,\n')).toEqual([0, 1]);
  });

  it('include what an address is shown as, where there is no other', () => {
    expect(found('Display Name,Town\nAnn (a@b.uk),Bath\nBo (c@d.uk),Leeds\n')).toEqual([0]);
  });
});

describe('the sample', () => {
  it('holds the first 20 rows and how full each column is', () => {
    const rows = Array.from({ length: 40 }, (_, i) => `a${i}@b.uk,${i % 2 === 0 ? 'x' : ' '}`).join('\n');
    const { sample, filled } = detect(`email,name\n${rows}\n`);
    expect(sample).toHaveLength(20);
    expect(sample[1]).toEqual(['a1@b.uk', ' ']);
    expect(filled).toEqual([1, 0.5]);
  });

  it('comes with the first value of each column, however late', () => {
    const rows = Array.from({ length: 90 }, (_, i) => `a${i}@b.uk,${i === 80 ? ' late ' : ' '},`).join('\n');
    expect(detect(`email,note,never\n${rows}\n`).firstValues).toEqual(['a0@b.uk', ' late ', '']);
  });

  it('does not take blank lines for rows in which nothing is filled', () => {
    expect(detect('email,name\na@b.uk,A\n  \n\n,\n" ",\nc@d.uk,\n').filled).toEqual([1, 0.5]);
  });

  it('leaves out a row that the end of the head cuts', () => {
    expect(detect('email,name\na@b.uk,A\nb@b', false).sample).toEqual([['a@b.uk', 'A']]);
    expect(detect('email,name\na@b.uk,A\nb@b', true).sample).toHaveLength(2);
  });

  it('of a head that is one endless row is its beginning', () => {
    const { sample } = detect(`a@b.uk,${'x'.repeat(2_000_000)}`, false);
    expect(sample.length).toBeLessThanOrEqual(1);
  });
});

describe('overrides', () => {
  it('are taken as they are, and the rest follows them', () => {
    const head = Buffer.from('email;name,x\na@b.uk;A,y\n');
    const changed = applyOverrides(head, true, { delimiter: ',', header: false, emailColumn: 1 });
    expect(changed).toMatchObject({
      ok: true,
      dialect: { delimiter: ',', header: false },
      columns: ['Column 1', 'Column 2'],
      emailColumn: 1,
      sample: [
        ['email;name', 'x'],
        ['a@b.uk;A', 'y'],
      ],
    });
  });

  it('of the encoding and quote change what is read', () => {
    const head = Buffer.from('email,name\na@b.uk,"é"\n');
    const changed = applyOverrides(head, true, { encoding: 'windows-1252', quote: '' });
    expect(changed).toMatchObject({ sample: [['a@b.uk', '"Ã©"']] });
  });

  it('of an email column that does not exist are ignored', () => {
    expect(detect('email,name\na@b.uk,A\n', true, { emailColumn: 7 }).emailColumn).toBe(0);
  });
});

describe('what is not a CSV', () => {
  const pad = (start: string) => Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(200, 7)]);

  it.each([
    ['PNG', pad('\x89PNG\r\n\x1a\n')],
    ['PDF', pad('%PDF-1.7')],
    ['Excel workbook', pad('PK\x03\x04\x14\x00 xl/worksheets/sheet1.xml')],
    ['Excel workbook', pad('PK\x03\x04\x14\x00 [Content_Types].xml')],
    ['Word document', pad('PK\x03\x04\x14\x00 [Content_Types].xml word/document.xml')],
    ['OpenDocument', pad('PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet')],
    ['ZIP', pad('PK\x03\x04\x14\x00 contacts.csv')],
    ['gzip', pad('\x1f\x8b\x08')],
    ['old Excel', pad('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
    ['web page', Buffer.from('<!DOCTYPE html><html><body>Sign in</body></html>')],
    ['JSON', Buffer.from('[{"email":"a@b.uk"}]')],
    ['vCard', Buffer.from('BEGIN:VCARD\r\nEMAIL:a@b.uk\r\n')],
    ['not a text file', Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * i * 7 + (i >> 3)) & 255))],
    ['not a text file', Buffer.alloc(1_000)],
  ])('is named: %s', (name, head) => {
    const detection = detectDialect(head, true);
    expect(detection).toMatchObject({ ok: false, code: 'not_csv' });
    expect(detection.ok ? '' : detection.message).toContain(name);
  });

  it('is not said of text with a few NULs', () => {
    expect(detect('email,name\na\0@b.uk,A\nb@b.uk,B\n').dialect.encoding).toBe('utf-8');
  });

  it.each([[''], ['\ufeff'], ['\r\n\r\n'], ['  \n']])('an empty file %j is called empty', (text) => {
    expect(detectDialect(Buffer.from(text), true)).toMatchObject({ ok: false, code: 'empty_file' });
  });
});
