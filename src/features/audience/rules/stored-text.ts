/**
 * Converts what people type to the form in the database. Addresses are lower case, and their
 * domains are ASCII. A non-ASCII term is therefore searched for as typed, but a domain is
 * converted; `toAscii` answers '' for text that cannot be a domain. NUL and lone surrogates cannot
 * be stored, so they are dropped and the rest can still be found.
 */
type ToAscii = (domain: string) => string;

const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** A searched term. Null when nothing is left after the clean-up. */
export function storedTerm(text: string, toAscii: ToAscii): string | null {
  const term = storable(text).trim().normalize('NFC').toLowerCase();
  if (term === '') return null;
  const at = term.lastIndexOf('@');
  const domain = term.slice(at + 1);
  if (at < 0 || !/[^\x00-\x7f]/.test(domain)) return term;
  const ascii = toAscii(domain);
  return ascii === '' ? term : term.slice(0, at + 1) + ascii;
}

export function storedDomain(text: string, toAscii: ToAscii): string {
  const domain = storable(text).trim().toLowerCase();
  return toAscii(domain) || domain;
}

export const storedSource = storable;
