import { domainToASCII } from 'node:url';

export interface SmtpAddress {
  /** As it goes into a header and into the envelope: its domain is ASCII. */
  address: string;
  /** Its local part is not ASCII, so only servers with SMTPUTF8 (RFC 6531) take it. */
  needsSmtpUtf8: boolean;
}

const hostName = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i;
const literal = /^\[[a-z0-9.:]+\]$/i;
const beyondAscii = /[\u0080-\u{10ffff}]/u;
/** RFC 5321 `Dot-string`, with what RFC 6531 adds to it. */
const dotString =
  /^[\w!#$%&'*+\-/=?^`{|}~\u00a0-\u{10ffff}]+(?:\.[\w!#$%&'*+\-/=?^`{|}~\u00a0-\u{10ffff}]+)*$/u;
/** RFC 5321 `Quoted-string`. */
const quotedString = /^"(?:[ !#-[\]-~\u00a0-\u{10ffff}]|\\[ -~])*"$/u;
const neverInAddress = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * The address as mail servers take it. The domain becomes IDNA ASCII. A local part that is no
 * dot-string is quoted, so that nothing in it can end the address. Null when no server can be given
 * the address: it has no domain, a domain that is no host name, or a control character.
 */
export function asciiAddress(address: string): SmtpAddress | null {
  const at = address.lastIndexOf('@');
  if (at < 1 || neverInAddress.test(address)) return null;
  const domain = asciiDomain(address.slice(at + 1));
  if (domain === null) return null;
  const local = address.slice(0, at);
  const written = dotString.test(local) || quotedString.test(local) ? local : quoted(local);
  return { address: `${written}@${domain}`, needsSmtpUtf8: beyondAscii.test(local) };
}

/** The domain as IDNA ASCII; null when it is neither a host name nor a network address. */
export function asciiDomain(domain: string): string | null {
  const ascii = beyondAscii.test(domain) ? domainToASCII(domain) : domain;
  return hostName.test(ascii) || literal.test(ascii) ? ascii : null;
}

/** A quoted string of RFC 5322, section 3.2.4. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
