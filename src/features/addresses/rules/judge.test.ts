import { describe, expect, it } from 'vitest';
import {
  addressKinds,
  createJudge,
  type DomainEvidence,
  describeVerdictReason,
  mailboxKey,
  severities,
  verdictReasons,
  verdicts,
} from '../rules.ts';
import { idna } from '../server/index.ts';

const judge = createJudge({ idna, cacheSlots: 64 });
const loose = createJudge({ idna, strict: false, cacheSlots: 64 });
const codes = (text: string) => judge(text).reasons.map((reason) => reason.code);

describe('the judge', () => {
  it('sees a slip in the domain and suggests the one that was meant', () => {
    expect(judge('jo@gmial.com')).toMatchObject({ verdict: 'risky', suggestion: 'jo@gmail.com' });
    expect(codes('jo@gmial.com')).toEqual(['typo_suspected']);
  });

  it('knows an old UK provider', () => {
    expect(judge('sam@ntlworld.com')).toMatchObject({
      verdict: 'valid',
      suggestion: null,
      uk: 'likely_uk',
      kind: 'free',
      isFree: true,
    });
  });

  it('marks a post as one, and does not hold it back', () => {
    expect(judge('info@acme.co.uk')).toMatchObject({
      verdict: 'valid',
      kind: 'role',
      isRole: true,
      risk: 10,
    });
    expect(judge('no-reply@acme.co.uk')).toMatchObject({ verdict: 'risky', isRole: true });
    expect(judge('admin@parliament.uk')).toMatchObject({ uk: 'uk', kind: 'government', isRole: true });
    expect(codes('admin@parliament.uk')).toEqual(['role']);
  });

  it('knows throwaway mailboxes, and those below them', () => {
    expect(judge('x@mailinator.com')).toMatchObject({
      verdict: 'risky',
      kind: 'disposable',
      isDisposable: true,
    });
    expect(judge('x@sub.mailinator.com').isDisposable).toBe(true);
  });

  it.each([
    ['jo@stmarys.kent.sch.uk', 'academic'],
    ['jo@leeds.ac.uk', 'academic'],
    ['jo@nhs.net', 'nhs'],
    ['jo@met.police.uk', 'police'],
    ['jo@gov.scot', 'government'],
    ['jo@llyw.cymru', 'government'],
    ['jo@acme.co.uk', 'corporate'],
    ['jo@yahoo.co.uk', 'free'],
    ['jo@bt.com', 'corporate'],
  ])('%s is %s', (address, kind) => {
    expect(judge(address)).toMatchObject({ kind, verdict: 'valid', reasons: [] });
  });

  it('lets no invisible and no look-alike letter through', () => {
    expect(judge('jo@ac\u200bme.co.uk')).toMatchObject({ verdict: 'invalid', suggestion: 'jo@acme.co.uk' });
    expect(codes('jo@ac\u200bme.co.uk')).toContain('invisible_characters');
    expect(judge('j\u043e@acme.co.uk')).toMatchObject({ verdict: 'invalid', suggestion: 'jo@acme.co.uk' });
    expect(codes('j\u043e@acme.co.uk')).toContain('mixed_script');
  });

  it.each([
    ['priya @ the yahoo.co.uk', 'priya@yahoo.co.uk'],
    ['jo@my own BTinternet.com', 'jo@BTinternet.com'],
    ['jo@hot mail.com', 'jo@hotmail.com'],
    ['jo@gmail com', 'jo@gmail.com'],
    ['jo@gmail, com', 'jo@gmail.com'],
    ['jo@yahoo co uk', 'jo@yahoo.co.uk'],
    ['jo @ acme.co.uk', 'jo@acme.co.uk'],
    ['jo@acme . co. uk', 'jo@acme.co.uk'],
    ['jo@acme.co uk', 'jo@acme.co.uk'],
    ['jo@the acme.co.uk', null],
    ['jo@acme co.uk', null],
    ['jo@acme plumbing.co.uk', null],
    ['jo@blue sky.com', null],
    ['jo@the acme.uk.com', null],
    ['jo@acme.co.uk gmail.com', null],
    ['jo@gmail.com or acme.com', null],
    ['jo@acme.co.uk, London', null],
    ['jo@leeds gov.uk', null],
  ])('%s: of words with blanks between them it makes no domain that nobody wrote', (address, suggestion) => {
    expect(judge(address)).toMatchObject({ verdict: 'invalid', suggestion });
  });

  it('tells the book from what can be mailed', () => {
    expect(judge('a@b')).toMatchObject({ verdict: 'invalid', suggestion: null });
    expect(judge('"a b"@acme.co.uk')).toMatchObject({ rfcValid: true, verdict: 'invalid' });
    expect(codes('"a b"@acme.co.uk')).toEqual(['not_strict']);
    expect(judge('jo@bücher.example')).toMatchObject({ rfcValid: true, verdict: 'invalid' });
    expect(codes('jo@bücher.example')).toEqual(['reserved_tld']);
    expect(loose('jo..smith@acme.co.uk')).toMatchObject({ verdict: 'risky', local: 'jo..smith' });
  });

  it('without strict rules, thinks first about what they refuse, and suggests as much', () => {
    expect(loose('"ab"@acme.co.uk')).toMatchObject({ rfcValid: true, verdict: 'risky', risk: 70 });
    expect(loose('jo@acme.con')).toMatchObject({ verdict: 'risky', suggestion: 'jo@acme.com' });
    expect(loose('jo..x@acme.co.uk')).toMatchObject({ rfcValid: false, suggestion: 'jo.x@acme.co.uk' });
    expect(loose('jo@acme.co.uk')).toMatchObject({ verdict: 'valid', risk: 0 });
    expect(loose('jo')).toMatchObject({ verdict: 'invalid' });
  });

  it('says what it saw, also where the correction is not worth suggesting', () => {
    expect(judge('test@gmial.com').suggestion).toBeNull();
    expect(judge('test@gmial.com').reasons.map((reason) => reason.evidence)).toContain(
      'gmial.com looks like a slip for gmail.com',
    );
    expect(judge('www.jo@acme.co.uk').reasons[0]?.evidence).toBe('Probably meant: jo@acme.co.uk');
  });

  it('knows which endings the workspace keeps', () => {
    const irish = createJudge({ idna, allowedDomains: ['.ie'], cacheSlots: 64 });
    expect([irish('jo@acme.ie').isAllowed, irish('jo@acme.co.uk').isAllowed]).toEqual([true, false]);
    expect([judge('jo@acme.ie').isAllowed, judge('jo@acme.co.uk').isAllowed]).toEqual([false, true]);
  });

  it('knows what people type to get past a form', () => {
    expect(codes('test@example.com')).toEqual(['placeholder']);
    for (const text of ['asdf@asdf.com', 'a@a.com', 'none@none.com']) {
      expect(judge(text), text).toMatchObject({ verdict: 'invalid' });
    }
    expect(judge('noemail@acme.co.uk')).toMatchObject({ verdict: 'risky' });
  });

  it.each<[DomainEvidence['state'], string, number]>([
    ['no_such_domain', 'invalid', 100],
    ['no_mail', 'invalid', 100],
    ['null_mx', 'invalid', 100],
    ['unknown', 'unknown', 0],
    ['mail', 'valid', 0],
  ])('takes in the evidence %s', (state, verdict, risk) => {
    const evidence: DomainEvidence = {
      state,
      via: state === 'mail' ? 'mx' : null,
      checkedAt: '2026-11-21T12:00:00Z',
    };
    expect(judge('jo@acme.co.uk', evidence)).toMatchObject({ verdict, risk });
  });
});

it.each([
  ['j.o.smith+news', 'googlemail.com', 'josmith@gmail.com'],
  ['jo+x', 'outlook.com', 'jo@outlook.com'],
  ['jo+x', 'me.com', 'jo@icloud.com'],
  ['any', 'jo.fastmail.com', 'jo@fastmail.com'],
  ['jo.smith', 'acme.co.uk', 'jo.smith@acme.co.uk'],
  ['+jo', 'acme.co.uk', '+jo@acme.co.uk'],
])('the mailbox of %s at %s is %s', (local, domain, key) => {
  expect(mailboxKey(local, domain)).toBe(key);
});

it('has a heading for every reason, and codes that are each one thing', () => {
  for (const code of verdictReasons) expect(describeVerdictReason(code)).toMatch(/^[A-Z].*[^.]$/);
  for (const codesOfOneKind of [verdicts, verdictReasons, addressKinds, severities]) {
    expect(new Set(codesOfOneKind).size).toBe(codesOfOneKind.length);
  }
});
