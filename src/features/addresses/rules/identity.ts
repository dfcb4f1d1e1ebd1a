import { isAscii } from './characters.ts';

/**
 * Lower-case form of a local part. Text beyond ASCII is also put into Unicode form NFC, so that the
 * same letters typed on two keyboards are one person (RFC 6532 section 3.1).
 */
export function normaliseLocal(local: string): string {
  const lower = local.toLowerCase();
  if (isAscii(lower)) return lower;
  // Lower-casing can leave a sequence that composes, and composing can leave one to lower-case. The
  // second pass settles both.
  return lower.normalize('NFC').toLowerCase().normalize('NFC');
}

/**
 * The key that makes a contact unique in a workspace: `local` and `domain` as the parser gives
 * them.
 */
export function identityKey(local: string, domain: string): string {
  return `${local}@${domain}`;
}

/**
 * Splits any text into the two columns of a contact without judging it, for rows that are kept
 * although they are not addresses. Text with nothing behind its last @ is all local part, with an
 * empty domain: what is read back is what was given.
 */
export function splitUnchecked(address: string): { local: string; domain: string } {
  const at = address.lastIndexOf('@');
  if (at < 0 || at === address.length - 1) return { local: normaliseLocal(address), domain: '' };
  return { local: normaliseLocal(address.slice(0, at)), domain: address.slice(at + 1).toLowerCase() };
}
