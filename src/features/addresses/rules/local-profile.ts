import { fillers, generalRoles, once, placeholderLocals, roleWords, technicalRoles } from './lists.ts';

export interface LocalProfile {
  role: 'general' | 'technical' | null;
  /** It says itself that it is no address: `noemail@`. */
  isPlaceholder: boolean;
}

/** The profile of nearly everybody: nothing to say. */
export const plainLocal: LocalProfile = Object.freeze({ role: null, isPlaceholder: false });

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

/** Codes of a to z as 1 to 26, everything else as 0. */
const letterOf = (code: number): number => (code >= 97 && code <= 122 ? code - 96 : 0);

/**
 * The first letters of the listed names, up to three, before any number and without separators.
 * Most people's names start differently.
 */
const beginnings = once((): Uint8Array => {
  const all = new Uint8Array(27 ** 3);
  for (const list of [known().keys(), roleWords()]) for (const name of list) all[beginningOf(name)] = 1;
  return all;
});

function beginningOf(text: string): number {
  let beginning = 0;
  let taken = 0;
  for (let at = 0; at < text.length && taken < 3; at++) {
    const code = text.charCodeAt(at);
    if (isSeparator(code)) continue;
    if (code === 43 || isDigit(code)) break;
    beginning = beginning * 27 + letterOf(code);
    taken++;
  }
  return beginning;
}

/**
 * What a local part (lower case) says. Text after a plus sign, separators, and a number at the end
 * do not count.
 */
export function profileLocal(local: string): LocalProfile {
  // `hr.leeds` starts like another word.
  if (beginnings()[beginningOf(local)] === 0 && !isSeparator(local.charCodeAt(2))) return plainLocal;
  const plus = local.indexOf('+');
  const base = plus > 0 ? local.slice(0, plus) : local;
  if (base.length > longestListed) return plainLocal;
  const joined = withoutSeparators(base);
  const found = known().get(joined) ?? known().get(withoutDigits(joined));
  if (found !== undefined) return found;
  if (joined.startsWith('noreply') || joined.startsWith('donotreply')) return technical;
  if (joined !== base) return roleOfWords(base);
  return isTwoWords(withoutDigits(joined)) ? general : plainLocal;
}

const technical: LocalProfile = Object.freeze({ role: 'technical', isPlaceholder: false });
const general: LocalProfile = Object.freeze({ role: 'general', isPlaceholder: false });

/**
 * A local part that contains one of these words belongs to a machine, whatever else it contains:
 * `list-unsubscribe`.
 */
const machineWords = new Set(['noreply', 'unsubscribe', 'bounce', 'bounces', 'postmaster', 'hostmaster']);

/**
 * `sales.uk`, `info-leeds`, `head.office`: only words for roles and places, with at least one role.
 */
function roleOfWords(base: string): LocalProfile {
  let hasRole = false;
  let isOther = false;
  for (const part of base.split(/[._-]+/)) {
    const word = withoutDigits(part);
    if (machineWords.has(word)) return technical;
    if (generalRoles().has(word)) hasRole = true;
    else if (word !== '' && !roleWords().has(word)) isOther = true;
  }
  return hasRole && !isOther ? general : plainLocal;
}

/** Shorter words also occur inside names. */
const shortestJoined = 4;

/** `generalenquiries`, `theoffice`: two such words written as one. */
function isTwoWords(joined: string): boolean {
  const start = joined.startsWith('the') ? 3 : shortestJoined;
  for (let at = start; at <= joined.length - shortestJoined; at++) {
    const first = joined.slice(0, at);
    const isRole = generalRoles().has(first);
    if (!isRole && !roleWords().has(first)) continue;
    const second = joined.slice(at);
    if (generalRoles().has(second) || (isRole && roleWords().has(second))) return true;
  }
  return false;
}

/**
 * The lists behind the role of a local part, for a test of many stored ones where `profileLocal`
 * cannot run, as in a database.
 */
export interface ListedRoles {
  /** Whole local parts without separators that are posts, and those that are placeholders. */
  whole: readonly string[];
  placeholders: readonly string[];
  /** Words for posts, and words beside them. */
  general: readonly string[];
  words: readonly string[];
  machines: readonly string[];
  /** How a local part that says anything begins: up to three letters. */
  beginnings: readonly string[];
  /** Posts that are also typed to get past a form. */
  fillers: readonly string[];
  fillerNames: readonly string[];
  longest: number;
  shortestJoined: number;
}

export function listedRoles(): ListedRoles {
  const all = [...known()];
  const whole = all.filter(([, { role, isPlaceholder }]) => role !== null && !isPlaceholder);
  const names = [...known().keys(), ...roleWords()];
  return {
    whole: whole.map(([name]) => name),
    placeholders: all.filter(([, { isPlaceholder }]) => isPlaceholder).map(([name]) => name),
    general: [...generalRoles()],
    words: [...roleWords()],
    machines: [...machineWords],
    beginnings: [
      ...new Set(names.map((name) => (/^[^0-9+]*/.exec(name.replace(/[._-]/g, ''))?.[0] ?? '').slice(0, 3))),
    ],
    fillers: [...fillers()].filter((name) => generalRoles().has(name) || technicalRoles().has(name)),
    fillerNames: [...fillers()],
    longest: longestListed,
    shortestJoined,
  };
}

/** Whether `text` is what people type to get past a form: `asdf`, `xxx`, `none`. */
export function isFiller(text: string): boolean {
  return fillers().has(text);
}
