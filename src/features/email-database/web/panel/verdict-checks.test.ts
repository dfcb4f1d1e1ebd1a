import { describe, expect, it } from 'vitest';
import { createJudge, type DomainEvidence, describeVerdictReason } from '#features/addresses/rules.ts';
import type { ContactEvidence } from '#features/verification/contract.ts';
import { checksOf } from './verdict-checks.ts';

// Every domain here is already ASCII.
const idna = { toAscii: (domain: string) => domain };
const judge = createJudge({ strict: true, allowedDomains: ['uk'], idna });
const loose = createJudge({ strict: false, allowedDomains: ['uk'], idna });
const at = '2026-11-18T10:14:00.000Z';
const asked = '2026-11-17T09:00:00.000Z';

/** The server's answer for an address, made by the rules themselves. */
function evidenceOf(
  address: string,
  dns: Pick<DomainEvidence, 'state' | 'via'> | null = null,
  judgeIt = judge,
): ContactEvidence {
  const mailServer = dns && { ...dns, checkedAt: asked };
  const judged = judgeIt(address, mailServer);
  const { rfcValid, verdict, suggestion, uk, kind, risk } = judged;
  return {
    ...{ address: judged.address, rfcValid, verdict, suggestion, uk, kind, risk },
    reasons: judged.reasons.map(({ code }) => code),
    evidence: judged.reasons.map(({ code, evidence }) => ({
      reason: code,
      words: describeVerdictReason(code),
      text: evidence,
      checkedAt: at,
    })),
    factors: judged.factors.map(({ code, points, words }) => ({ reason: code, points, words })),
    isStored: true,
    mailServer: judged.domain === null ? null : mailServer,
  };
}

const line = ({ label, mark, finding, points }: ReturnType<typeof checksOf>[number]) =>
  `${mark}: ${label}: ${finding}${points > 0 ? ` +${points}` : ''}`;
const lines = (...given: Parameters<typeof evidenceOf>) => checksOf(evidenceOf(...given)).map(line);

describe('the checks of a verdict', () => {
  it('are four, each with what was found', () => {
    expect(lines('Eilidh.MacRae@stravaigcraft.scot', { state: 'mail', via: 'mx' })).toEqual([
      'good: Syntax: Well formed, .scot exists',
      'good: Mail server: Found, by its MX record',
      'good: Mailbox kind: Corporate, not a role',
      'good: Typing: No typo suspected',
    ]);
  });

  it('say so where nobody asked for the mail server, and when somebody did', () => {
    expect(lines('jo@btinternet.com')[1]).toBe('unmeasured: Mail server: Not looked up');
    const [, server] = checksOf(evidenceOf('jo@btinternet.com', { state: 'mail', via: 'mx' }));
    expect(server).toMatchObject({ lookedUpAt: asked, seen: null });
  });

  it.each<[string, Pick<DomainEvidence, 'state' | 'via'>]>([
    ['bad: Mail server: The domain does not exist +100', { state: 'no_such_domain', via: null }],
    ['bad: Mail server: The domain has no mail server +100', { state: 'no_mail', via: null }],
    ['bad: Mail server: The domain says that it takes no mail +100', { state: 'null_mx', via: null }],
    ['warning: Mail server: No mail server of its own +10', { state: 'mail', via: 'address' }],
    ['unmeasured: Mail server: The mail server could not be looked up', { state: 'unknown', via: null }],
  ])('put what the name servers said in its place: %s', (words, dns) => {
    const [, server, ...rest] = checksOf(evidenceOf('jo@acme.co.uk', dns));
    expect(server && line(server)).toBe(words);
    expect(server?.lookedUpAt).toBe(at);
    expect(rest).toHaveLength(2);
  });

  it.each([
    ['jo@gmail.com', 'good: Mailbox kind: Free mail, not a role'],
    ['jo@bristol.ac.uk', 'good: Mailbox kind: Academic, not a role'],
    ['Info@acme.co.uk', 'warning: Mailbox kind: Role: info +10'],
    ['sales@gmail.com', 'warning: Mailbox kind: Free mail, role: sales +10'],
    ['noreply@acme.co.uk', 'warning: Mailbox kind: Technical role: noreply +40'],
    ['jo@mailinator.com', 'warning: Mailbox kind: Disposable +70'],
  ])('name the kind of mailbox: %s', (address, words) => {
    expect(lines(address)[2]).toBe(words);
  });

  it('give what was probably meant', () => {
    const [, , , typing] = checksOf(evidenceOf('jo@gmial.com'));
    expect(typing).toMatchObject({
      label: 'Typing',
      finding: 'Probably meant jo@gmail.com',
      mark: 'warning',
      suggestion: 'jo@gmail.com',
      seen: 'gmial.com looks like a slip for gmail.com',
    });
  });

  it('claim nothing about what they did not come to', () => {
    expect(lines('nia..info@yahoo.co.uk')).toEqual([
      'bad: Syntax: Not an address +100',
      'unmeasured: Mail server: Not looked up',
      'unmeasured: Mailbox kind: Not known',
      'warning: Typing: Probably meant nia.info@yahoo.co.uk +60',
    ]);
    expect(lines('jo@acme.qqqq')).toEqual([
      'bad: Syntax: The ending does not exist +100',
      'unmeasured: Mail server: Not looked up',
      'unmeasured: Mailbox kind: Not known',
      'unmeasured: Typing: No likely correction',
    ]);
  });

  it('go by the strictness that is set', () => {
    expect(lines('jo@ac--me.co.uk', null, loose)[0]).toBe(
      'warning: Syntax: An address by the book, but not one to mail +70',
    );
  });

  it('leave room for every further reason', () => {
    expect(lines('jо@acme.co.uk')).toEqual([
      'good: Syntax: Well formed',
      'unmeasured: Mail server: Not looked up',
      'unmeasured: Mailbox kind: Not known',
      'warning: Typing: Probably meant jo@acme.co.uk +60',
      'bad: Mixed alphabets: Look-alike letters of different alphabets +100',
    ]);
    expect(lines(' <xkqjwzvbnt@acme.co.uk> ').slice(4)).toEqual([
      'warning: Gibberish: Letters that make no name or word +40',
      'good: As given: Tidied up',
    ]);
  });

  it.each(['test@acme.co.uk', 'jо@acme.co.uk', 'xkqjwzvbnt@gmial.com', 'info@mailinator.com', 'a b@acme'])(
    'tell every reason once, with what was seen, and add up to the risk: %s',
    (address) => {
      const evidence = evidenceOf(address);
      const rows = checksOf(evidence);
      for (const { reason, text } of evidence.evidence) {
        const told = rows.filter(({ key }) => key === reason);
        expect(told).toHaveLength(1);
        expect(told[0]?.seen ?? `Probably meant: ${told[0]?.suggestion}`).toBe(text);
      }
      expect(
        Math.min(
          100,
          rows.reduce((points, row) => points + row.points, 0),
        ),
      ).toBe(evidence.risk);
      expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
    },
  );
});
