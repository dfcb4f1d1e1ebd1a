/**
 * What each character may be in an address. Every imported row goes through the loop that uses the
 * tables, so they are plain arrays indexed by ASCII code. The functions below handle everything
 * beyond ASCII.
 */

/**
 * Kind of an ASCII character in an unquoted local part: 0 for not allowed, otherwise a constant
 * below.
 */
export const LOCAL_KIND = new Uint8Array(128);
export const LOCAL_PLAIN = 1;
export const LOCAL_UPPER = 2;
export const LOCAL_DOT = 3;

/**
 * The lower-case code of an ASCII character that may be in a domain (letters, digits, `-`, `.`),
 * otherwise 0.
 */
export const DOMAIN_LOWER = new Uint8Array(128);

/** `atext` of RFC 5322 section 3.2.3, other than letters and digits. */
const atextMarks = "!#$%&'*+-/=?^_`{|}~";

for (let code = 0; code < 128; code++) {
  const isDigit = code >= 48 && code <= 57;
  const isUpper = code >= 65 && code <= 90;
  const isLower = code >= 97 && code <= 122;
  if (isDigit || isLower) LOCAL_KIND[code] = LOCAL_PLAIN;
  if (isUpper) LOCAL_KIND[code] = LOCAL_UPPER;
  if (isDigit || isLower || code === 45 || code === 46) DOMAIN_LOWER[code] = code;
  if (isUpper) DOMAIN_LOWER[code] = code + 32;
}
for (const mark of atextMarks) LOCAL_KIND[mark.charCodeAt(0)] = LOCAL_PLAIN;
LOCAL_KIND[46] = LOCAL_DOT;

export const isAsciiLetterOrDigit = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);

/**
 * Default-ignorable and format characters, and the blank Braille pattern. Comparisons see them,
 * people do not (Unicode Standard Annex 44, `Default_Ignorable_Code_Point`, general category `Cf`).
 */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u;

/** The first invisible character of `text` as `U+200B`, or null. */
export function findInvisible(text: string): string | null {
  const found = invisible.exec(text);
  return found ? codePointName(found[0]) : null;
}

/**
 * Whether a code point is invisible. The common ones are tested by number, without making a string.
 */
export function isInvisible(point: number): boolean {
  if ((point >= 0x200b && point <= 0x200f) || point === 0xfeff || point === 0xad || point === 0x2060)
    return true;
  return point > 127 && invisible.test(String.fromCodePoint(point));
}

/**
 * Every kind of blank, including line ends. U+FEFF is not one: it is an invisible character, not a
 * space.
 */
export function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  if (code < 160) return code === 0x85;
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** `U+200B` for the first code point of `text`; lone surrogates are returned as themselves. */
export function codePointName(text: string): string {
  return `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The character in quotation marks if it can be shown, otherwise its code point. */
export function nameCharacter(character: string): string {
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? `“${character}”` : codePointName(character);
}

export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/**
 * Octets of `text` in UTF-8, the unit of the limits in RFC 5321 section 4.5.3.1 (as RFC 6531
 * section 3.4 reads them).
 */
export function utf8Length(text: string): number {
  let octets = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Each half of a surrogate pair counts two of the pair's four octets.
    octets += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
  }
  return octets;
}
