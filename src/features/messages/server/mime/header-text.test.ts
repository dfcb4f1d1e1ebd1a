import { describe, expect, it } from 'vitest';
import { mailboxField, textField } from './header-text.ts';

const subject = (text: string) => textField('Subject', text, 'people');

describe('a field of text', () => {
  it('stays as it is while it is plain', () => {
    expect(subject('Hello, you = me?')).toBe('Subject: Hello, you = me?\r\n');
    expect(subject('')).toBe('Subject:\r\n');
    expect(subject(' a\r\nBcc: b\0')).toBe('Subject: =?UTF-8?Q?a__Bcc=3A_b?=\r\n');
    expect(subject('=?UTF-8?Q?a?=')).not.toContain('Q?a?');
  });

  it('is folded at blanks within 78 columns', () => {
    const words = Array(40).fill('autumn').join(' ');
    const lines = subject(words).trimEnd().split('\r\n');
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(78);
    expect(lines.join('')).toBe(`Subject: ${words}`);
  });

  it('is in B or Q, whichever is shorter, and cuts no character', () => {
    expect(subject('Grüße')).toBe('Subject: =?UTF-8?B?R3LDvMOfZQ==?=\r\n');
    expect(subject('A café in autumn')).toBe('Subject: =?UTF-8?Q?A_caf=C3=A9_in_autumn?=\r\n');
    const words = subject('🍂'.repeat(60)).trimEnd().slice('Subject: '.length).split('\r\n ');
    expect(words.length).toBeGreaterThan(4);
    for (const word of words) {
      expect(word.length).toBeLessThanOrEqual(75);
      const [, inside = ''] = /^=\?UTF-8\?B\?(.*)\?=$/.exec(word) ?? [];
      expect(Buffer.from(inside, 'base64').toString()).toMatch(/^🍂+$/u);
    }
  });

  it('keeps long words for programs, up to what a line can hold', () => {
    const token = 'x'.repeat(500);
    expect(textField('X-Id', token, 'programs')).toBe(`X-Id: ${token}\r\n`);
    expect(subject(token)).toContain('=?UTF-8?');
    expect(textField('X-Id', 'x'.repeat(1000), 'programs')).toContain('=?UTF-8?');
  });
});

describe('a field of a mailbox', () => {
  const to = (name: string, address = 'jo@x.de') => mailboxField('To', { name, address });

  it.each([
    ['', 'To: jo@x.de\r\n'],
    ['Jo Smith', 'To: Jo Smith <jo@x.de>\r\n'],
    ['Smith, Jo', 'To: "Smith, Jo" <jo@x.de>\r\n'],
    ['Jo "J" \\ <jo>', 'To: "Jo \\"J\\" \\\\ <jo>" <jo@x.de>\r\n'],
    ['Zoë', 'To: =?UTF-8?Q?Zo=C3=AB?= <jo@x.de>\r\n'],
    ['Jo\r\nBcc: x', 'To: =?UTF-8?Q?Jo__Bcc=3A_x?= <jo@x.de>\r\n'],
  ])('%j', (name, field) => {
    expect(to(name)).toBe(field);
  });

  it('puts the address on the next line where the first has no room for it', () => {
    expect(to('J'.repeat(70))).toBe(`To: ${'J'.repeat(70)}\r\n <jo@x.de>\r\n`);
    for (const name of ['"'.repeat(60), 'J'.repeat(200), 'ë'.repeat(200), 'J"'.repeat(36)])
      for (const line of to(name, `${'a'.repeat(60)}@x.de`).split('\r\n'))
        expect(line.length).toBeLessThanOrEqual(78);
  });
});
