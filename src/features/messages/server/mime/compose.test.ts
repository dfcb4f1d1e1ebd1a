import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { type Addressed, composer, type Frame, type Part } from './compose.ts';

const frame: Frame = {
  from: { name: 'Harbour & Pine', address: 'news@harbour.co.uk' },
  replyTo: { name: '', address: 'hello@harbour.co.uk' },
  feedbackId: '12:7:campaign:harbour',
  headers: [['Precedence', 'bulk']],
};
const addressed: Addressed = {
  to: { name: 'Zoë Castellanos', address: 'zoe@example.org' },
  messageId: '12.345@harbour.co.uk',
  date: new Date('2026-11-23T11:05:09.700Z'),
  unsubscribeUrl: 'https://mail.harbour.co.uk/u/abc',
};
const part: Part = { subject: 'Autumn', html: '<p>Hello</p>', text: 'Hello' };
const compose = (
  more: { part?: Partial<Part>; addressed?: Partial<Addressed>; frame?: Partial<Frame> } = {},
) => composer({ ...frame, ...more.frame })({ ...part, ...more.part }, { ...addressed, ...more.addressed });
const headerOf = (raw: Buffer) => raw.toString().split('\r\n\r\n')[0] as string;
/** All line breaks are the same to mail programs. */
const sameLines = (text: string) => text.replace(/\r\n|\r/g, '\n').toWellFormed();
/** What the other program read; it ends every part with a line break of its own. */
const read = (text: string | undefined) => (text ?? '').replace(/\n$/, '');
const asSubject = (text: string) =>
  text
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .toWellFormed()
    .trim();

describe('a message', () => {
  it('has the fields of its frame, part and addressee, and the same bytes each time', () => {
    const { raw, needsSmtpUtf8 } = compose();
    expect(needsSmtpUtf8).toBe(false);
    expect(headerOf(raw).split('\r\n')).toEqual([
      'From: Harbour & Pine <news@harbour.co.uk>',
      'To: =?UTF-8?Q?Zo=C3=AB_Castellanos?= <zoe@example.org>',
      'Subject: Autumn',
      'Date: Mon, 23 Nov 2026 11:05:09 +0000',
      'Message-ID: <12.345@harbour.co.uk>',
      'Reply-To: hello@harbour.co.uk',
      'Feedback-ID: 12:7:campaign:harbour',
      'Precedence: bulk',
      'List-Unsubscribe: <https://mail.harbour.co.uk/u/abc>',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      'MIME-Version: 1.0',
      expect.stringMatching(/^Content-Type: multipart\/alternative; boundary="=_[a-z0-9.]+"$/),
    ]);
    expect(compose().raw.equals(raw)).toBe(true);
  });

  it('offers to unsubscribe only with an address for it', () => {
    const none = headerOf(compose({ addressed: { unsubscribeUrl: null } }).raw);
    expect(none).not.toContain('List-Unsubscribe');
  });

  it('has a Message-ID of ASCII, whatever it is given', () => {
    const idOf = (messageId: string) =>
      /^Message-ID: (.*)$/m.exec(headerOf(compose({ addressed: { messageId } }).raw))?.[1];
    expect(idOf('<1.2@x.de>')).toBe('<1.2@x.de>');
    expect(idOf('1@bücher.example')).toBe('<1@xn--bcher-kva.example>');
    expect(idOf('1@x.de>\r\nBcc: a@b.de')).toBe('<"1@x.deBcc:a"@b.de>');
  });

  it('is one part where the other is empty', async () => {
    for (const [html, text] of [
      ['', 'Hello'],
      ['<p>Hello</p>', ''],
      ['', ''],
    ] as const) {
      const { raw } = compose({ part: { html, text } });
      expect(headerOf(raw)).toMatch(
        html === '' ? /^Content-Type: text\/plain/m : /^Content-Type: text\/html/m,
      );
      const mail = await PostalMime.parse(raw);
      expect([mail.html, mail.text].map(read)).toEqual([html, text]);
    }
  });

  it('needs SMTPUTF8 for a local part beyond ASCII, and not for a domain', async () => {
    const domain = compose({ addressed: { to: { name: '', address: 'jo@bücher.example' } } });
    expect(domain.needsSmtpUtf8).toBe(false);
    expect(headerOf(domain.raw)).toContain('To: jo@xn--bcher-kva.example\r\n');
    const local = compose({ addressed: { to: { name: 'Jörg', address: 'jörg@bücher.example' } } });
    expect(local.needsSmtpUtf8).toBe(true);
    expect(headerOf(local.raw)).toContain('<jörg@xn--bcher-kva.example>');
    for (const field of ['from', 'replyTo'] as const)
      expect(compose({ frame: { [field]: { name: '', address: 'jörg@x.de' } } }).needsSmtpUtf8).toBe(true);
  });

  it('refuses fields that are its own or are none, and addresses for no server', () => {
    for (const name of ['from', 'Bcc', 'DKIM-Signature', 'X A', 'X:', '', 'X\r\nBcc'])
      expect(() => compose({ frame: { headers: [[name, 'x']] } }), name).toThrow(RangeError);
    for (const address of ['', 'jo', '@x.de', 'jo@', 'jo@a b.de', 'jo@x.de\r\nBcc: x@y.de', 'jo@x.de,'])
      expect(() => compose({ addressed: { to: { name: '', address } } }), address).toThrow(RangeError);
  });
});

const text = fc.string({ unit: 'binary', maxLength: 400 });
const awkward = fc
  .array(
    fc.oneof(
      text,
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.constantFrom(
        '.',
        '\r',
        '\n',
        '\r\n',
        '\n.',
        ' ',
        ' \n',
        '\t\r\n',
        'From ',
        '\nFrom me',
        '=',
        '=_',
        '--=_',
        '=?',
        '?=',
        '\ud83d',
        '\udc4d',
        '👩‍👩‍👧‍👦',
        '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
        '\0',
        '\u2028',
        '\u00a0',
        '"',
        '\\',
        ',',
        '<',
        '>',
        ':',
        ';',
        '(',
        'é'.repeat(90),
        'x'.repeat(1500),
        '  ',
      ),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));

describe('whatever it says', () => {
  it('is read back as it was written', async () => {
    const message = fc.record({
      subject: awkward,
      html: awkward,
      text: awkward,
      name: awkward,
      from: awkward,
    });
    await fc.assert(
      fc.asyncProperty(message, async ({ subject, html, text, name, from }) => {
        const { raw } = compose({
          part: { subject, html, text },
          addressed: { to: { name, address: 'jo@example.org' } },
          frame: { from: { name: from, address: 'news@harbour.co.uk' } },
        });
        const mail = await PostalMime.parse(raw);
        expect(mail.subject ?? '').toBe(asSubject(subject));
        expect(mail.to).toEqual([{ name: asSubject(name), address: 'jo@example.org' }]);
        expect(mail.from).toEqual({ name: asSubject(from), address: 'news@harbour.co.uk' });
        expect(read(mail.html)).toBe(sameLines(html));
        expect(read(mail.text)).toBe(sameLines(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps to the lengths and characters that every server takes', () => {
    fc.assert(
      fc.property(awkward, awkward, awkward, (subject, html, name) => {
        const { raw } = compose({
          part: { subject, html },
          addressed: { to: { name, address: 'jo@example.org' } },
        });
        expect(raw.toString('latin1')).toMatch(/^(?:[\t\x20-\x7e]|\r\n)*$/);
        const [header = '', ...body] = raw.toString().split('\r\n\r\n');
        for (const line of header.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78);
        for (const line of body.join('\r\n\r\n').split('\r\n')) {
          expect(line.length).toBeLessThanOrEqual(76);
          expect(line).not.toMatch(/^\.|^From |[ \t]$/);
        }
        for (const [word] of header.matchAll(/=\?UTF-8\?.*?\?=/g))
          expect(word.length).toBeLessThanOrEqual(75);
      }),
      { numRuns: 1000 },
    );
  });

  it('begins no field of its own', () => {
    const evil = awkward.map((value) => `${value}\r\nBcc: all@example.org\n\rX: y\0\r\n\r\n<b>`);
    const names = (raw: Buffer) => headerOf(raw).match(/^[!-9;-~]+(?=:)/gm);
    const expected = names(compose().raw);
    fc.assert(
      fc.property(evil, evil, evil, (one, two, three) => {
        const { raw } = compose({
          part: { subject: one },
          addressed: {
            to: { name: two, address: 'jo@example.org' },
            messageId: three.slice(0, 50),
            unsubscribeUrl: `https://x.de/${two.slice(0, 60)}`,
          },
          frame: {
            from: { name: three, address: 'a@b.de' },
            replyTo: { name: one, address: 'a@b.de' },
            feedbackId: two,
            headers: [['Precedence', one]],
          },
        });
        expect(names(raw)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('may be a megabyte', async () => {
    const html = `<p>${'Grüße 👋 = '.repeat(100_000)}</p>`;
    const mail = await PostalMime.parse(compose({ part: { html } }).raw);
    expect(read(mail.html) === html).toBe(true);
  });
});
