import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The value of a cookie in a `Cookie` header (RFC 6265, section 4.2.1). If two have the same name,
 * the first.
 */
export function readCookie(header: string | undefined, name: string): string | null {
  if (!header) return null;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}

/**
 * The token in a session cookie `<token>.<base64 of HMAC-SHA-256 over the token>`
 * (percent-encoded), or null when the signature is not ours. Made-up cookies therefore cost no
 * query.
 */
export function readSignedToken(value: string | null, secret: string): string | null {
  if (!value) return null;
  let text: string;
  try {
    text = decodeURIComponent(value);
  } catch {
    // Not percent-encoding, so not our cookie.
    return null;
  }
  const dot = text.lastIndexOf('.');
  if (dot < 1) return null;
  const token = text.slice(0, dot);
  const given = Buffer.from(text.slice(dot + 1), 'base64');
  const expected = createHmac('sha256', secret).update(token).digest();
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
}
