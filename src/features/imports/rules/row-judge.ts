import type { UkClass, UkPolicy } from '#features/addresses/contract.ts';
import {
  createAddressParser,
  createUkFilter,
  describeReason,
  meantDomain,
  type Parsed,
  splitUnchecked,
  ukClass,
} from '#features/addresses/rules.ts';
import type { EmailValidation } from '#features/settings/contract.ts';
import type { ImportOptions } from '../contract.ts';
import { noAddress } from './left-out.ts';
import { createMendTest, type Mend, type Slip, slipIn } from './slips.ts';

/**
 * The fate of a row, as far as the row alone tells. The database decides the rest (suppressed,
 * duplicate).
 *
 * - `blank`: there is nothing in the cell
 * - `invalid`, `nonUk`: left out, with `why`
 * - `pass`: goes on, as `local`, `domain`, `address` (null when it is local@domain) and `state` (0
 *   valid, 1 invalid)
 */
export interface RowVerdict {
  fate: 'blank' | 'invalid' | 'nonUk' | 'pass';
  why: string;
  /** The identity key, of a row that passes or is not British. */
  local: string;
  domain: string;
  address: string | null;
  state: 0 | 1;
  ukClass: UkClass | null;
  /** True when something was repaired without loss, such as removing a display name. */
  repaired: boolean;
  /** A slip in the domain, if slips are looked for or mended. */
  slip: Slip | null;
  /** The state that the address as given would have, when its slip was mended; else null. */
  mendedState: 0 | 1 | null;
}

const leftOutFor = (why: string): RowVerdict => ({
  fate: 'invalid',
  why,
  local: '',
  domain: '',
  address: null,
  state: 1,
  ukClass: null,
  repaired: false,
  slip: null,
  mendedState: null,
});

/** For a row that is too long to read. */
export const tooLongVerdict = leftOutFor('The row is too long to read (more than a million characters)');

/** For a row with something in it, but no address where one should be. */
export const noAddressVerdict = leftOutFor(noAddress);

export interface RowJudgeOptions {
  options: Pick<ImportOptions, 'validateEmails' | 'filterNonUk' | 'ukPolicy'>;
  validation: EmailValidation;
  toAscii: (domain: string) => string;
  /** Looks for slips in every domain, to tell of them. */
  findSlips?: boolean;
  /** The slips to mend. */
  mend?: Mend;
}

/**
 * Returns a function from the text of the address cell to its verdict. Every call reuses one
 * verdict object: millions of rows pass, and none of them needs to be kept.
 */
export function createRowJudge({
  options,
  validation,
  toAscii,
  findSlips = false,
  mend = [],
}: RowJudgeOptions): (text: string) => RowVerdict {
  const looksForSlips = findSlips || mend.length > 0;
  const parser = createAddressParser({
    strict: validation.strictValidation,
    cacheSlots: 2 ** 14,
    toAscii,
    ...(looksForSlips ? { meantBy: (domain) => meantDomain(domain, { toAscii }) } : {}),
  });
  const ukPolicy: UkPolicy = options.ukPolicy ?? validation.ukPolicy;
  const isKept = createUkFilter({ allowedDomains: validation.allowedDomains, ukPolicy, toAscii });
  const rememberedClass = rememberLast(ukClass);
  // Most .uk domains need no list look-up. Remembering them would push out those that do.
  const classOf = (domain: string): UkClass => (domain.endsWith('.uk') ? 'uk' : rememberedClass(domain));
  const verdict: RowVerdict = {
    fate: 'blank',
    why: '',
    local: '',
    domain: '',
    address: null,
    state: 0,
    ukClass: null,
    repaired: false,
    slip: null,
    mendedState: null,
  };
  const isMended = createMendTest(mend);
  /** The address as it was meant, if it has a slip that is to be mended. Notes the slip. */
  const mended = (parsed: Parsed): Parsed => {
    if (!parsed.ok) verdict.slip = slipIn(parsed.address, parsed.suggestion);
    else if (parsed.meantDomain === null) return parsed;
    else verdict.slip = { from: parsed.domain, to: parsed.meantDomain };
    if (verdict.slip === null || !isMended(verdict.slip.from)) return parsed;
    const local = parsed.address.slice(0, parsed.address.lastIndexOf('@'));
    const better = parser.parse(`${local}@${verdict.slip.to}`);
    if (!better.ok) return parsed;
    verdict.mendedState = parsed.ok ? 0 : 1;
    return better;
  };

  return (text) => {
    verdict.slip = null;
    verdict.mendedState = null;
    const parsed = looksForSlips ? mended(parser.parse(text)) : parser.parse(text);
    verdict.why = '';
    verdict.ukClass = null;
    if (!parsed.ok) {
      verdict.repaired = false;
      if (parsed.reason === 'blank') {
        verdict.fate = 'blank';
        return verdict;
      }
      if (options.validateEmails) {
        verdict.fate = 'invalid';
        verdict.why = withSuggestion(describeReason(parsed.reason, parsed.detail), parsed.suggestion);
        return verdict;
      }
      // The address passes as it stands and is marked invalid. An unreadable address cannot be
      // judged as British or not.
      const address = storable(parsed.address, longestUnread);
      const split = splitUnchecked(address);
      verdict.fate = 'pass';
      verdict.local = storable(split.local, longestUnreadLocal);
      verdict.domain = storable(split.domain, longestUnreadDomain);
      verdict.address = sameOrNull(address, verdict.local, verdict.domain);
      verdict.state = 1;
      return verdict;
    }
    verdict.repaired = parsed.repairs.length > 0 || verdict.mendedState !== null;
    verdict.ukClass = classOf(parsed.domain);
    verdict.local = parsed.local;
    verdict.domain = parsed.domain;
    verdict.address = sameOrNull(parsed.address, parsed.local, parsed.domain);
    verdict.state = 0;
    if (options.filterNonUk && !isKept(parsed.domain)) {
      verdict.fate = 'nonUk';
      verdict.why = describeNonUk(parsed.domain, verdict.ukClass);
      return verdict;
    }
    verdict.fate = 'pass';
    return verdict;
  };
}

// An unreadable address may be any text. The part that is kept must fit an index entry of 2,704
// bytes.
const longestUnread = 1000;
const longestUnreadLocal = 320;
const longestUnreadDomain = 255;

/** Text that PostgreSQL can hold: no NUL, no half of a surrogate pair. */
function storable(text: string, longest: number): string {
  return text.slice(0, longest).replaceAll('\0', '').toWellFormed();
}

/**
 * The parser returns one string object per domain, so a map by domain looks up an already hashed
 * string.
 */
function rememberLast<T>(decide: (domain: string) => T): (domain: string) => T {
  let known = new Map<string, T>();
  return (domain) => {
    const found = known.get(domain);
    if (found !== undefined) return found;
    const decided = decide(domain);
    if (known.size >= 10_000) known = new Map();
    known.set(domain, decided);
    return decided;
  };
}

function sameOrNull(address: string, local: string, domain: string): string | null {
  if (
    address.length === local.length + domain.length + 1 &&
    address.startsWith(local) &&
    address.endsWith(domain)
  ) {
    return null;
  }
  return address;
}

function withSuggestion(sentence: string, suggestion: string | null): string {
  return suggestion ? `${sentence}. Did you mean ${suggestion}?` : sentence;
}

function describeNonUk(domain: string, uk: UkClass | null): string {
  if (uk === 'likely_uk') return 'Likely UK, outside your endings';
  if (uk === 'global') return `Global provider ${domain}, outside your endings`;
  return describeReason('not_uk', domain.slice(domain.lastIndexOf('.')));
}
