import { parse as parseHost } from 'tldts';
import { DOMAIN_LOWER, findInvisible, isAscii, isSpace, nameCharacter } from './characters.ts';
import { suggestEnding } from './ending.ts';
import type { AddressReason } from './reasons.ts';
import { findMixedScript } from './scripts.ts';

/**
 * Conversion of internationalised domain names (UTS 46). The caller provides it: Node has it, a
 * browser does not need it.
 */
export interface Idna {
  /** The ASCII form, or '' when the name has none. Must not throw. */
  toAscii: (domain: string) => string;
  /**
   * The readable form of an ASCII name. Without it, `xn--…` names are not tested for mixed scripts.
   */
  toUnicode?: (domain: string) => string;
}

export interface JudgedDomain {
  ok: boolean;
  /** ASCII, lower case; '' when not ok. */
  domain: string;
  reason: AddressReason | null;
  detail: string;
  /** The domain that was probably meant, when only the ending is wrong. */
  suggestion: string | null;
}

const hostOptions = {
  extractHostname: false,
  validateHostname: false,
  mixedInputs: false,
  detectIp: false,
  allowIcannDomains: true,
  allowPrivateDomains: false,
};

/**
 * RFC 2606, RFC 6761 (test, example, invalid, localhost), RFC 6762 (local), RFC 7686 (onion), RFC
 * 9476 (alt), ICANN 2024 (internal), RFC 3172 (arpa, for the network's own records).
 */
const reservedEndings = new Set([
  'test',
  'example',
  'invalid',
  'localhost',
  'local',
  'onion',
  'alt',
  'internal',
  'arpa',
]);

/** Letters, marks, digits and the few marks that RFC 5892 (CONTEXTO) allows inside a label. */
const internationalLabel = /^[\p{L}\p{M}\p{N}\-·͵׳״・]+$/u;
const ipv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const longestDomain = 253;

const bad = (reason: AddressReason, detail = '', suggestion: string | null = null): JudgedDomain => ({
  ok: false,
  domain: '',
  reason,
  detail,
  suggestion,
});

/**
 * Whether `domain` (ASCII, lower case) is an ending under which people register names, such as
 * `co.uk` (ICANN section only).
 */
export function isPublicSuffix(domain: string): boolean {
  const host = parseHost(domain, hostOptions);
  return host.isIcann === true && host.domain === null;
}

/**
 * Judges the part after the @ sign. `strict`: every label follows RFC 1035/5890, the ending exists,
 * and a name is registered below it. Otherwise the general pattern: a domain, a dot and a top-level
 * part of at least two letters.
 */
export function judgeDomain(text: string, strict: boolean, idna: Idna): JudgedDomain {
  if (strict && isPlain(text)) return judgeEnding(text, text.slice(text.lastIndexOf('.') + 1));
  if (text === '') return bad('domain_missing');
  if (text.startsWith('[') || ipv4.test(text)) return bad('ip_literal');
  if (text.length > 1024) return bad('domain_too_long');
  const lower = text.toLowerCase();
  const needsIdna = !isAscii(lower) || lower.includes('xn--');
  const badAscii = findBadCharacter(lower);
  if (badAscii) return bad('domain_characters', badAscii);
  const converted = needsIdna ? convert(lower, strict, idna) : null;
  if (converted && !converted.ok) return converted;
  const domain = converted ? converted.domain : lower;
  const labels = domain.split('.');
  const problem = judgeLabels(labels, strict);
  if (problem) return problem;
  if (domain.length > longestDomain) return bad('domain_too_long');
  const ending = labels[labels.length - 1] as string;
  return strict ? judgeEnding(domain, ending) : judgeLoosely(domain, ending);
}

/**
 * Whether `text` consists of lower-case ASCII labels with nothing unusual, as nearly every domain
 * does. False only means that the slower tests must look.
 */
function isPlain(text: string): boolean {
  const length = text.length;
  if (length === 0 || length > longestDomain) return false;
  let start = 0;
  let previous = 46;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    // 0 means a character that is not allowed, including NUL.
    if (code > 127 || code === 0 || DOMAIN_LOWER[code] !== code) return false;
    if (code === 46) {
      if (previous === 46 || previous === 45 || at - start > 63) return false;
      start = at + 1;
    } else if (code === 45 && (previous === 46 || (previous === 45 && at - start === 3))) return false;
    previous = code;
  }
  // The slower tests handle endings of digits, because they recognise network addresses.
  return previous > 57 && length - start <= 63;
}

function findBadCharacter(lower: string): string | null {
  for (const character of lower) {
    const code = character.charCodeAt(0);
    if (code < 128 && DOMAIN_LOWER[code] === 0) return nameCharacter(character);
  }
  return null;
}

function convert(lower: string, strict: boolean, idna: Idna): JudgedDomain {
  const ascii = lower.isWellFormed() ? idna.toAscii(lower).toLowerCase() : '';
  // A run of digits comes back in another form when the converter took it for a network address.
  if (ascii === '' || findBadCharacter(ascii) || !isAscii(ascii)) return bad('domain_characters');
  if (ipv4.test(ascii)) return bad('ip_literal');
  if (strict) {
    const readable = idna.toUnicode ? idna.toUnicode(ascii) : lower.normalize('NFKC');
    for (const label of readable.split('.')) {
      if (label === '' || isAscii(label)) {
        if (idna.toUnicode && label.startsWith('xn--')) return bad('domain_label', `${label} is not a name`);
        continue;
      }
      if (!internationalLabel.test(label)) return bad('domain_characters');
      const mixed = findMixedScript(label);
      if (mixed) return bad('mixed_script', mixed);
    }
  }
  return { ok: true, domain: ascii, reason: null, detail: '', suggestion: null };
}

function judgeLabels(labels: string[], strict: boolean): JudgedDomain | null {
  for (const label of labels) {
    if (label === '')
      return labels.length === 1 ? bad('domain_missing') : bad('domain_label', 'a dot is misplaced');
    if (!strict) continue;
    if (label.length > 63) return bad('domain_label', 'more than 63 characters between dots');
    if (label.startsWith('-') || label.endsWith('-')) {
      return bad('domain_label', `${label} begins or ends with a hyphen`);
    }
    // RFC 5890 section 2.3.1: hyphens in third and fourth place are reserved for encodings such as
    // xn--.
    if (label.startsWith('--', 2) && !label.startsWith('xn--')) {
      return bad('domain_label', `${label} has two hyphens in a reserved place`);
    }
  }
  return null;
}

function judgeEnding(domain: string, ending: string): JudgedDomain {
  if (reservedEndings.has(ending)) return bad('reserved_tld', `.${ending}`);
  const host = parseHost(domain, hostOptions);
  if (host.isIcann !== true) return bad('no_such_tld', `.${ending}`, suggestSound(domain));
  if (host.domain === null) return bad('public_suffix', domain);
  return { ok: true, domain, reason: null, detail: '', suggestion: null };
}

/** The domain meant by one whose ending does not exist, if somebody may have that domain. */
function suggestSound(domain: string): string | null {
  const meant = suggestEnding(domain);
  if (meant === null) return null;
  const host = parseHost(meant, hostOptions);
  return host.isIcann === true && host.domain !== null ? meant : null;
}

function judgeLoosely(domain: string, ending: string): JudgedDomain {
  if (ending.length === domain.length) return bad('domain_no_dot');
  if (!/^(?:[a-z]{2,}|xn--[a-z0-9-]+)$/.test(ending)) return bad('no_such_tld', `.${ending}`);
  return { ok: true, domain, reason: null, detail: '', suggestion: null };
}

/**
 * The domain and each parent, longest first: `a.b.co.uk` → `a.b.co.uk`, `b.co.uk`, `co.uk`, `uk`.
 * For look-ups at label boundaries.
 */
export function domainAndParents(domain: string): string[] {
  const all = [domain];
  for (let dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1)) {
    all.push(domain.slice(dot + 1));
  }
  return all;
}

/**
 * Whether a suppressed domain covers `domain`: it covers itself and its subdomains, but no name
 * that just ends the same.
 */
export function coversDomain(suppressed: string, domain: string): boolean {
  if (suppressed === '' || domain.length < suppressed.length || !domain.endsWith(suppressed)) return false;
  return (
    domain.length === suppressed.length || domain.charCodeAt(domain.length - suppressed.length - 1) === 46
  );
}

export type NormalisedDomain =
  | { ok: true; domain: string }
  | { ok: false; reason: AddressReason; detail: string; suggestion: string | null };

/**
 * Reads a domain as people type or paste it: `https://Acme.co.uk/contact`, `@acme.co.uk`,
 * `*.acme.co.uk`, `acme.co.uk.`. Refuses text that is not one domain, and endings such as `co.uk`,
 * which would cover everybody below them. Refuses a whole address with `several_at`, so that it
 * does not silently become its domain.
 */
export function normaliseDomain(
  text: string,
  toAscii: Idna['toAscii'],
  toUnicode?: Idna['toUnicode'],
): NormalisedDomain {
  const fail = (reason: AddressReason, detail = ''): NormalisedDomain => ({
    ok: false,
    reason,
    detail,
    suggestion: null,
  });
  if (text.length > 4096) return fail('domain_too_long');
  let name = text.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  name = name.replace(/[/?#].*$/s, '').replace(/:\d{1,5}$/, '');
  name = name
    .replace(/^@/, '')
    .replace(/^\*?\./, '')
    .replace(/\.$/, '');
  if (name === '') return fail('blank');
  if (name.includes('@')) return fail('several_at');
  const unseen = findInvisible(name);
  if (unseen) return fail('invisible_character', unseen);
  for (let at = 0; at < name.length; at++) if (isSpace(name.charCodeAt(at))) return fail('space_inside');
  const judged = judgeDomain(name, true, { toAscii, toUnicode });
  if (judged.ok) return { ok: true, domain: judged.domain };
  return {
    ok: false,
    reason: judged.reason as AddressReason,
    detail: judged.detail,
    suggestion: judged.suggestion,
  };
}
