/**
 * Is a text an email address by the RFCs? This does not say whether to send mail there; the parser
 * and the verdicts decide that.
 *
 * Grammar: `addr-spec` of RFC 5322 section 3.4.1 with its comments, folding white space and
 * obsolete forms (section 4), `Mailbox` of RFC 5321 section 4.1.2, non-ASCII text where RFC 6531
 * section 3.3 and RFC 6532 section 3.2 allow it. One pass, no recursion: nested comments are
 * counted.
 */
import { isAscii, utf8Length } from './characters.ts';

/**
 * - `mailbox`: usable in SMTP as it stands (RFC 5321), including the limits of section 4.5.3.1.
 * - `message`: an address only in a message header (RFC 5322): comments, folding, obsolete forms,
 *   domain literals that are no network address, lengths that SMTP does not carry.
 * - `none`: not an address.
 */
export type RfcGrade = 'mailbox' | 'message' | 'none';

/**
 * Whether the RFCs call `address` an address: every grade but `none`. Nothing is repaired first.
 */
export function isRfcValid(address: string): boolean {
  return rfcGrade(address) !== 'none';
}

export function rfcGrade(address: string): RfcGrade {
  if (!address.isWellFormed()) return 'none';
  const scan: Scan = { text: address, at: 0, isMessageOnly: false };
  if (!readLocalPart(scan)) return 'none';
  const local = address.slice(0, scan.at);
  scan.at += 1;
  if (!readDomain(scan) || scan.at !== address.length) return 'none';
  if (scan.isMessageOnly || utf8Length(local) > 64 || utf8Length(address) > 254) return 'message';
  return 'mailbox';
}

interface Scan {
  text: string;
  at: number;
  /** Something was read that RFC 5322 allows and RFC 5321 does not. */
  isMessageOnly: boolean;
}

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const DQUOTE = 34;
const OPEN = 40;
const CLOSE = 41;
const HYPHEN = 45;
const DOT = 46;
const AT = 64;
const OPEN_LITERAL = 91;
const BACKSLASH = 92;
const CLOSE_LITERAL = 93;

const atextMarks = "!#$%&'*+-/=?^_`{|}~";
const isLetDig = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
const isAtext = (code: number): boolean =>
  isLetDig(code) ||
  code > 127 ||
  (code > SPACE && code < 127 && atextMarks.includes(String.fromCharCode(code)));
/** `obs-NO-WS-CTL`: control characters other than NUL, tab, LF and CR. */
const isObsoleteControl = (code: number): boolean =>
  code === 127 || (code > 0 && code < SPACE && code !== TAB && code !== LF && code !== CR);

const peek = (scan: Scan): number => (scan.at < scan.text.length ? scan.text.charCodeAt(scan.at) : -1);

/**
 * `FWS` in its obsolete form as corrected by erratum 1908: each CRLF is followed by a blank. False
 * when one is not.
 */
function readFolding(scan: Scan): boolean {
  for (;;) {
    const code = peek(scan);
    if (code === SPACE || code === TAB) scan.at += 1;
    else if (code === CR) {
      const next = scan.text.charCodeAt(scan.at + 2);
      if (scan.text.charCodeAt(scan.at + 1) !== LF || (next !== SPACE && next !== TAB)) return false;
      scan.at += 3;
    } else return code !== LF;
  }
}

/** `CFWS`, possibly empty. */
function readComments(scan: Scan): boolean {
  const start = scan.at;
  for (;;) {
    if (!readFolding(scan)) return false;
    if (peek(scan) !== OPEN) break;
    if (!readComment(scan)) return false;
  }
  if (scan.at > start) scan.isMessageOnly = true;
  return true;
}

function readComment(scan: Scan): boolean {
  let depth = 0;
  do {
    const code = peek(scan);
    if (code === OPEN) depth += 1;
    else if (code === CLOSE) depth -= 1;
    else if (code === SPACE || code === TAB || code === CR) {
      if (!readFolding(scan)) return false;
      continue;
    } else if (code === BACKSLASH) {
      if (!readQuotedPair(scan)) return false;
      continue;
    } else if (code < SPACE && !isObsoleteControl(code)) return false;
    scan.at += 1;
  } while (depth > 0);
  return true;
}

/**
 * `"\"` and a character: visible ASCII or a blank; the obsolete form also takes control characters.
 * RFC 6531 adds none.
 */
function readQuotedPair(scan: Scan): boolean {
  scan.at += 1;
  const code = peek(scan);
  if (code < 0 || code > 127) return false;
  if (code < SPACE || code === 127) scan.isMessageOnly = true;
  scan.at += 1;
  return true;
}

/**
 * Words with dots between them, up to the @ sign. Several words are obsolete when one of them is
 * quoted.
 */
function readLocalPart(scan: Scan): boolean {
  let words = 0;
  let quoted = 0;
  for (;;) {
    if (!readComments(scan)) return false;
    words += 1;
    if (peek(scan) === DQUOTE) {
      quoted += 1;
      if (!readQuotedString(scan)) return false;
    } else if (readAtom(scan) === 0) return false;
    if (!readComments(scan)) return false;
    const next = peek(scan);
    if (next === AT) break;
    if (next !== DOT) return false;
    scan.at += 1;
  }
  if (quoted > 0 && words > 1) scan.isMessageOnly = true;
  return true;
}

function readAtom(scan: Scan): number {
  const start = scan.at;
  while (scan.at < scan.text.length && isAtext(scan.text.charCodeAt(scan.at))) scan.at += 1;
  return scan.at - start;
}

function readQuotedString(scan: Scan): boolean {
  scan.at += 1;
  for (;;) {
    const code = peek(scan);
    if (code === DQUOTE) {
      scan.at += 1;
      return true;
    }
    if (code === BACKSLASH) {
      if (!readQuotedPair(scan)) return false;
    } else if (code === TAB || code === CR) {
      scan.isMessageOnly = true;
      if (!readFolding(scan)) return false;
    } else if (code >= SPACE && code !== 127) scan.at += 1;
    else if (isObsoleteControl(code)) {
      scan.isMessageOnly = true;
      scan.at += 1;
    } else return false;
  }
}

/**
 * Marks, letters and digits of a U-label, with the joiners and marks that RFC 5892 allows in
 * context.
 */
const internationalAtom = /^[\p{L}\p{M}\p{N}\-·͵׳״・\u200c\u200d]+$/u;
const hostLabel = /^[A-Za-z0-9-]{1,63}$/;

function readDomain(scan: Scan): boolean {
  if (!readComments(scan)) return false;
  if (peek(scan) === OPEN_LITERAL) return readLiteral(scan) && readComments(scan);
  for (;;) {
    const start = scan.at;
    if (readAtom(scan) === 0) return false;
    const label = scan.text.slice(start, scan.at);
    // RFC 5321 and RFC 1035 end a label with a letter or digit. RFC 5322 leaves that open, but the
    // registries do not.
    if (label.charCodeAt(0) === HYPHEN || label.charCodeAt(label.length - 1) === HYPHEN) return false;
    if (isAscii(label)) {
      if (!hostLabel.test(label)) scan.isMessageOnly = true;
    } else if (!internationalAtom.test(label)) return false;
    if (!readComments(scan)) return false;
    if (peek(scan) !== DOT) return true;
    scan.at += 1;
    if (!readComments(scan)) return false;
  }
}

/** `domain-literal`, and whether it is an `address-literal` of RFC 5321 section 4.1.3. */
function readLiteral(scan: Scan): boolean {
  const start = scan.at + 1;
  scan.at = start;
  while (peek(scan) !== CLOSE_LITERAL) {
    const code = peek(scan);
    if (code === BACKSLASH) {
      if (!readQuotedPair(scan)) return false;
    } else if (code === SPACE || code === TAB || code === CR) {
      if (!readFolding(scan)) return false;
    } else if (code === OPEN_LITERAL || (code < SPACE && !isObsoleteControl(code))) return false;
    else scan.at += 1;
  }
  if (!isNetworkAddress(scan.text.slice(start, scan.at))) scan.isMessageOnly = true;
  scan.at += 1;
  return true;
}

function isNetworkAddress(literal: string): boolean {
  if (literal.length > 64) return false;
  return /^ipv6:/i.test(literal) ? isIpv6(literal.slice(5)) : isIpv4(literal);
}

function isIpv4(text: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255);
}

/** IPv6-full, IPv6-comp and their forms that end in IPv4. `::` stands for at least two groups. */
function isIpv6(text: string): boolean {
  const lastColon = text.lastIndexOf(':');
  const hasIpv4 = text.includes('.');
  if (hasIpv4 && !isIpv4(text.slice(lastColon + 1))) return false;
  // An IPv4 ending takes the room of two groups.
  const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const body = hasIpv4 ? `${text.slice(0, lastColon + 1)}0:0` : text;
  const halves = body.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap(groupsOf);
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false;
  return halves.length === 2 ? groups.length <= 6 : groups.length === 8;
}
