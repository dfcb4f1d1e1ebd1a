/**
 * The parser that every imported row goes through.
 *
 * A plain address takes the short way: one loop over its characters with two table look-ups, one
 * probe of the domain cache, one result. No regular expression, no copy of the text. Everything
 * else (blanks, quotation marks, letters beyond ASCII, a domain judged bad) takes the long way.
 * That repairs the text, tries the short way again, and otherwise finds the reason. The long way
 * costs microseconds and is bounded: text over `longestJudged` is refused for its length.
 */
import {
  DOMAIN_LOWER,
  findInvisible,
  isAscii,
  isSpace,
  LOCAL_DOT,
  LOCAL_KIND,
  LOCAL_UPPER,
  nameCharacter,
  utf8Length,
} from './characters.ts';
import { type Idna, type JudgedDomain, judgeDomain } from './domain.ts';
import { createDomainCache } from './domain-cache.ts';
import { normaliseLocal } from './identity.ts';
import type { AddressReason } from './reasons.ts';
import { type AddressRepair, repairAddress } from './repair.ts';
import { findMixedScript } from './scripts.ts';

export interface ParsedAddress {
  ok: true;
  /** As given, after lossless repair. */
  address: string;
  /** Lower case: the first part of the identity key. */
  local: string;
  /**
   * ASCII, lower case: the second part of the identity key. The same string object for every row of
   * a cached domain.
   */
  domain: string;
  /** The domain that was probably meant, where the parser looks for that (`meantBy`). */
  meantDomain: string | null;
  repairs: readonly AddressRepair[];
}

export interface RefusedAddress {
  ok: false;
  /** As given, after lossless repair. */
  address: string;
  reason: AddressReason;
  /** A short text for `describeReason`; '' when there is nothing to add. */
  detail: string;
  /** The whole address that was probably meant. Never applied automatically. */
  suggestion: string | null;
  repairs: readonly AddressRepair[];
}

export type Parsed = ParsedAddress | RefusedAddress;

export interface ParserOptions extends Idna {
  /**
   * Endings must exist, labels follow RFC 1035, no quoted local part, no network address. On by
   * default.
   */
  strict?: boolean;
  /**
   * Tells which domain a good one was probably meant to be, or null. Asked once for each domain
   * that the cache holds.
   */
  meantBy?: (domain: string) => string | null;
  /**
   * Slots of the domain cache, a power of two. 2^18 slots hold 16 MB when full of good domains, 60
   * MB of bad ones.
   */
  cacheSlots?: number;
}

export interface AddressParser {
  /** Never throws, whatever the text. The result is a new object that the caller may keep. */
  parse: (text: string) => Parsed;
}

/** RFC 5321 section 4.5.3.1.1. */
const longestLocal = 64;
/** RFC 5321 section 4.5.3.1.3: a path of 256 octets minus its two brackets. */
const longestAddress = 254;
/** Longer text is refused for its length alone (in UTF-16 units, after repair). */
const longestJudged = 1024;
const noRepairs: readonly AddressRepair[] = Object.freeze([]);

/** Makes a parser with its own domain cache and no other state. Use one per import or process. */
export function createAddressParser(options: ParserOptions): AddressParser {
  const strict = options.strict ?? true;
  const { meantBy } = options;
  const judge = (domain: string): JudgedDomain => {
    const judged = judgeDomain(domain, strict, options);
    const meant = judged.ok && meantBy ? meantBy(judged.domain) : null;
    return meant === null ? judged : { ...judged, suggestion: meant };
  };
  const domains = createDomainCache(options.cacheSlots ?? 2 ** 18, judge);

  /** The short way. Null when the text is not plain enough for it. */
  function parsePlain(text: string, repairs: readonly AddressRepair[]): Parsed | null {
    const length = text.length;
    if (length > longestAddress || length < 3) return null;
    let at = 0;
    let hasUpper = false;
    let previous = LOCAL_DOT;
    for (; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code > 127) return null;
      const kind = LOCAL_KIND[code] as number;
      if (kind === 0) {
        if (code === 64) break;
        return null;
      }
      if (kind === LOCAL_DOT && previous === LOCAL_DOT) return null;
      if (kind === LOCAL_UPPER) hasUpper = true;
      previous = kind;
    }
    // Nothing before the @ sign, a dot right before it, or no @ sign at all.
    if (previous === LOCAL_DOT || at > longestLocal || at === length) return null;
    let hash = 0;
    let lower = 0;
    for (let next = at + 1; next < length; next++) {
      const code = text.charCodeAt(next);
      if (code > 127) return null;
      lower = DOMAIN_LOWER[code] as number;
      if (lower === 0) return null;
      hash = (Math.imul(hash, 31) + lower) | 0;
    }
    // A dot at the end may be punctuation; `lower` is 0 when nothing follows the @ sign.
    if (lower === 46 || lower === 0) return null;
    const judged = domains(text, at + 1, hash);
    const local = text.slice(0, at);
    const isPlainDomain = typeof judged === 'string';
    if (!isPlainDomain && !judged.ok) return refuseDomain(text, local, judged, repairs);
    return {
      ok: true,
      address: text,
      local: hasUpper ? local.toLowerCase() : local,
      domain: isPlainDomain ? judged : judged.domain,
      meantDomain: isPlainDomain ? null : judged.suggestion,
      repairs,
    };
  }

  function parse(text: string): Parsed {
    const plain = parsePlain(text, noRepairs);
    if (plain !== null) return plain;
    const { address, repairs } = repairAddress(text);
    if (repairs.length > 0) {
      const repaired = parsePlain(address, repairs);
      if (repaired !== null) return repaired;
    }
    return parseSlowly(address, repairs, strict, judge);
  }

  return { parse };
}

function refuse(
  address: string,
  repairs: readonly AddressRepair[],
  reason: AddressReason,
  detail = '',
): RefusedAddress {
  return { ok: false, address, reason, detail, suggestion: null, repairs };
}

function refuseDomain(
  address: string,
  local: string,
  judged: JudgedDomain,
  repairs: readonly AddressRepair[],
): RefusedAddress {
  const refused = refuse(address, repairs, judged.reason as AddressReason, judged.detail);
  if (judged.suggestion !== null) refused.suggestion = `${local}@${judged.suggestion}`;
  return refused;
}

/**
 * The long way, after repair. The tests come in the order in which a person would name the
 * problems.
 */
function parseSlowly(
  address: string,
  repairs: readonly AddressRepair[],
  strict: boolean,
  judge: (domain: string) => JudgedDomain,
): Parsed {
  if (address === '') {
    const hadText = repairs.some((repair) => repair !== 'trimmed' && repair !== 'invisible');
    return refuse(address, repairs, hadText ? 'no_at' : 'blank');
  }
  if (address.length > longestJudged) return refuse(address, repairs, 'too_long');
  const unseen = findInvisible(address);
  if (unseen) return refuse(address, repairs, 'invisible_character', unseen);
  const at = address.lastIndexOf('@');
  if (at < 0) return refuse(address, repairs, 'no_at', exchangeName.test(address) ? inExchange : '');
  const local = address.slice(0, at);
  const isQuoted = local.length > 1 && local.startsWith('"') && local.endsWith('"');
  if (isQuoted && strict) return refuse(address, repairs, 'quoted_local');
  if (local.includes('@')) return refuse(address, repairs, 'several_at');
  for (let place = 0; place < address.length; place++) {
    if (isSpace(address.charCodeAt(place))) return refuse(address, repairs, 'space_inside');
  }
  const problem = strict ? judgeLocal(local) : judgeLocalLoosely(local);
  if (problem) return refuse(address, repairs, problem.reason, problem.detail);
  const judged = judge(address.slice(at + 1));
  if (!judged.ok) return refuseDomain(address, local, judged, repairs);
  if (utf8Length(local) + 1 + judged.domain.length > longestAddress)
    return refuse(address, repairs, 'too_long');
  return {
    ...{ ok: true, address, local: normaliseLocal(local), domain: judged.domain, repairs },
    meantDomain: judged.suggestion,
  };
}

/** What Outlook exports for a colleague: `/o=ExchangeLabs/ou=…/cn=Recipients/cn=jo`. */
const exchangeName = /^\/o=[^/]+\/.*cn=/i;
const inExchange = 'the name of an Exchange mailbox, known only inside its company';

type LocalProblem = { reason: AddressReason; detail: string } | null;

const internationalLocal = /^[\p{L}\p{M}\p{N}]$/u;

/**
 * A combining mark on no letter: an accent on the @ sign or on whatever stands before the address.
 */
const looseMark = /(?:^|[^\p{L}\p{M}\p{N}])(\p{M})/u;

/** RFC 5321 dot-string; beyond ASCII, letters, marks and digits of one script. */
function judgeLocal(local: string): LocalProblem {
  if (local === '') return { reason: 'local_missing', detail: '' };
  if (utf8Length(local) > longestLocal) return { reason: 'local_too_long', detail: '' };
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..'))
    return { reason: 'local_dots', detail: '' };
  for (const character of local) {
    const code = character.codePointAt(0) as number;
    const isAllowed = code < 128 ? LOCAL_KIND[code] !== 0 : internationalLocal.test(character);
    if (!isAllowed) return { reason: 'local_characters', detail: nameCharacter(character) };
  }
  if (isAscii(local)) return null;
  const mark = looseMark.exec(local)?.[1];
  if (mark !== undefined) return { reason: 'local_characters', detail: nameCharacter(mark) };
  const mixed = findMixedScript(local);
  return mixed ? { reason: 'mixed_script', detail: mixed } : null;
}

/**
 * The general pattern takes any characters. This refuses only what no database or mail system can
 * carry.
 */
function judgeLocalLoosely(local: string): LocalProblem {
  if (local === '') return { reason: 'local_missing', detail: '' };
  const control = /[\p{Cc}\p{Cs}]/u.exec(local);
  return control ? { reason: 'local_characters', detail: nameCharacter(control[0]) } : null;
}
