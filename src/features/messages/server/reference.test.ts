import { createHmac, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReferences, type SendReference } from './reference.ts';

const references = createReferences(['a secret of the installation, long enough']);
const number = fc.integer({ min: 0, max: 2 ** 48 });
const anyReference = fc.record({ workspaceId: number, mailingId: number, sendId: number, part: number });
const one: SendReference = { workspaceId: 3, mailingId: 41, sendId: 4_871_003, part: 2 };

describe('a signed reference', () => {
  it('is read as it was written, in links and in addresses', () => {
    fc.assert(
      fc.property(anyReference, (reference) => {
        expect(references.fromUrl('click', references.url('click', reference))).toEqual(reference);
        const address = references.address('bounce', reference);
        expect(references.fromAddress('bounce', address.toUpperCase())).toEqual(reference);
      }),
    );
  });

  it('is short', () => {
    expect(references.url('open', one).length).toBeLessThanOrEqual(24);
    // A local part has at most 64 bytes (RFC 5321, section 4.5.3.1.1).
    const longest = { workspaceId: 9e6, mailingId: 9e7, sendId: 15e6, part: 9 };
    expect(references.address('bounce', longest).length).toBeLessThanOrEqual(40);
  });

  it('carries an HMAC-SHA-256 as Node has it', () => {
    const secret = 'a secret of the installation, long enough';
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'email-manager links', 32));
    const bytes = Buffer.from(references.url('click', one), 'base64url');
    const expected = createHmac('sha256', key).update('click\0').update(bytes.subarray(0, -10)).digest();
    expect(bytes.subarray(-10)).toEqual(expected.subarray(0, 10));
  });

  it('is for one use', () => {
    expect(references.fromUrl('unsubscribe', references.url('click', one))).toBeNull();
  });

  it('is refused when a byte of it is bent', () => {
    const text = references.url('click', one);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'abcXYZ019-_'), (at, letter) => {
        fc.pre(text[at] !== letter);
        const bent = text.slice(0, at) + letter + text.slice(at + 1);
        expect(references.fromUrl('click', bent)).toBeNull();
      }),
    );
  });

  it('is refused when it is anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(references.fromUrl('click', text)).toBeNull();
        expect(references.fromAddress('bounce', text)).toBeNull();
      }),
    );
    expect(references.fromUrl('click', `${references.url('click', one)}=`)).toBeNull();
  });

  it('needs the key, or one that the key has replaced', () => {
    const text = references.url('view', one);
    expect(createReferences(['another secret altogether']).fromUrl('view', text)).toBeNull();
    const later = createReferences([
      'another secret altogether',
      'a secret of the installation, long enough',
    ]);
    expect(later.fromUrl('view', text)).toEqual(one);
    expect(later.url('view', one)).not.toBe(text);
  });
});
