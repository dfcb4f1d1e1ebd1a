/**
 * What people type as it stands in the database. Addresses are lower case with domains in their
 * ASCII form, so a term beyond ASCII is searched for as typed and a domain is converted; `toAscii`
 * answers '' for what cannot be a domain. NUL and lone surrogates cannot be stored, so nothing that
 * is stored holds them; without them the rest may still be found.
 */
type ToAscii = (domain: string) => string;

const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** A searched term; null when nothing is left of it. */
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
