import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultAllowedDomains, ukPolicies } from '../contract.ts';
import { idna } from '../server/index.ts';
import { coversDomain, domainAndParents, isPublicSuffix, judgeDomain, normaliseDomain } from './domain.ts';
import { britishOrganisations } from './lists.ts';
import { globalProviders, internationalCountryEndings, ukProviders } from './providers.ts';
import { createUkFilter, ukClass } from './uk.ts';

const label = fc.stringMatching(/^[a-z0-9]{1,5}$/);
const endings = fc.constantFrom(
  'uk',
  'co.uk',
  'notuk',
  'ie',
  'com',
  'london',
  'btinternet.com',
  'gmail.com',
  'nhs.uk',
);
const domains = fc.oneof(
  fc
    .tuple(fc.array(label, { maxLength: 3 }), endings)
    .map(([labels, ending]) => [...labels, ending].join('.')),
  fc.tuple(label, endings).map(([start, ending]) => start + ending),
);

describe('normaliseDomain', () => {
  it.each([
    ['acme.co.uk', 'acme.co.uk'],
    [' Acme.CO.UK ', 'acme.co.uk'],
    ['https://acme.co.uk/contact?x=1#y', 'acme.co.uk'],
    ['http://acme.co.uk:8080', 'acme.co.uk'],
    ['@acme.co.uk', 'acme.co.uk'],
    ['*.acme.co.uk', 'acme.co.uk'],
    ['.acme.co.uk', 'acme.co.uk'],
    ['acme.co.uk.', 'acme.co.uk'],
    ['münchen.de', 'xn--mnchen-3ya.de'],
  ])('%j is %s', (text, domain) => {
    expect(normaliseDomain(text, idna.toAscii)).toEqual({ ok: true, domain });
  });

  it.each([
    ['', 'blank'],
    ['@', 'blank'],
    ['co.uk', 'public_suffix'],
    ['*.uk', 'public_suffix'],
    ['acme', 'no_such_tld'],
    ['acme.couk', 'no_such_tld'],
    ['jo@acme.co.uk', 'several_at'],
    ['acme co.uk', 'space_inside'],
    ['ac\u200bme.co.uk', 'invisible_character'],
    ['192.0.2.7', 'ip_literal'],
    ['a'.repeat(10_000_000), 'domain_too_long'],
  ])('refuses %j: %s', (text, reason) => {
    expect(normaliseDomain(text, idna.toAscii)).toMatchObject({ ok: false, reason });
  });

  it('never throws, and leaves its own results as they are', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), domains), (text) => {
        const first = normaliseDomain(text, idna.toAscii);
        if (first.ok) expect(normaliseDomain(first.domain, idna.toAscii)).toEqual(first);
      }),
      { numRuns: 2000 },
    );
  });
});

it('judges a plain domain as the slower tests do', () => {
  fc.assert(
    fc.property(fc.oneof(domains, fc.stringMatching(/^[a-z0-9.-]{1,70}$/)), (domain) => {
      // An upper-case letter sends the same domain through the slower tests.
      expect(judgeDomain(domain, true, idna)).toEqual(judgeDomain(domain.toUpperCase(), true, idna));
    }),
    { numRuns: 3000 },
  );
});

it.each([
  ['co.uk', true],
  ['uk', true],
  ['acme.co.uk', false],
  ['uk.com', false],
  ['notuk', false],
])('isPublicSuffix(%s) is %s', (domain, expected) => {
  expect(isPublicSuffix(domain)).toBe(expected);
});

it('lists a domain and its parents', () => {
  expect(domainAndParents('a.b.co.uk')).toEqual(['a.b.co.uk', 'b.co.uk', 'co.uk', 'uk']);
});

it('covers exactly the domains that list the suppressed one among themselves and their parents', () => {
  expect(coversDomain('acme.co.uk', 'mail.acme.co.uk')).toBe(true);
  expect(coversDomain('acme.co.uk', 'notacme.co.uk')).toBe(false);
  expect(coversDomain('', 'acme.co.uk')).toBe(false);
  fc.assert(
    fc.property(domains, domains, (suppressed, domain) => {
      expect(coversDomain(suppressed, domain)).toBe(domainAndParents(domain).includes(suppressed));
    }),
  );
});

describe('ukClass', () => {
  it.each([
    ['acme.co.uk', 'uk'],
    ['gov.scot', 'uk'],
    ['acme.wales', 'uk'],
    ['acme.cymru', 'uk'],
    ['acme.london', 'uk'],
    ['btinternet.com', 'likely_uk'],
    ['sky.com', 'likely_uk'],
    ['trust.nhs.net', 'likely_uk'],
    ['acme.uk.com', 'likely_uk'],
    ['orange.net', 'likely_uk'],
    ['belfasttrust.hscni.net', 'likely_uk'],
    ['hwbcymru.net', 'likely_uk'],
    ['bbc.com', 'likely_uk'],
    ['mail.rnli.org', 'likely_uk'],
    ['notbbc.com', 'not_uk'],
    ['gmail.com', 'global'],
    ['yahoo.co.uk', 'uk'],
    ['yahoo.fr', 'not_uk'],
    ['acme.com', 'not_uk'],
    ['notbtinternet.com', 'not_uk'],
    ['acme.notuk', 'not_uk'],
    ['acme.ie', 'not_uk'],
  ])('%s is %s', (domain, expected) => {
    expect(ukClass(domain)).toBe(expected);
  });

  it('has lists of real domains, none of them twice or under .uk', () => {
    for (const domain of britishOrganisations()) {
      expect(ukProviders.has(domain) || globalProviders.has(domain), domain).toBe(false);
    }
    for (const domain of [...ukProviders, ...globalProviders, ...britishOrganisations()]) {
      expect(judgeDomain(domain, true, idna), domain).toMatchObject({ ok: true, domain });
      expect(domain.endsWith('.uk')).toBe(false);
      expect(ukProviders.has(domain) && globalProviders.has(domain), domain).toBe(false);
    }
    for (const ending of internationalCountryEndings) expect(isPublicSuffix(ending), ending).toBe(true);
  });
});

describe('createUkFilter', () => {
  const table: [domain: string, suffix: boolean, likely: boolean, any: boolean][] = [
    ['acme.co.uk', true, true, true],
    ['acme.uk', true, true, true],
    ['acme.notuk', false, false, true],
    ['btinternet.com', false, true, true],
    ['bbc.com', false, true, true],
    ['acme.scot', true, true, true],
    ['gov.wales', true, true, true],
    ['s4c.cymru', true, true, true],
    ['cityoflondon.london', true, true, true],
    ['notlondon', false, false, true],
    ['gmail.com', false, false, true],
    ['acme.com', false, false, true],
    ['acme.ie', false, false, false],
    ['acme.io', false, false, false],
    ['xn--e1afmkfd.xn--p1ai', false, false, false],
  ];
  it.each(table)('%s: suffix %s, likely %s, any but foreign %s', (domain, ...kept) => {
    expect(ukPolicies.map((ukPolicy) => createUkFilter({ ukPolicy })(domain))).toEqual(kept);
  });

  it('reads endings as people type them', () => {
    const keep = createUkFilter({
      allowedDomains: [' .IE', 'ie', 'Acme.com', '*.ac.uk', '', '.рф'],
      toAscii: idna.toAscii,
    });
    expect(['x.ie', 'acme.com', 'a.acme.com', 'leeds.ac.uk', 'xn--e1afmkfd.xn--p1ai'].every(keep)).toBe(true);
    expect(['notacme.com', 'acme.co.uk', 'xie', ''].some(keep)).toBe(false);
  });

  it('keeps every domain of the class uk where .uk is allowed, and nowhere else', () => {
    const all = createUkFilter({ allowedDomains: ['.uk'] });
    const universities = createUkFilter({ allowedDomains: ['.ac.uk', '.ie'] });
    for (const ending of ['scot', 'wales', 'cymru', 'london', 'gb', 'co.uk']) {
      const domain = `acme.${ending}`;
      expect([ukClass(domain), all(domain), universities(domain)]).toEqual(['uk', true, false]);
    }
    fc.assert(
      fc.property(domains, (domain) => {
        expect(all(domain)).toBe(ukClass(domain) === 'uk');
      }),
    );
  });

  it('keeps nothing when nothing is allowed', () => {
    expect(createUkFilter({ allowedDomains: [] })('acme.co.uk')).toBe(false);
  });

  it('agrees with the plain reading of the rule, however often it is asked', () => {
    const lists = fc.array(fc.tuple(fc.constantFrom('', '.'), fc.oneof(endings, domains)), { maxLength: 8 });
    fc.assert(
      fc.property(lists, fc.array(domains, { minLength: 1 }), (entries, asked) => {
        const keep = createUkFilter({ allowedDomains: entries.map(([dot, name]) => dot + name) });
        for (const domain of [...asked, ...asked]) {
          const allowsUk = entries.some(([, name]) => name === 'uk');
          const expected =
            entries.some(([, name]) => `.${domain}`.endsWith(`.${name}`)) ||
            (allowsUk && ukClass(domain) === 'uk');
          expect(keep(domain)).toBe(expected);
        }
      }),
    );
  });

  it('has the default endings', () => {
    expect(defaultAllowedDomains.join(', ')).toBe(
      '.uk, .co.uk, .org.uk, .me.uk, .ac.uk, .gov.uk, .nhs.uk, .police.uk',
    );
  });
});
