import { describe, expect, it } from 'vitest';
import { ByteWriter } from './byte-writer.ts';
import { writeQuotedPrintable } from './quoted-printable.ts';

function encoded(text: string): string {
  const out = new ByteWriter();
  writeQuotedPrintable(out, text);
  return out.copied().toString('latin1');
}

describe('quoted-printable', () => {
  it.each([
    ['', ''],
    ['a=b', 'a=3Db'],
    ['a\tb c', 'a\tb c'],
    ['a \nb\t\r\n \r', 'a=20\r\nb=09\r\n=20\r\n'],
    ['a ', 'a=20'],
    ['a  ', 'a =20'],
    ['.a\n..\n', '=2Ea\r\n=2E.\r\n'],
    ['From me\nFrom\n>From x', '=46rom me\r\nFrom\r\n>From x'],
    ['é€😀', '=C3=A9=E2=82=AC=F0=9F=98=80'],
    ['\ud83dx\ude00', '=EF=BF=BDx=EF=BF=BD'],
    ['\0\u007f', '=00=7F'],
  ])('%j', (text, written) => {
    expect(encoded(text)).toBe(written);
  });

  it('breaks long lines softly, within 76 columns', () => {
    expect(encoded('x'.repeat(76))).toBe(`${'x'.repeat(75)}=\r\nx`);
    expect(encoded(`${'x'.repeat(74)} \nb`)).toBe(`${'x'.repeat(74)}=\r\n=20\r\nb`);
    expect(encoded(`${'x'.repeat(75)}.From you`)).toBe(`${'x'.repeat(75)}=\r\n=2EFrom you`);
    expect(encoded(`${'x'.repeat(75)}From you`)).toBe(`${'x'.repeat(75)}=\r\n=46rom you`);
  });

  it('keeps the bytes of a character on one line', () => {
    for (let start = 60; start <= 76; start += 1) {
      const [first = '', second = ''] = encoded(`${'x'.repeat(start)}😀`).split('=\r\n');
      expect([first, second].filter((line) => line.includes('=F0=9F=98=80'))).toHaveLength(1);
      expect(first.length).toBeLessThanOrEqual(75);
    }
  });
});
