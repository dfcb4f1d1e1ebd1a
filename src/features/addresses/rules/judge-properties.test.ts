import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addresses as plainContacts } from '#test/support/dirty-data.ts';
import { idna } from '../server/index.ts';
import { identityKey } from './identity.ts';
import { createJudge } from './judge.ts';
import { disposableDomains, generalRoles, placeholderLocals, technicalRoles, typoTargets } from './lists.ts';
import { mailboxKey } from './mailbox.ts';
import { createAddressParser } from './parse.ts';
import { repairAddress } from './repair.ts';
import { createUkFilter, ukClass } from './uk.ts';
import { type DomainEvidence, reasonRules, riskOf, severities, verdictReasons, verdicts } from './verdict.ts';

const judge = createJudge({ idna, cacheSlots: 1024 });
const loose = createJudge({ idna, strict: false, cacheSlots: 1024 });
const { parse } = createAddressParser({ ...idna, cacheSlots: 1024 });
const runs = { numRuns: 3000 };

const letters = fc.stringMatching(/^[a-z]{1,12}$/);
const locals = fc.oneof(
  fc.stringMatching(/^[a-z0-9]{1,8}(?:[._+-][a-z0-9]{1,8}){0,2}$/),
  fc.constantFrom(
    ...generalRoles(),
    ...technicalRoles(),
    ...placeholderLocals(),
    "o'brien",
    'www.jo',
    'José',
    'jо',
    'j..o',
  ),
);
const realDomains = typoTargets().flatMap(({ name, endings }) =>
  endings.map((ending) => `${name}.${ending}`),
);

/** A real provider with one or two letters changed, doubled, swapped or lost. */
const slips = fc
  .tuple(
    fc.constantFrom(...realDomains),
    fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...'abcdeghiklmnopstuy.,')), { maxLength: 2 }),
  )
  .map(([domain, edits]) => {
    let text = domain;
    for (const [place, kind, letter] of edits) {
      const at = place % text.length;
      const next = text[at + 1] ?? '';
      const instead = [letter, '', `${text[at]}${letter}`, `${next}${text[at]}`][kind] as string;
      text = text.slice(0, at) + instead + text.slice(kind === 3 ? at + 2 : at + 1);
    }
    return text;
  });
const domains = fc.oneof(
  slips,
  fc
    .tuple(letters, fc.constantFrom('co.uk', 'uk', 'com', 'couk', 'con', 'sch.uk', 'example', ''))
    .map((parts) => parts.join('.')),
  fc.constantFrom(
    ...[...disposableDomains()].slice(0, 50),
    'example.com',
    'bücher.de',
    'www.gmail.com',
    'gm\u200bail.com',
  ),
);
const addresses = fc.oneof(
  fc.tuple(locals, domains).map(([local, domain]) => `${local}@${domain}`),
  fc.tuple(locals, fc.constantFrom('@@', ' @', '"', '(at)', ''), domains).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const evidence: fc.Arbitrary<DomainEvidence | null> = fc.option(
  fc.record({
    state: fc.constantFrom('mail', 'no_mail', 'null_mx', 'no_such_domain', 'unknown'),
    via: fc.constantFrom('mx', 'address', null),
    checkedAt: fc.constant('2026-11-21T12:00:00Z'),
  }),
);

describe.each([
  ['strict', judge],
  ['not strict', loose],
])('the judge, %s', (_name, judgeIt) => {
  it('never throws, keeps within its words and its scale, and says the same twice', () => {
    fc.assert(
      fc.property(addresses, evidence, (text, found) => {
        const judged = judgeIt(text, found);
        expect(verdicts).toContain(judged.verdict);
        expect(judged.risk).toBe(riskOf(judged.factors));
        expect(judged.risk).toBeGreaterThanOrEqual(0);
        expect(judged.risk).toBeLessThanOrEqual(100);
        if (judged.verdict === 'invalid') expect(judged.risk).toBe(100);
        if (judged.verdict !== 'valid') expect(judged.reasons.length).toBeGreaterThan(0);
        for (const { code, severity, evidence: words } of judged.reasons) {
          expect(verdictReasons).toContain(code);
          expect(severities).toContain(severity);
          expect(words).not.toBe('');
        }
        expect(new Set(judged.reasons.map(({ code }) => code)).size).toBe(judged.reasons.length);
        expect(judgeIt(text, found)).toEqual(judged);
        expect(createJudge({ idna, strict: judgeIt === judge, cacheSlots: 4 })(text, found)).toEqual(judged);
      }),
      { numRuns: 800 },
    );
  });

  it('suggests only another address, sound in itself, for which it suggests nothing more', () => {
    let suggested = 0;
    fc.assert(
      fc.property(addresses, (text) => {
        const { suggestion, address } = judgeIt(text);
        if (suggestion === null) return;
        suggested++;
        expect(suggestion).not.toBe(address);
        const better = judge(suggestion);
        expect(better).toMatchObject({ suggestion: null, address: suggestion, rfcValid: true });
        // A gibberish name stays gibberish under the right domain.
        expect(better.reasons.filter(({ code }) => code !== 'gibberish' && code !== 'role')).toEqual([]);
      }),
      runs,
    );
    expect(suggested).toBeGreaterThan(100);
  });

  it('never finds an address better for what the DNS says against it, nor worse for its silence', () => {
    const order = ['valid', 'unknown', 'risky', 'invalid'];
    fc.assert(
      fc.property(addresses, evidence, (text, found) => {
        const without = judgeIt(text);
        const judged = judgeIt(text, found);
        expect(judged.risk).toBeGreaterThanOrEqual(without.risk);
        expect(order.indexOf(judged.verdict)).toBeGreaterThanOrEqual(order.indexOf(without.verdict));
        if (found?.state === 'unknown') {
          expect(judged.risk).toBe(without.risk);
          expect(judged.verdict).toBe(
            without.verdict === 'valid' && judged.domain !== null ? 'unknown' : without.verdict,
          );
        }
      }),
      runs,
    );
  });
});

it('raises no alarm about 50,000 people at providers and small firms', () => {
  const alarms = [];
  for (const address of plainContacts(50_000)) {
    const { reasons } = judge(address);
    if (reasons.some(({ code }) => code !== 'disposable')) alarms.push(address);
  }
  expect(alarms).toEqual([]);
});

it('never corrects a real provider, whatever stands before it', () => {
  fc.assert(
    fc.property(letters, fc.constantFrom(...realDomains), (local, domain) => {
      expect(judge(`${local}@${domain}`).suggestion).toBeNull();
      expect(judge(`${local}@${domain}`).reasons.map(({ code }) => code)).not.toContain('typo_suspected');
    }),
  );
});

it('adds risk with every reason and takes none away', () => {
  const points = fc.subarray(verdictReasons.map((code) => ({ points: reasonRules[code].points })));
  fc.assert(
    fc.property(points, fc.constantFrom(...verdictReasons), (some, code) => {
      expect(riskOf([...some, { points: reasonRules[code].points }])).toBeGreaterThanOrEqual(riskOf(some));
      expect(reasonRules[code].points).toBeGreaterThanOrEqual(0);
    }),
  );
});

describe('the address parser', () => {
  it('reads back what it wrote, without repairing it again', () => {
    fc.assert(
      fc.property(addresses, (text) => {
        const first = parse(text);
        if (!first.ok) return;
        expect(parse(first.address)).toEqual({ ...first, repairs: [] });
        const key = identityKey(first.local, first.domain);
        expect(parse(key)).toMatchObject({ ok: true, local: first.local, domain: first.domain, repairs: [] });
        expect(repairAddress(first.address).repairs).toEqual([]);
      }),
      runs,
    );
  });

  it('has one identity key for all letter cases', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9.'+-]{1,20}@[a-zA-Z0-9-]{1,10}[.]co[.]uk$/), (text) => {
        const keys = [text, text.toUpperCase(), text.toLowerCase()].map((each) => {
          const parsed = parse(each);
          return parsed.ok ? identityKey(parsed.local, parsed.domain) : parsed.reason;
        });
        expect(new Set(keys).size).toBe(1);
      }),
      runs,
    );
  });
});

describe('the UK rule', () => {
  const filter = createUkFilter();
  it('ends at a dot: a name that only ends alike is another one', () => {
    fc.assert(
      fc.property(
        letters,
        fc.constantFrom('uk', 'btinternet.com', 'gmail.com', 'nhs.net'),
        (name, ending) => {
          expect(ukClass(`${name}.${ending}`)).toBe(ukClass(ending === 'uk' ? 'acme.uk' : ending));
          if (ending === 'uk') expect(filter(`${name}${ending}`)).toBe(false);
          if (ending !== 'uk') expect(ukClass(`${name}x${ending}`)).toBe('not_uk');
        },
      ),
    );
  });

  it('says of a subdomain what it says of the domain', () => {
    fc.assert(
      fc.property(letters, domains, (label, domain) => {
        const parsed = parse(`jo@${domain}`);
        if (!parsed.ok) return;
        expect(ukClass(`${label}.${parsed.domain}`)).toBe(ukClass(parsed.domain));
        expect(filter(`${label}.${parsed.domain}`)).toBe(filter(parsed.domain));
      }),
    );
  });
});

describe('the mailbox key', () => {
  it('is its own key, and the same for every tag', () => {
    fc.assert(
      fc.property(
        locals,
        fc.constantFrom('gmail.com', 'googlemail.com', 'me.com', 'pm.me', 'jo.fastmail.com', 'acme.co.uk'),
        letters,
        (text, domain, tag) => {
          const parsed = parse(`${text}@${domain}`);
          if (!parsed.ok) return;
          const { local } = parsed;
          const key = mailboxKey(local, domain);
          const at = key.lastIndexOf('@');
          expect(mailboxKey(key.slice(0, at), key.slice(at + 1))).toBe(key);
          if (!local.startsWith('+')) expect(mailboxKey(`${local}+${tag}`, domain)).toBe(key);
        },
      ),
    );
  });
});
