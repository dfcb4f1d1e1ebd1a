import { domainToASCII, domainToUnicode } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createAddressReader, readDomain, writtenAddress } from './rules.ts';

const idna = { toAscii: domainToASCII, toUnicode: domainToUnicode };

describe('createAddressReader', () => {
  const read = createAddressReader(idna);

  it.each([
    ['Ann.Smith@Acme.CO.UK', 'ann.smith', 'acme.co.uk'],
    ['  "Ann" <ann@acme.co.uk> ', 'ann', 'acme.co.uk'],
    ['mailto:ann@acme.co.uk', 'ann', 'acme.co.uk'],
    ['ann..smith@acme.co.uk', 'ann..smith', 'acme.co.uk'],
    ['ann@mail.internal', 'ann', 'mail.internal'],
    ['ann@büro.de', 'ann', 'xn--bro-hoa.de'],
  ])('reads %s', (text, local, domain) => {
    expect(read(text)).toEqual({ ok: true, local, domain });
  });

  it.each([
    ['acme.co.uk', /no @ sign/],
    ['@acme.co.uk', /nothing before the @ sign/],
    ['ann@', /nothing after the @ sign/],
    ['ann@acme', /no dot after the @ sign/],
    ['ann@bob@acme.co.uk', /more than one @ sign/],
  ])('refuses %s in words', (text, words) => {
    const result = read(text);
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(words) });
  });
});

describe('readDomain', () => {
  it.each([
    ['Acme.co.uk', 'acme.co.uk'],
    ['https://www.acme.co.uk/contact?x=1', 'www.acme.co.uk'],
    ['@acme.co.uk', 'acme.co.uk'],
    ['*.acme.co.uk', 'acme.co.uk'],
    ['acme.co.uk.', 'acme.co.uk'],
    ['büro.de', 'xn--bro-hoa.de'],
  ])('reads %s', (text, domain) => {
    expect(readDomain(text, idna)).toEqual({ ok: true, domain });
  });

  it.each([
    ['co.uk', /co\.uk is an ending that many organisations share.*example\.co\.uk/],
    ['ann@acme.co.uk', /That is an email address/],
    ['acme.con', /Did you mean acme\.com\?/],
    ['nonsense', /That is not a domain/],
    ['10.0.0.1', /network address/],
  ])('refuses %s in words', (text, words) => {
    expect(readDomain(text, idna)).toMatchObject({ ok: false, message: expect.stringMatching(words) });
  });
});

it('writtenAddress writes text without an @ sign as it was', () => {
  expect(writtenAddress({ local: 'ann', domain: 'acme.co.uk' })).toBe('ann@acme.co.uk');
  expect(writtenAddress({ local: 'not an address', domain: '' })).toBe('not an address');
});
