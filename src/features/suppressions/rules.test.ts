import { domainToASCII, domainToUnicode } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { SuppressionReason } from './contract.ts';
import { createAddressReader, readDomain, searchText, withReason, writtenAddress } from './rules.ts';

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

describe('an entry that is given another reason', () => {
  const entry = (reason: SuppressionReason, refusesAll = false) => ({ reason, refusesAll, note: 'By phone' });

  it.each([
    ['manual', 'unsubscribed', 'unsubscribed', false],
    ['imported', 'complained', 'complained', false],
    ['bounced', 'unsubscribed', 'unsubscribed', true],
    ['bounced', 'complained', 'complained', false],
    ['unsubscribed', 'complained', 'complained', false],
    ['unsubscribed', 'bounced', 'unsubscribed', true],
    ['manual', 'bounced', 'manual', true],
  ] as const)('%s, then %s: says %s, and refuses receipts besides: %s', (was, reason, now, refusesAll) => {
    const next = withReason(entry(was), { reason, note: 'From “News”' });
    expect(next).toMatchObject({ reason: now, refusesAll });
    for (const part of ['By phone', 'From “News”']) expect(next?.note).toContain(part);
  });

  it.each([
    ['unsubscribed', 'unsubscribed'],
    ['complained', 'unsubscribed'],
    ['erased', 'complained'],
    ['complained', 'bounced'],
    ['bounced', 'bounced'],
  ] as const)('%s, then %s: says as much already', (was, reason) => {
    expect(withReason(entry(was), { reason, note: null })).toBeNull();
  });

  it('keeps refusing receipts, once it does', () => {
    expect(withReason(entry('unsubscribed', true), { reason: 'bounced', note: null })).toBeNull();
    const complained = withReason(entry('unsubscribed', true), { reason: 'complained', note: null });
    expect(complained).toMatchObject({ reason: 'complained', refusesAll: true });
  });
});

it('searchText takes off blanks and capitals', () => {
  expect(searchText('  Ann@ ')).toBe('ann@');
});

it('writtenAddress writes text without an @ sign as it was', () => {
  expect(writtenAddress({ local: 'ann', domain: 'acme.co.uk' })).toBe('ann@acme.co.uk');
  expect(writtenAddress({ local: 'not an address', domain: '' })).toBe('not an address');
});
