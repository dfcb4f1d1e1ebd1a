import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { describe, expect, it } from 'vitest';
import { composer } from '../mime/compose.ts';
import { signer } from './sign.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const published = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const sign = signer({ domain: 'harbour.co.uk', selector: 'em1', privateKey });
const signedAt = new Date('2026-11-23T11:05:09.700Z');

/** What another program says of the signature, with the DNS played. */
async function verdict(raw: Buffer | string) {
  const { results } = await dkimVerify(Buffer.from(raw), {
    resolver: async (name) => {
      if (name !== 'em1._domainkey.harbour.co.uk')
        throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
      return [[`v=DKIM1; k=rsa; p=${published}`]];
    },
    strict: true,
  });
  return results[0]?.status.result;
}

const compose = composer({
  from: { name: 'Harbour & Pine', address: 'news@harbour.co.uk' },
  replyTo: { name: 'Zoë', address: 'hello@harbour.co.uk' },
  feedbackId: '12:7:campaign:harbour',
  headers: [],
});
const message = (subject: string, html: string, text: string, to = 'jo@example.org') =>
  compose(
    { subject, html, text },
    {
      to: { name: subject, address: to },
      messageId: '12.345@harbour.co.uk',
      date: signedAt,
      unsubscribeUrl: 'https://mail.harbour.co.uk/u/abc',
    },
  ).raw;
const signed = sign(message('Grüße', '<p>Hello</p>', 'Hello'), signedAt).toString();

describe('a signature', () => {
  it('says what is signed, each field once more than the message has it', () => {
    const [front = ''] = signed.split(/\r\n(?!\s)/);
    expect(front).toContain('v=1; a=rsa-sha256; c=relaxed/relaxed;\r\n d=harbour.co.uk;\r\n s=em1;');
    expect(front).toContain(`t=${Math.floor(signedAt.getTime() / 1000)};`);
    expect(front).not.toContain('l=');
    const names = /h=([^;]+)/.exec(front)?.[1]?.replace(/\s/g, '').split(':');
    const twice = (
      'From To Subject Date Message-ID Reply-To List-Unsubscribe List-Unsubscribe-Post ' +
      'Feedback-ID MIME-Version Content-Type'
    ).split(' ');
    expect(names).toEqual(twice.flatMap((name) => [name, name]));
    for (const line of front.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78);
  });

  it('is accepted by another program, whatever the message says', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc
        .array(fc.constantFrom(' ', '\t', '\r\n', '\n', '\r', '.', 'a', 'é', '=', '\ud83d', '👍'), {
          maxLength: 60,
        })
        .map((pieces) => pieces.join('')),
    );
    await fc.assert(
      fc.asyncProperty(text, text, text, async (subject, html, body) => {
        expect(await verdict(sign(message(subject, html, body), signedAt))).toBe('pass');
      }),
      { numRuns: 100 },
    );
  });

  it('is accepted for headers that are UTF-8 and for bodies of every shape', async () => {
    expect(await verdict(sign(message('a', 'b', 'c', 'jörg@bücher.example'), signedAt))).toBe('pass');
    const header = 'From: a@harbour.co.uk\r\nX-Other: 1\r\nSUBJECT \t: \ta \t b\r\n\t à\r\nTo: à\r\n';
    const bodies = [
      '',
      '\r\n',
      '\r\n\r\n\r\n',
      'a',
      'a\r\n',
      'a \t\r\n\r\n \r\n',
      '  a  b\t\r\n',
      '\r\n\r\na \r\n\r\n',
      ' ',
    ];
    for (const body of bodies)
      expect(await verdict(sign(Buffer.from(`${header}\r\n${body}`), signedAt)), JSON.stringify(body)).toBe(
        'pass',
      );
  });

  it('breaks when a signed field, the body, or one more field is changed', async () => {
    expect(await verdict(signed)).toBe('pass');
    const changed = [
      signed.replace('<p>', '<b>'),
      signed.replace('One-Click', 'Two-Click'),
      signed.replace('/u/abc', '/u/abd'),
      ...[
        'From: x@y.de',
        'Subject: Hi',
        'List-Unsubscribe: <https://evil.example>',
        'Content-Type: text/plain',
      ].map((field) => `${field}\r\n${signed}`),
    ];
    for (const one of changed) expect(await verdict(one)).not.toBe('pass');
  });

  it('outlives what careful servers do to a message', async () => {
    const relayed = signed
      .replace('Subject: ', 'subject:   ')
      .replace('\r\nDate:', '\r\nReceived: from x\r\nDate:')
      .concat('\r\n\r\n');
    expect(await verdict(relayed)).toBe('pass');
  });

  it('is refused for keys, names and messages that it cannot be made with', () => {
    const { privateKey: other } = generateKeyPairSync('ed25519');
    expect(() => signer({ domain: 'a.de', selector: 's', privateKey: other })).toThrow(RangeError);
    for (const selector of ['', 'a;b', 'a\r\nb'])
      expect(() => signer({ domain: 'a.de', selector, privateKey })).toThrow(RangeError);
    for (const body of ['a\nb', 'a\rb', 'a\r'])
      expect(() => sign(Buffer.from(`From: a@b.de\r\n\r\n${body}`), signedAt)).toThrow(RangeError);
  });
});
