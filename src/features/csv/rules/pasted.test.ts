import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { pastedAddresses, pastedFile } from './pasted.ts';

const rowsIn = (text: string) =>
  Papa.parse<string[]>(pastedFile(text)?.csv.trim() ?? '')
    .data.slice(1)
    .map((cells) => cells.filter((cell) => cell !== '').join(' | '));

describe('pasted addresses', () => {
  it.each<[string, string, string[]]>([
    ['one a line', 'a@x.uk\nb@x.uk\r\nc@x.uk\rd@x.uk', ['a@x.uk', 'b@x.uk', 'c@x.uk', 'd@x.uk']],
    ['with commas', 'a@x.uk, b@x.uk,c@x.uk,', ['a@x.uk', 'b@x.uk', 'c@x.uk']],
    ['with semicolons', 'a@x.uk; b@x.uk;c@x.uk;', ['a@x.uk', 'b@x.uk', 'c@x.uk']],
    ['with blanks', ' a@x.uk b@x.uk   c@x.uk ', ['a@x.uk', 'b@x.uk', 'c@x.uk']],
    ['with bars and everything else', 'a@x.uk | b@x.uk;\n\n ,c@x.uk', ['a@x.uk', 'b@x.uk', 'c@x.uk']],
    ['with names', 'Jane Smith <a@x.uk>, Bob <b@x.uk>', ['a@x.uk | Jane Smith', 'b@x.uk | Bob']],
    ['of Outlook', 'Smith, Jane <a@x.uk>; Doe, Tom <b@x.uk>', ['a@x.uk | Smith, Jane', 'b@x.uk | Doe, Tom']],
    [
      'with names that have commas, and commas between',
      'Smith, Jane <a@x.uk>, Doe, Tom <b@x.uk>',
      ['a@x.uk | Smith, Jane', 'b@x.uk | Doe, Tom'],
    ],
    [
      'with quoted names',
      '"Smith; Jane" <a@x.uk>; \'Tom\' <b@x.uk>',
      ['a@x.uk | Smith; Jane', 'b@x.uk | Tom'],
    ],
    ['with names in quotes', '"Smith, Jane" <a@x.uk>', ['a@x.uk | Smith, Jane']],
    [
      'with names without brackets',
      'Jane O’Neill-Smith a@x.uk\nb@x.uk',
      ['a@x.uk | Jane O’Neill-Smith', 'b@x.uk'],
    ],
    ['with brackets alone', '<a@x.uk> <b@x.uk>', ['a@x.uk', 'b@x.uk']],
    ['below a heading', 'E-mail address\na@x.uk\nb@x.uk', ['a@x.uk', 'b@x.uk']],
    [
      'with what is none',
      'a@x.uk, nonsense\njane(at)x.uk, b@x.uk\nhello world',
      ['a@x.uk', 'nonsense', 'jane(at)x.uk', 'b@x.uk', 'hello world'],
    ],
    ['with half of one', 'a@x.uk, b.x.uk, @c, d@', ['a@x.uk', 'b.x.uk', "'@c", 'd@']],
    ['with a formula', '=cmd@x.uk\n+44@x.uk', ["'=cmd@x.uk", "'+44@x.uk"]],
  ])('%s', (_case, text, rows) => {
    expect(rowsIn(text)).toEqual(rows);
  });

  it.each<[string, string, string[]]>([
    ['names and what is none', 'Jane <a@x.uk>, b@x.uk; nonsense\na@x.uk', ['a@x.uk', 'b@x.uk', 'nonsense']],
    ['cells', 'Name\tE-mail\nJane\ta@x.uk\nTom\t"b@x.uk"', ['a@x.uk', 'b@x.uk']],
    ['lines of a file', 'name,email\nJane,a@x.uk\n"Doe, Tom",b@x.uk', ['a@x.uk', 'b@x.uk']],
    ['a formula', '=cmd@x.uk', ['=cmd@x.uk']],
    ['nothing', ' \n ; ', []],
  ])('are taken alone from %s, each once', (_case, text, addresses) => {
    expect(pastedAddresses(text)).toEqual(addresses);
  });

  it('count those with an @ sign', () => {
    expect(pastedFile('a@x.uk, nonsense, b@x.uk')?.addresses).toBe(2);
    expect(pastedFile('email\tname\na@x.uk\tA\nb@x.uk\tB')?.addresses).toBe(2);
  });

  it.each(['', '   ', '\n\n', ' ; , ', 'email', '\t'])('are none in “%s”', (text) => {
    expect(pastedFile(text)).toBeNull();
  });

  it.each([
    'email\tname\na@x.uk\tJane',
    'Jane\ta@x.uk',
    'First name,Email\nJane,a@x.uk',
    'Email;Town\na@x.uk;York',
  ])('stay a table when copied from one: %s', (text) => {
    expect(pastedFile(text)?.csv).toBe(text);
  });

  it('are all there, whatever is between them', () => {
    const address = fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.uk$/);
    const between = fc.constantFrom(',', ';', ' ', '\n', ', ', ' ; ', '\r\n', '|', ',\n', ' , ,');
    fc.assert(
      fc.property(fc.array(fc.tuple(address, between), { minLength: 1, maxLength: 30 }), (list) => {
        expect(rowsIn(list.flat().join(''))).toEqual(list.map(([one]) => one));
      }),
    );
  });
});
