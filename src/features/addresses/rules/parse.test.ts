import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idna } from '../server/index.ts';
import { identityKey, normaliseLocal, splitUnchecked } from './identity.ts';
import { invalidEmailMessage, looksLikeEmail } from './looks-like-email.ts';
import { createAddressParser } from './parse.ts';
import { addressReasons, describeReason } from './reasons.ts';
import { repairAddress } from './repair.ts';

const strict = createAddressParser({ ...idna, cacheSlots: 64 });
const loose = createAddressParser({ ...idna, strict: false, cacheSlots: 64 });

const long = 'a'.repeat(64);

const accepted: [text: string, key: string][] = [
  ['jo.smith12@acme.co.uk', 'jo.smith12@acme.co.uk'],
  ['Jo.Smith@ACME.Co.UK', 'jo.smith@acme.co.uk'],
  ["o'brien@acme.co.uk", "o'brien@acme.co.uk"],
  ['jo+news@acme.co.uk', 'jo+news@acme.co.uk'],
  ['1jo@1and1.co.uk', '1jo@1and1.co.uk'],
  ['j@x.uk', 'j@x.uk'],
  [`${long}@acme.co.uk`, `${long}@acme.co.uk`],
  ['jo@münchen.de', 'jo@xn--mnchen-3ya.de'],
  ['jo@xn--mnchen-3ya.de', 'jo@xn--mnchen-3ya.de'],
  ['jo@пример.рф', 'jo@xn--e1afmkfd.xn--p1ai'],
  ['jo@ａｃｍｅ.co.uk', 'jo@acme.co.uk'],
  ['José@acme.co.uk', 'josé@acme.co.uk'],
  ['Jose\u0301@acme.co.uk', 'josé@acme.co.uk'],
  ['иван@acme.co.uk', 'иван@acme.co.uk'],
  ['jo@a.b.c.d.acme.co.uk', 'jo@a.b.c.d.acme.co.uk'],
  ['jo@uk.com', 'jo@uk.com'],
  ['jo@trust.nhs.uk', 'jo@trust.nhs.uk'],
  ['jo@school.leeds.sch.uk', 'jo@school.leeds.sch.uk'],
  ["'jo@acme.co.uk'", 'jo@acme.co.uk'],
  [' jo@acme.co.uk\u00a0', 'jo@acme.co.uk'],
  ['jo@acme.co.uk.', 'jo@acme.co.uk'],
  ['\u200bjo@acme.co.uk\ufeff', 'jo@acme.co.uk'],
];

const refused: [text: string, reason: string, suggestion?: string][] = [
  ['', 'blank'],
  [' \t\u00a0\u200b', 'blank'],
  ['.', 'no_at'],
  ['n/a', 'no_at'],
  ['jo.acme.co.uk', 'no_at'],
  ['jo@@acme.co.uk', 'several_at'],
  ['jo@acme.co.uk, ann@acme.co.uk', 'several_at'],
  ['jo smith@acme.co.uk', 'space_inside'],
  ['jo @acme.co.uk', 'space_inside'],
  ['jo@acme.co .uk', 'space_inside'],
  ['jo\u200b@acme.co.uk', 'invisible_character'],
  ['jo@ac\u00adme.co.uk', 'invisible_character'],
  ['jo\u{e0041}x@acme.co.uk', 'invisible_character'],
  ['@acme.co.uk', 'local_missing'],
  [`${long}a@acme.co.uk`, 'local_too_long'],
  [`${'é'.repeat(33)}@acme.co.uk`, 'local_too_long'],
  ['.jo@acme.co.uk', 'local_dots'],
  ['jo.@acme.co.uk', 'local_dots'],
  ['jo..smith@acme.co.uk', 'local_dots'],
  ['jo(x)@acme.co.uk', 'local_characters'],
  ['jo\0@acme.co.uk', 'local_characters'],
  ['jo\ud800@acme.co.uk', 'local_characters'],
  ['jo\ufffd@acme.co.uk', 'local_characters'],
  ['"jo smith"@acme.co.uk', 'quoted_local'],
  ['jo@', 'domain_missing'],
  ['jo@-acme.co.uk', 'domain_label'],
  ['jo@acme-.co.uk', 'domain_label'],
  ['jo@ab--cd.co.uk', 'domain_label'],
  ['jo@acme..co.uk', 'domain_label'],
  ['jo@.acme.co.uk', 'domain_label'],
  [`jo@${long}.co.uk`, 'domain_label'],
  ['jo@xn--zzzzzz.co.uk', 'domain_label'],
  ['jo@ac_me.co.uk', 'domain_characters'],
  ['jo@acme.co,uk', 'domain_characters'],
  ['jo@acme/x.co.uk', 'domain_characters'],
  ['jo@☃.co.uk', 'domain_characters'],
  ['jo@a\ud800.co.uk', 'domain_characters'],
  [`j@${`${'a'.repeat(60)}.`.repeat(5)}co.uk`, 'domain_too_long'],
  [`${long}@${`${'a'.repeat(60)}.`.repeat(4)}uk`, 'too_long'],
  ['a'.repeat(5000), 'too_long'],
  ['kim@notuk', 'no_such_tld'],
  ['x@leedsweavers.couk', 'no_such_tld', 'x@leedsweavers.co.uk'],
  ['Jo@Acme.CON', 'no_such_tld', 'Jo@acme.com'],
  ['jo@acme.co.ukk', 'no_such_tld', 'jo@acme.co.uk'],
  ['jo@acme.co.u', 'no_such_tld', 'jo@acme.co.uk'],
  ['jo@acme.org.ku', 'no_such_tld', 'jo@acme.org.uk'],
  ['jo@acme.123', 'no_such_tld'],
  ['jo@acme.zzzz', 'no_such_tld'],
  ['jo@a.test', 'reserved_tld'],
  ['jo@shop.example', 'reserved_tld'],
  ['jo@localhost', 'reserved_tld'],
  ['jo@1.2.0.192.in-addr.arpa', 'reserved_tld'],
  ['jo@home.arpa', 'reserved_tld'],
  ['jo@router.home.arpa', 'reserved_tld'],
  ['jo@x.ip6.arpa', 'reserved_tld'],
  ['jo@anything.arpa', 'reserved_tld'],
  ['\u0301jo@acme.co.uk', 'local_characters'],
  ['\u0308jo@acme.co.uk', 'local_characters'],
  ['\u093ejo@acme.co.uk', 'local_characters'],
  ['jo.\u0301smith@acme.co.uk', 'local_characters'],
  ['jo+\u0327@acme.co.uk', 'local_characters'],
  ['\u0301@acme.co.uk', 'local_characters'],
  ['jo@printer.local', 'reserved_tld'],
  ['jo@co.uk', 'public_suffix'],
  ['jo@uk', 'public_suffix'],
  ['jo@[192.0.2.7]', 'ip_literal'],
  ['jo@192.0.2.7', 'ip_literal'],
  ['jо.smith@acme.co.uk', 'mixed_script'],
  ['jo@acmе.co.uk', 'mixed_script'],
  [`jo@${idna.toAscii('acmе.co.uk')}`, 'mixed_script'],
];

describe('parse, strict', () => {
  it.each(accepted)('takes %j as %j', (text, key) => {
    const parsed = strict.parse(text);
    expect(parsed.ok && identityKey(parsed.local, parsed.domain)).toBe(key);
  });

  it.each(refused)('refuses %j: %s', (text, reason, suggestion) => {
    for (let turn = 0; turn < 2; turn++) {
      const parsed = strict.parse(text);
      expect(parsed.ok ? 'taken' : parsed.reason).toBe(reason);
      expect(parsed.ok ? null : parsed.suggestion).toBe(suggestion ?? null);
    }
  });

  it('names an invisible character', () => {
    expect(strict.parse('jo\u200b@acme.co.uk')).toMatchObject({ detail: 'U+200B' });
  });

  it('keeps the address as it was written', () => {
    expect(strict.parse('Jo@Acme.co.uk')).toEqual({
      ok: true,
      address: 'Jo@Acme.co.uk',
      local: 'jo',
      domain: 'acme.co.uk',
      meantDomain: null,
      repairs: [],
    });
    expect(strict.parse(' Jo@Acme.co.uk;')).toMatchObject({
      address: 'Jo@Acme.co.uk',
      repairs: ['trimmed', 'punctuation'],
    });
  });

  it('gives the same answers when the cache is far too small', () => {
    const tiny = createAddressParser({ ...idna, cacheSlots: 4 });
    const texts = Array.from({ length: 300 }, (_, n) => `jo@Firm${n % 60}.${n % 7 ? 'co.uk' : 'couk'}`);
    const large = createAddressParser(idna);
    for (const text of texts) expect(tiny.parse(text)).toEqual(large.parse(text));
  });

  it('is not fooled by domains of the same hash', () => {
    // 31 × 'a' + 'n' = 31 × 'c' + '0' in the running hash.
    for (const name of ['an', 'c0', 'an', 'c0']) {
      expect(strict.parse(`jo@${name}.co.uk`)).toMatchObject({ domain: `${name}.co.uk` });
    }
  });
});

it.each([
  '/o=ExchangeLabs/ou=Exchange Administrative Group (FYDIBOHF23SPDLT)/cn=Recipients/cn=8e2-jane',
  '/O=ACME/OU=LEEDS/CN=RECIPIENTS/CN=JANE',
])('says of %j what it is', (text) => {
  for (const { parse } of [strict, loose])
    expect(parse(text)).toMatchObject({ reason: 'no_at', detail: expect.stringContaining('Exchange') });
  expect(describeReason('no_at')).toBe('No @ sign');
});

describe('parse, not strict', () => {
  it.each([
    ['kim@weavers.couk', 'kim@weavers.couk'],
    ['jo..smith@acme.co.uk', 'jo..smith@acme.co.uk'],
    ['jo@shop.example', 'jo@shop.example'],
    ['jo@co.uk', 'jo@co.uk'],
    ['jo(x)@-acme.co.uk', 'jo(x)@-acme.co.uk'],
    [' jo@acme.co.uk', 'jo@acme.co.uk'],
  ])('takes %j', (text, key) => {
    const parsed = loose.parse(text);
    expect(parsed.ok && identityKey(parsed.local, parsed.domain)).toBe(key);
  });

  it.each([
    ['jo', 'no_at'],
    ['@acme.co.uk', 'local_missing'],
    ['jo@', 'domain_missing'],
    ['jo@notuk', 'domain_no_dot'],
    ['jo@acme.u', 'no_such_tld'],
    ['jo@acme.12', 'no_such_tld'],
    ['jo@a@acme.co.uk', 'several_at'],
    ['jo\u200b@acme.co.uk', 'invisible_character'],
    ['j o@acme.co.uk', 'space_inside'],
    ['jo\0@acme.co.uk', 'local_characters'],
  ])('refuses %j: %s', (text, reason) => {
    expect(loose.parse(text)).toMatchObject({ ok: false, reason });
  });
});

describe('repairAddress', () => {
  it.each([
    ['jo@acme.co.uk', 'jo@acme.co.uk', []],
    ['  jo@acme.co.uk\r\n', 'jo@acme.co.uk', ['trimmed']],
    ['\u00a0jo@acme.co.uk\u3000', 'jo@acme.co.uk', ['trimmed']],
    ['\u200ejo@acme.co.uk\u{e0001}', 'jo@acme.co.uk', ['invisible']],
    ['mailto:jo@acme.co.uk?subject=Hi', 'jo@acme.co.uk', ['mailto']],
    ['MAILTO:o%27brien@acme.co.uk', "o'brien@acme.co.uk", ['mailto']],
    ['mailto:a%zz@acme.co.uk', 'a%zz@acme.co.uk', ['mailto']],
    ['Tom Ashdown <tom@x.co.uk>', 'tom@x.co.uk', ['display_name']],
    ['Tom Ashdown (tom@x.co.uk)', 'tom@x.co.uk', ['display_name']],
    ['"Ashdown, Tom" (TOM@x.co.uk);', 'TOM@x.co.uk', ['punctuation', 'display_name']],
    ['"Ashdown, Tom" <tom@x.co.uk>;', 'tom@x.co.uk', ['punctuation', 'display_name']],
    ['<tom@x.co.uk>', 'tom@x.co.uk', ['brackets']],
    ['“tom@x.co.uk”', 'tom@x.co.uk', ['quotes']],
    ['"<mailto:tom@x.co.uk>",', 'tom@x.co.uk', ['punctuation', 'quotes', 'brackets', 'mailto']],
    ['jo\u200b@acme.co.uk', 'jo\u200b@acme.co.uk', []],
    ['ｊｏ＠ａｃｍｅ．ｃｏ．ｕｋ', 'jo@acme.co.uk', ['letters']],
    ['jo＠acme.co.uk', 'jo@acme.co.uk', ['letters']],
    ['Ｊo.Ｓmith７@acme.co.uk', 'Jo.Smith7@acme.co.uk', ['letters']],
    ['jo@acme。co。uk', 'jo@acme.co.uk', ['letters']],
    ['jo@acme｡co．uk。', 'jo@acme.co.uk', ['letters', 'punctuation']],
    ['jo＋news@acme.co.uk', 'jo+news@acme.co.uk', ['letters']],
    ['ﬁona@acme.co.uk', 'fiona@acme.co.uk', ['letters']],
    ['𝐣𝐨@acme.co.uk', 'jo@acme.co.uk', ['letters']],
    ['李＠例え.jp', '李@例え.jp', ['letters']],
    ['Jo ＜jo＠acme.co.uk＞', 'jo@acme.co.uk', ['letters', 'display_name']],
    ['o’brien@acme.co.uk', "o'brien@acme.co.uk", ['apostrophe']],
    ['O‘Brien@acme.co.uk', "O'Brien@acme.co.uk", ['apostrophe']],
    ['oʼbrien@acme.co.uk', "o'brien@acme.co.uk", ['apostrophe']],
    ['o´brien@acme.co.uk', "o'brien@acme.co.uk", ['apostrophe']],
    ['niamh.o′neill@acme.co.uk', "niamh.o'neill@acme.co.uk", ['apostrophe']],
    ['d’arcy-o’hara@acme.co.uk', "d'arcy-o'hara@acme.co.uk", ['apostrophe']],
    ['‘jo@acme.co.uk’', 'jo@acme.co.uk', ['quotes']],
    ['jo@o’brien.co.uk', 'jo@o’brien.co.uk', []],
    ['jo@acme.co.uk (home)', 'jo@acme.co.uk', ['comment', 'trimmed']],
    ['jo@acme.co.uk(home)', 'jo@acme.co.uk', ['comment']],
    ['jo@acme.co.uk (Jo Smith, not Fridays).', 'jo@acme.co.uk', ['punctuation', 'comment', 'trimmed']],
    ['(work) jo@acme.co.uk', 'jo@acme.co.uk', ['comment', 'trimmed']],
    ['Jo Smith <jo@acme.co.uk> (home)', 'jo@acme.co.uk', ['comment', 'trimmed', 'display_name']],
    ['(jo@acme.co.uk)', 'jo@acme.co.uk', ['brackets']],
    ['[jo@acme.co.uk]', 'jo@acme.co.uk', ['brackets']],
    ['{jo@acme.co.uk}', 'jo@acme.co.uk', ['brackets']],
    ['jo@acme.co.uk (ann@acme.co.uk)', 'jo@acme.co.uk (ann@acme.co.uk)', []],
    ['(ann@acme.co.uk) jo@acme.co.uk', '(ann@acme.co.uk) jo@acme.co.uk', []],
    ['jo(home)@acme.co.uk', 'jo(home)@acme.co.uk', []],
    ['jo@[192.0.2.7]', 'jo@[192.0.2.7]', []],
    ['jo@acme.co.uk.', 'jo@acme.co.uk', ['punctuation']],
    ['jo@acme.co.uk...', 'jo@acme.co.uk', ['punctuation']],
    ['jo@acme.co.uk…', 'jo@acme.co.uk', ['punctuation']],
    ['jo@acme.co.uk:', 'jo@acme.co.uk', ['punctuation']],
    ['jo@acme.co.uk!?', 'jo@acme.co.uk', ['punctuation']],
    ['<jo@acme.co.uk.>', 'jo@acme.co.uk', ['brackets', 'punctuation']],
    ["'jo@acme.co.uk", "'jo@acme.co.uk", []],
    ['marilyn@x.co.uk', 'marilyn@x.co.uk', []],
  ])('%j becomes %j', (text, address, repairs) => {
    expect(repairAddress(text)).toEqual({ address, repairs });
  });
});

/** Text that is often almost an address. */
const scraps = fc.array(
  fc.oneof(
    fc.constantFrom(
      '@',
      '.',
      'jo',
      'acme',
      'co.uk',
      'couk',
      '<',
      '>',
      '"',
      "'",
      'mailto:',
      '?',
      ' ',
      ',',
      ';',
      '%40',
    ),
    fc.constantFrom(
      '\u200b',
      '\u00a0',
      'É',
      'e\u0301',
      'İ',
      'Σ',
      'о',
      '[',
      ']',
      'xn--',
      '-',
      '\0',
      '\ud800',
      '\udc00',
      '。',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  ),
  { maxLength: 14 },
);
const nearly = scraps.map((parts) => parts.join(''));
const withAt = fc.tuple(nearly, nearly).map(([local, name]) => `${local}@${name}.co.uk`);
const anyText = fc.oneof(nearly, withAt);
const runs = { numRuns: 3000 };

describe.each([
  ['strict', strict],
  ['not strict', loose],
])('any text, %s', (_name, { parse }) => {
  it('never throws, and every refusal has a sentence', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = parse(text);
        if (!parsed.ok) expect(describeReason(parsed.reason, parsed.detail)).toMatch(/^[A-Z].*[^.]$/s);
      }),
      runs,
    );
  });

  it('gives the same identity key for the address it returned, and for the key itself', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const first = parse(text);
        if (!first.ok) return;
        const key = identityKey(first.local, first.domain);
        for (const again of [parse(first.address), parse(key)]) {
          expect(again.ok && identityKey(again.local, again.domain)).toBe(key);
        }
      }),
      runs,
    );
  });

  it('lets no invisible character, control character, blank or broken text through', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = parse(text);
        if (!parsed.ok) return;
        expect(parsed.address).not.toMatch(/[\p{Cf}\p{Cc}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}]/u);
        expect(parsed.domain).toMatch(/^[a-z0-9.-]+$/);
      }),
      runs,
    );
  });

  it.each(['a@\u0000.co.uk', 'a@b\u0000c.co.uk', 'a@b.co.uk\u0000', 'a\u0000b@c.co.uk'])(
    'refuses a NUL wherever it stands: %j',
    (text) => {
      const parsed = parse(text);
      expect(parsed.ok && parsed.address.includes('\u0000')).toBe(false);
    },
  );

  it('suggests only addresses it would take itself, for the local part it was given', () => {
    for (const ending of ['couk', 'con', 'co.ukk', 'orguk', 'co.k', 'nett', 'zz']) {
      const parsed = parse(`jo@acme.${ending}`);
      if (!parsed.ok && parsed.suggestion) expect(parse(parsed.suggestion).ok).toBe(true);
    }
  });
});

it('repairs once: repairing the result changes nothing', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { address: once, repairs } = repairAddress(text);
      expect(repairAddress(once)).toEqual({ address: once, repairs: [] });
      const isRewritten = repairs.some((repair) => ['letters', 'apostrophe', 'mailto'].includes(repair));
      expect(text).toContain(isRewritten ? '' : once);
    }),
    runs,
  );
});

it('takes nothing on the short way that a repair would still change', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const parsed = strict.parse(text);
      if (parsed.ok && parsed.repairs.length === 0) expect(repairAddress(text).repairs).toEqual([]);
    }),
    runs,
  );
});

it('lower-cases a local part to the same form every time', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (text) => normaliseLocal(normaliseLocal(text)) === normaliseLocal(text),
    ),
    {
      numRuns: 3000,
    },
  );
});

it.each([
  ['a'.repeat(10_000_000)],
  [' '.repeat(10_000_000)],
  ['\u200b'.repeat(10_000_000)],
  ['"'.repeat(10_000_000)],
  ['<'.repeat(10_000_000)],
  ['@'.repeat(10_000_000)],
  [`a@${'b.'.repeat(5_000_000)}`],
  ['\ud800'.repeat(10_000_000)],
  ['mailto:'.repeat(1_400_000)],
])('answers promptly for ten million characters (case %#)', (text) => {
  const before = process.cpuUsage();
  expect(strict.parse(text).ok).toBe(false);
  expect(loose.parse(text).ok).toBe(false);
  // Processor time, so that a busy machine does not count. A rule that is not linear would take
  // hours.
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10);
});

it('describes every reason in one line', () => {
  for (const reason of addressReasons) expect(describeReason(reason)).toMatch(/^[A-Z][^\n]*[^.]$/);
  expect(describeReason('no_such_tld')).toBe('No such ending');
  expect(describeReason('space_inside')).toBe('Space inside the address');
  expect(describeReason('not_uk', 'acme.ie')).toBe('Ends in .ie');
  expect(describeReason('not_uk', '.ie')).toBe('Ends in .ie');
});

it('splits what is no address without losing it', () => {
  expect(splitUnchecked('Jo Smith')).toEqual({ local: 'jo smith', domain: '' });
  expect(splitUnchecked('A@b@Acme.COUK')).toEqual({ local: 'a@b', domain: 'acme.couk' });
});

describe('looksLikeEmail', () => {
  it.each([
    'jo@acme.co.uk',
    ' jo@acme.co.uk ',
    "o'brien+x@a.uk",
    'jo@acme.com',
    'jo@пример.рф',
    'jo@x.xn--p1ai',
  ])('%j does', (text) => {
    expect(looksLikeEmail(text)).toBe(true);
  });
  it.each([
    '',
    'jo',
    '@acme.co.uk',
    'jo@',
    'jo@acme',
    'jo@.uk',
    'jo@acme.u',
    'jo@acme.12',
    'j o@acme.uk',
    'a@b@c.uk',
    'jo@acme.',
  ])('%j does not', (text) => {
    expect(looksLikeEmail(text)).toBe(false);
  });
  it('has the words of the form', () => {
    expect(invalidEmailMessage).toBe('Please enter a valid UK email address');
  });
  it('lets through whatever the general pattern of the parser takes', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = loose.parse(text);
        if (parsed.ok) expect(looksLikeEmail(identityKey(parsed.local, parsed.domain))).toBe(true);
      }),
      runs,
    );
  });
});
