import { fillers, generalRoles, once, placeholderLocals, roleWords, technicalRoles } from './lists.ts';

export interface LocalProfile {
  role: 'general' | 'technical' | null;
  /** Says itself that it is no address: `noemail@`. */
  isPlaceholder: boolean;
}

const plain: LocalProfile = Object.freeze({ role: null, isPlaceholder: false });

/** No role or placeholder in the lists is longer. */
const longestListed = 40;

/** One look-up for the three lists of whole local parts. */
const known = once((): ReadonlyMap<string, LocalProfile> => {
  const all = new Map<string, LocalProfile>();
  for (const name of generalRoles()) all.set(name, { role: 'general', isPlaceholder: false });
  for (const name of technicalRoles()) all.set(name, { role: 'technical', isPlaceholder: false });
  for (const name of placeholderLocals())
    all.set(withoutSeparators(name), { role: all.get(name)?.role ?? null, isPlaceholder: true });
  return all;
});

const isSeparator = (code: number): boolean => code === 45 || code === 46 || code === 95;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

function withoutSeparators(text: string): string {
  for (let at = 0; at < text.length; at++)
    if (isSeparator(text.charCodeAt(at))) return text.replace(/[._-]+/g, '');
  return text;
}

function withoutDigits(text: string): string {
  let end = text.length;
  while (end > 0 && isDigit(text.charCodeAt(end - 1))) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** What a local part (lower case) says. What follows a plus sign does not count, nor do separators and a number at the end. */
export function profileLocal(local: string): LocalProfile {
  const plus = local.indexOf('+');
  const base = plus > 0 ? local.slice(0, plus) : local;
  if (base.length > longestListed) return plain;
  const joined = withoutSeparators(base);
  const found = known().get(joined) ?? known().get(withoutDigits(joined));
  if (found !== undefined) return found;
  if (joined.startsWith('noreply') || joined.startsWith('donotreply')) return technical;
  return joined !== base && isRoleOfWords(base) ? general : plain;
}

const technical: LocalProfile = Object.freeze({ role: 'technical', isPlaceholder: false });
const general: LocalProfile = Object.freeze({ role: 'general', isPlaceholder: false });

/** `sales.uk`, `info-leeds`, `head.office`: words of roles and places only, a role among them. */
function isRoleOfWords(base: string): boolean {
  let hasRole = false;
  for (const part of base.split(/[._-]+/)) {
    const word = withoutDigits(part);
    if (generalRoles().has(word)) hasRole = true;
    else if (word !== '' && !roleWords().has(word)) return false;
  }
  return hasRole;
}

/** Whether `text` is what people hit when a form demands something: `asdf`, `xxx`, `none`. */
export function isFiller(text: string): boolean {
  return fillers().has(text);
}
