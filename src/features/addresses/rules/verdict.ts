import type { UkClass } from '../contract.ts';

/** What to do with an address: mail it, think first, do not mail it, or nobody could tell. */
export const verdicts = ['valid', 'risky', 'invalid', 'unknown'] as const;
export type Verdict = (typeof verdicts)[number];

/**
 * The reasons. The codes are stored, in this order; the sentences are made on reading. Add new
 * codes at the end.
 */
export const verdictReasons = [
  'syntax',
  'not_strict',
  'no_such_tld',
  'reserved_tld',
  'mixed_script',
  'invisible_characters',
  'no_such_domain',
  'no_mail_server',
  'null_mx',
  'placeholder',
  'disposable',
  'typo_suspected',
  'gibberish',
  'role_technical',
  'role',
  'no_mx_record',
  'repaired',
  'not_measured',
] as const;
export type VerdictReason = (typeof verdictReasons)[number];

/** The sort of mailbox. The first that fits counts, in the order of `kindOf`. */
export const addressKinds = [
  'free',
  'corporate',
  'government',
  'nhs',
  'academic',
  'police',
  'role',
  'disposable',
] as const;
export type AddressKind = (typeof addressKinds)[number];

/** `note`: worth saying, but no ground to hold mail back. */
export const severities = ['invalid', 'risky', 'unknown', 'note'] as const;
export type Severity = (typeof severities)[number];

export interface JudgedReason {
  code: VerdictReason;
  /** A sentence for a person, without a full stop: what was seen. */
  evidence: string;
  severity: Severity;
}

export interface RiskFactor {
  code: VerdictReason;
  points: number;
  words: string;
}

export interface Judgement {
  /** As given, after lossless repair. */
  address: string;
  /** The two halves of the identity key; null when the text is no address. */
  local: string | null;
  domain: string | null;
  rfcValid: boolean;
  verdict: Verdict;
  /** Most serious first. */
  reasons: readonly JudgedReason[];
  /** The whole address that was probably meant. Never applied automatically. */
  suggestion: string | null;
  uk: UkClass | null;
  kind: AddressKind | null;
  isRole: boolean;
  isFree: boolean;
  isDisposable: boolean;
  /** 0 to 100: the sum of the factors, at most 100. */
  risk: number;
  factors: readonly RiskFactor[];
}

/**
 * What the DNS said about a domain. `unknown` (time-out, SERVFAIL) is no evidence against anybody.
 * `via: 'address'`: there is no MX record, but the domain's own address takes its place (RFC 5321
 * section 5.1).
 */
export interface DomainEvidence {
  state: 'mail' | 'no_mail' | 'null_mx' | 'no_such_domain' | 'unknown';
  via: 'mx' | 'address' | null;
  checkedAt: string;
}

interface ReasonRule {
  severity: Severity;
  /** Share of the risk, 0 to 100. Reasons add up, so another reason never lowers it. */
  points: number;
  /** The heading above the evidence. */
  words: string;
}

/** The one table of what each reason means and weighs (docs/decisions/0009-verdicts.md). */
export const reasonRules: Readonly<Record<VerdictReason, ReasonRule>> = {
  syntax: { severity: 'invalid', points: 100, words: 'Not an address' },
  not_strict: { severity: 'invalid', points: 100, words: 'An address by the book, but not one to mail' },
  no_such_tld: { severity: 'invalid', points: 100, words: 'The ending does not exist' },
  reserved_tld: { severity: 'invalid', points: 100, words: 'The ending is reserved and takes no mail' },
  mixed_script: { severity: 'invalid', points: 100, words: 'Look-alike letters of different alphabets' },
  invisible_characters: { severity: 'invalid', points: 100, words: 'Invisible characters inside' },
  no_such_domain: { severity: 'invalid', points: 100, words: 'The domain does not exist' },
  no_mail_server: { severity: 'invalid', points: 100, words: 'The domain has no mail server' },
  null_mx: { severity: 'invalid', points: 100, words: 'The domain says that it takes no mail' },
  placeholder: { severity: 'risky', points: 70, words: 'Filled in to get past a form' },
  disposable: { severity: 'risky', points: 70, words: 'A throwaway mailbox' },
  typo_suspected: { severity: 'risky', points: 60, words: 'Probably a slip of the keyboard' },
  gibberish: { severity: 'risky', points: 40, words: 'Letters that make no name or word' },
  role_technical: { severity: 'risky', points: 40, words: 'A technical mailbox' },
  role: { severity: 'note', points: 10, words: 'A post, not a person' },
  no_mx_record: { severity: 'note', points: 10, words: 'No mail server of its own' },
  repaired: { severity: 'note', points: 0, words: 'Tidied up' },
  not_measured: { severity: 'unknown', points: 0, words: 'The mail server could not be looked up' },
};

/** The heading of a reason, for chips, filters and receipts. */
export function describeVerdictReason(code: VerdictReason): string {
  return reasonRules[code].words;
}

/** The overall verdict for a set of severities. */
export function verdictOf(found: readonly { severity: Severity }[]): Verdict {
  let verdict: Verdict = 'valid';
  for (const { severity } of found) {
    if (severity === 'invalid') return 'invalid';
    if (severity === 'risky') verdict = 'risky';
    if (severity === 'unknown' && verdict === 'valid') verdict = 'unknown';
  }
  return verdict;
}

/** The total risk of a set of factors. */
export function riskOf(factors: readonly { points: number }[]): number {
  let sum = 0;
  for (const { points } of factors) sum += points;
  return Math.min(100, sum);
}
