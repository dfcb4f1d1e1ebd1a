import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repairAddress } from './repair.ts';
import { severalAddresses } from './several.ts';

describe('a cell with several addresses', () => {
  it.each<[string, string[]]>([
    ['a@x.uk; b@x.uk', ['a@x.uk', 'b@x.uk']],
    ['a@x.uk;b@x.uk;', ['a@x.uk', 'b@x.uk']],
    ['a@x.uk, b@x.uk,c@x.uk', ['a@x.uk', 'b@x.uk', 'c@x.uk']],
    ['a@x.uk/b@x.uk', ['a@x.uk', 'b@x.uk']],
    ['a@x.uk / b@x.uk', ['a@x.uk', 'b@x.uk']],
    ['a@x.uk|b@x.uk', ['a@x.uk', 'b@x.uk']],
    ['a@x.uk ::: b@x.uk', ['a@x.uk', 'b@x.uk']],
    ['a@x.uk:::b@x.uk', ['a@x.uk', 'b@x.uk']],
    ['a@x.uk b@x.uk', ['a@x.uk', 'b@x.uk']],
    ['a@x.uk and b@x.uk', ['a@x.uk', 'b@x.uk']],
    ['a@x.uk or b@x.uk & c@x.uk', ['a@x.uk', 'b@x.uk', 'c@x.uk']],
    ['a@x.uk\nb@x.uk', ['a@x.uk', 'b@x.uk']],
    ['a@x.uk\r\n\r\nb@x.uk\t', ['a@x.uk', 'b@x.uk']],
    ['Jane <a@x.uk>; Bob <b@x.uk>', ['Jane <a@x.uk>', 'Bob <b@x.uk>']],
    ['Jane <a@x.uk>, Bob <b@x.uk>', ['Jane <a@x.uk>', 'Bob <b@x.uk>']],
    ['Jane <a@x.uk> Bob <b@x.uk>', ['Jane <a@x.uk>', 'Bob <b@x.uk>']],
    ['Smith, Jane <a@x.uk>; Jones, Bob <b@x.uk>', ['Smith, Jane <a@x.uk>', 'Jones, Bob <b@x.uk>']],
    ['"Smith, Jane" <a@x.uk>, "Jones; Bob" <b@x.uk>', ['"Smith, Jane" <a@x.uk>', '"Jones; Bob" <b@x.uk>']],
    ['<a@x.uk><b@x.uk>', ['<a@x.uk>', '<b@x.uk>']],
    ['mailto:a@x.uk,b@x.uk', ['mailto:a@x.uk', 'b@x.uk']],
    ['a@x.uk (home), b@x.uk (work)', ['a@x.uk (home)', 'b@x.uk (work)']],
    ['Jane a@x.uk, Bob b@x.uk', ['Jane a@x.uk', 'Bob b@x.uk']],
    ['jane a@x.uk bob b@x.uk', ['a@x.uk', 'b@x.uk']],
    ['a@x.uk；b@x.uk', ['a@x.uk', 'b@x.uk']],
    ['a@x.uk、b@x.uk，c@x.uk', ['a@x.uk', 'b@x.uk', 'c@x.uk']],
    ['a@x.uk\\b@x.uk', ['a@x.uk', 'b@x.uk']],
    ['a@x.uk<br>b@x.uk<BR />c@x.uk', ['a@x.uk', 'b@x.uk', 'c@x.uk']],
    ['<p>a@x.uk</p><p class="x">b@x.uk</p>', ['a@x.uk', 'b@x.uk']],
    ['• a@x.uk • b@x.uk', ['a@x.uk', 'b@x.uk']],
    // An address shown for another one is an address too.
    ['a@x.uk <b@x.uk>', ['a@x.uk', '<b@x.uk>']],
    ['"a@x.uk" <b@x.uk>', ['a@x.uk', '<b@x.uk>']],
    ["'a@x.uk' <b@x.uk>", ['a@x.uk', '<b@x.uk>']],
    ['Jane (a@x.uk) <b@x.uk>', ['a@x.uk', '<b@x.uk>']],
    ['a@x.uk <b@x.uk>; c@x.uk <C@X.uk>', ['a@x.uk', '<b@x.uk>', 'c@x.uk <C@X.uk>']],
    ['a@x.uk <b@x.uk> c@x.uk <d@x.uk>', ['a@x.uk', '<b@x.uk>', 'c@x.uk', '<d@x.uk>']],
    ['mailto:a@x.uk?cc=b@x.uk', ['mailto:a@x.uk', 'b@x.uk']],
    [
      'mailto:a@x.uk,b@x.uk?subject=Hi&cc=c%40x.uk,d@x.uk&bcc=e@x.uk',
      ['a@x.uk', 'b@x.uk', 'c@x.uk', 'd@x.uk', 'e@x.uk'],
    ],
    ['<mailto:a@x.uk?to=b@x.uk>', ['mailto:a@x.uk', 'b@x.uk']],
    ['mailto:a@x.uk?subject=Hi; b@x.uk', ['mailto:a@x.uk', 'b@x.uk']],
    // A slash or a bar before the @ sign may belong to the mailbox.
    ['sales/uk@x.uk b@x.uk', ['sales/uk@x.uk', 'b@x.uk']],
    ['jo/hr@x.uk/sam@x.uk', ['jo/hr@x.uk', 'sam@x.uk']],
    ['jo/hr@x.uk sam@x.uk/home', ['jo/hr@x.uk', 'sam@x.uk']],
    ['a|b@x.uk, c@x.uk', ['a|b@x.uk', 'c@x.uk']],
    ['a@x.uk|b@x.uk|Home', ['a@x.uk', 'b@x.uk', 'Home']],
    ['Jane | a@x.uk | b@x.uk', ['Jane', 'a@x.uk', 'b@x.uk']],
    ['a@x.uk /b@x.uk/ c@x.uk', ['a@x.uk', 'b@x.uk', 'c@x.uk']],
    // Not where it separates others, or stands behind a label or the names of people.
    ['Jane|jane@x.uk|Bob|bob@x.uk', ['Jane', 'jane@x.uk', 'Bob', 'bob@x.uk']],
    ['Jane|jane@x.uk, Bob|bob@x.uk', ['Jane', 'jane@x.uk', 'Bob', 'bob@x.uk']],
    ['a|b@x.uk|c|d@x.uk', ['a', 'b@x.uk', 'c', 'd@x.uk']],
    ['home|a@x.uk, b@x.uk', ['home', 'a@x.uk', 'b@x.uk']],
    ['Home/jo@x.uk Work/sam@x.uk', ['jo@x.uk', 'sam@x.uk']],
    ['Jane/jane@x.uk Bob/bob@x.uk', ['jane@x.uk', 'bob@x.uk']],
    ['Jane/jane@x.uk/Bob/bob@x.uk', ['jane@x.uk', 'bob@x.uk']],
    ['Sales/London/uk@x.uk b@x.uk', ['Sales/London/uk@x.uk', 'b@x.uk']],
    ['jo@x.uk/mobile/sam@x.uk', ['jo@x.uk', 'sam@x.uk']],
    ['Sales/uk@x.uk b@x.uk', ['Sales/uk@x.uk', 'b@x.uk']],
    ['OFFICE/jo/hr@x.uk SALES/uk@x.uk HR/uk@x.uk', ['jo/hr@x.uk', 'SALES/uk@x.uk', 'HR/uk@x.uk']],
    // What is no address keeps its place, so that the receipt can name it.
    ['a@x.uk; b@', ['a@x.uk', 'b@']],
    ['a@x.uk; b@x.uk; bob.x.uk', ['a@x.uk', 'b@x.uk', 'bob.x.uk']],
    ['a@x.uk; b@y@x.uk', ['a@x.uk', 'b@y@x.uk']],
    ['a@x.uk; A@X.UK', ['a@x.uk', 'A@X.UK']],
  ])('%j', (text, parts) => {
    expect(severalAddresses(text)).toEqual(parts);
  });

  it.each([
    '',
    'a@x.uk',
    'Jane <a@x.uk>',
    'a@x.uk <a@x.uk>',
    '"a@x.uk" <a@x.uk>',
    'a@b@x.uk',
    '"a@b"@x.uk',
    '"a b@c"@x.uk',
    'mailto:a@x.uk?subject=Hi',
    'mailto:a@x.uk?subject=50%',
    "o'brien@x.uk <o'brien@x.uk>",
    'Jane (A@x.uk) <a@x.uk>',
    'a\\b <a@x.uk>',
    '@twitter @handle',
    'a@ ; b@',
    'https://jo@host/x@y',
    '@@@@',
  ])('is not %j', (text) => {
    expect(severalAddresses(text)).toBeNull();
  });

  it('finds again what was joined, whatever the mark', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}(\.[a-z]{1,8})?$/);
    const address = fc.tuple(name, name).map(([local, domain]) => `${local}@${domain}.co.uk`);
    const mark = fc.constantFrom(
      ...['; ', ';', ', ', ',', ' / ', '/', ' ::: ', '|', '\n', ' ', ' and '],
      ...['；', '、', '\\', '<br>', '<br/>', ' • ', '</p><p>'],
    );
    fc.assert(
      fc.property(fc.array(address, { minLength: 2, maxLength: 8 }), mark, (addresses, between) => {
        expect(severalAddresses(addresses.join(between))).toEqual(addresses);
      }),
    );
  });

  it('loses no address of two that are written as name and address, or in a link', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}(['.-][a-z]{1,8})?$/);
    const address = fc
      .tuple(name, name)
      .map(([local, domain]) => `${local}@${domain.replace("'", '')}.co.uk`);
    const form = fc.constantFrom(
      (one: string, other: string) => `${one} <${other}>`,
      (one: string, other: string) => `"${one}" <${other}>`,
      (one: string, other: string) => `mailto:${one}?cc=${other}`,
      (one: string, other: string) => `mailto:${one}?subject=x&bcc=${encodeURIComponent(other)}`,
    );
    fc.assert(
      fc.property(address, address, form, (one, other, written) => {
        const text = written(one, other);
        const found = severalAddresses(text)?.map((part) => repairAddress(part).address) ?? [
          repairAddress(text).address,
        ];
        expect(new Set(found)).toEqual(new Set([one, other]));
        // Where only one may be, none is taken for it.
        if (one !== other) expect(repairAddress(text).address).not.toMatch(/^[^\s<>?:]*@[^\s<>?]*$/);
      }),
    );
  });

  it('reads any text, however long', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a@.;,/<>":| \n'), maxLength: 60 }), (text) => {
        for (const part of severalAddresses(text) ?? []) expect(text).toContain(part.split(', ')[0]);
      }),
      { numRuns: 2000 },
    );
    for (const one of ['<', '"', '@', 'a@b.uk;', ', ', '<@', '<br', 'a', 'a@a', "'", '?']) {
      // In a time that grows with its length, or this would never end.
      const parts = severalAddresses(`@${one.repeat(300_000)}@`);
      expect(parts === null || parts.length > 1).toBe(true);
    }
  });

  const many = 500_000;
  it.each([
    ['blanks before what is no link', `${' '.repeat(many)}?`],
    ['blanks within what is no link', `${' '.repeat(many)}<${' '.repeat(many)}?`],
    ['a bracket that nothing closes', `a@b.uk <${'@'.repeat(many)}`],
    ['marks within a word', `a@b.uk ${'.'.repeat(many)}x <c@d.uk>`],
    ['bars before an address', `x${'|x'.repeat(many)}@b.uk, c@d.uk`],
    ['bars between addresses', `${'x|'.repeat(many)}a@b.uk|c@d.uk`],
    ['capitals before an address', `${"A'B".repeat(many)}/a@b.uk c@d.uk`],
    ['capitals before a bar', `${"A'B".repeat(many)}|a@b.uk, c@d.uk`],
    ['slashes before an address', `x${'/x'.repeat(many)}@b.uk c@d.uk`],
    ['quotation marks within a word', `a@b.uk x${'’'.repeat(many)}x@y.uk <c@d.uk>`],
  ])('takes no longer over %s', (_, text) => {
    const before = process.cpuUsage();
    severalAddresses(text);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).toBeLessThan(1);
  });
});
