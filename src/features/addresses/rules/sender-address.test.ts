import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiAddress } from '#features/messages/server/index.ts';
import { isSenderAddress } from './sender-address.ts';

describe('an address that mail comes from', () => {
  it.each([
    'hello@acme.co.uk',
    "o'brien+news@news.acme.co.uk",
    'jürgen@müller.de',
    'info@xn--mller-kva.de',
    'sales@acme.xn--p1ai',
    'a_b@my-shop.uk',
  ])('is %s', (text) => expect(isSenderAddress(text)).toBe(true));

  it.each([
    'hello',
    'hello@acme',
    '@acme.co.uk',
    'hello@acme..uk',
    'hello@acme.co.uk.',
    'hello@-acme.uk',
    'hello@acme/shop.uk',
    'hello.@acme.uk',
    'two words@acme.uk',
    'Ann <ann@acme.uk>',
    'a@b@acme.uk',
    'ann@acme.uk, ben@acme.uk',
    'ann@acme.uk\nBcc: all@acme.uk',
    '"ann"@acme.uk',
    'ann@192.0.2.1',
    `ann@${'a'.repeat(64)}.uk`,
  ])('is not %s', (text) => expect(isSenderAddress(text)).toBe(false));

  it('can be written into a message, whatever it is', () => {
    const text = (signs: string, maxLength: number) =>
      fc.string({ unit: fc.constantFrom(...signs), minLength: 1, maxLength });
    const addresses = fc
      .tuple(text("ab1.-_ü'+/ ", 5), text('ab1.-_ü/:', 6))
      .map(([name, domain]) => `${name}@${domain}.uk`);
    fc.assert(
      fc.property(addresses, (address) => {
        fc.pre(isSenderAddress(address));
        expect(asciiAddress(address)?.address).toMatch(/@.+\.uk$/);
      }),
      { numRuns: 1_000 },
    );
  });
});
