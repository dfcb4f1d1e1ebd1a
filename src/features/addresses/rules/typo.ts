/**
 * Which domain was probably meant. Suggests only the domains people mean most
 * (lists/typo-targets.txt), and only for a domain that the caller does not know to be real. A
 * doubtful case gets no suggestion.
 */
import { isNeighbour } from './keyboard.ts';
import { domainFact, factsOf, letterMask, once, type TypoTarget, typoTargets } from './lists.ts';

/** Names of at least this length may have any one extra letter, except the first. */
const middlingName = 6;
/** Names of at least this length may have a key beside the first one, or any other wrong letter. */
const longName = 7;
/** Names of at least this length may have two slips. */
const veryLongName = 9;

/**
 * Whether `given` is `meant` with one slip: a letter left out, doubled, swapped with the next, or a
 * wrong key.
 */
export function isOneSlip(given: string, meant: string): boolean {
  const difference = given.length - meant.length;
  if (given === meant || difference > 1 || difference < -1) return false;
  const shorter = Math.min(given.length, meant.length);
  let start = 0;
  while (start < shorter && given[start] === meant[start]) start++;
  let end = 0;
  while (end < shorter - start && given[given.length - 1 - end] === meant[meant.length - 1 - end]) end++;
  const isLong = meant.length >= longName;
  if (difference === 0) {
    const differing = given.length - start - end;
    if (differing === 2) return given[start] === meant[start + 1] && given[start + 1] === meant[start];
    if (differing !== 1) return false;
    // Other words begin with another letter: walktalk.
    if (isLong) return start > 0 || isNeighbour(given[0], meant[0]);
    // A key beside the right one, or the previous letter repeated.
    return start > 0 && (given[start] === given[start - 1] || isNeighbour(given[start], meant[start]));
  }
  if (start + end < shorter) return false;
  if (isLong) return true;
  if (difference === -1) return start > 0;
  if (start === 0) return false;
  return meant.length >= middlingName || isStrayKey(given, start) || isEarly(given, meant, start);
}

/** Whether the extra letter at `at` is one that comes right before or soon after: `gimail`. */
function isEarly(given: string, meant: string, at: number): boolean {
  return meant.slice(Math.max(0, at - 2), at + 3).includes(given[at] as string);
}

/** Whether the extra letter at `at` is a doubled letter, or next to the key before or after it. */
function isStrayKey(text: string, at: number): boolean {
  const key = text[at];
  return [text[at - 1], text[at + 1]].some((beside) => beside === key || isNeighbour(key, beside));
}

/**
 * Optimal string alignment (insertions, deletions, substitutions, swaps of neighbours), up to 2; 3
 * for any more.
 */
export function slipsBetween(given: string, meant: string): number {
  if (Math.abs(given.length - meant.length) > 2) return 3;
  let before: number[] = [];
  let above = Array.from({ length: meant.length + 1 }, (_, at) => at);
  for (let row = 1; row <= given.length; row++) {
    const line = [row];
    for (let at = 1; at <= meant.length; at++) {
      const same = given[row - 1] === meant[at - 1];
      let least = Math.min(
        (above[at] as number) + 1,
        (line[at - 1] as number) + 1,
        (above[at - 1] as number) + (same ? 0 : 1),
      );
      if (row > 1 && at > 1 && given[row - 1] === meant[at - 2] && given[row - 2] === meant[at - 1])
        least = Math.min(least, (before[at - 2] as number) + 1);
      line.push(least);
    }
    before = above;
    above = line;
  }
  return Math.min(3, above[meant.length] as number);
}

function isAnagram(given: string, meant: string): boolean {
  return given.length === meant.length && [...given].sort().join('') === [...meant].sort().join('');
}

function isNearName(given: string, meant: string): boolean {
  if (isOneSlip(given, meant)) return true;
  if (given[0] !== meant[0]) return false;
  // Two slips. In a short name they count only when one letter has moved (icould, gimal), in a
  // longer one only with the same letters (hotimall).
  if (meant.length < veryLongName && !isAnagram(given, meant)) {
    if (meant.length < longName || letterMask(given) !== letterMask(meant)) return false;
  }
  return slipsBetween(given, meant) === 2;
}

/** Endings that people write for the usual one, when the provider has no such branch. */
const strayEndings = new Set([
  'uk',
  'com.uk',
  'co.uk.com',
  'co.uk.uk',
  'com.com',
  'com.co.uk',
  'co',
  'cm',
  'om',
  'couk',
  'cuk',
  'co.uk',
  'com',
]);
const loneEndings = new Set(['net', 'org', 'org.uk', 'ac.uk', 'con.uk']);

/**
 * The ending meant by `given` after the name of `target`; null when it is a real one or nothing is
 * near.
 */
function mendEnding(target: TypoTarget, given: string): string | null {
  if (target.endings.includes(given) || target.otherEndings.includes(given)) return null;
  for (const meant of target.endings) {
    if (meant.length > 2 && slipsBetween(given, meant) === 1) return meant;
  }
  if (!strayEndings.has(given) && !(loneEndings.has(given) && target.name.length > 4)) return null;
  const isBritish = given.includes('uk');
  const british = target.endings.find((ending) => ending === 'co.uk');
  return isBritish && british
    ? british
    : (target.endings.find((ending) => ending !== 'co.uk') ?? british ?? null);
}

/** More than four bits: two slips change at most two letters to two others. */
function hasManyBits(mask: number): boolean {
  let left = mask;
  for (let count = 0; left !== 0; count++) {
    if (count === 4) return true;
    left &= left - 1;
  }
  return false;
}

/** The names of the list, each with its first entry. */
const targetsByName = once((): ReadonlyMap<string, TypoTarget> => {
  const all = new Map<string, TypoTarget>();
  for (const target of typoTargets()) if (!all.has(target.name)) all.set(target.name, target);
  return all;
});

/** By the length of a given name: the targets that it may misspell, two letters apart at most. */
const targetsByLength = once((): readonly (readonly TypoTarget[])[] => {
  const near = typoTargets().filter((target) => !target.isExact);
  const longest = Math.max(...typoTargets().map(({ name }) => name.length)) + 2;
  return Array.from({ length: longest + 1 }, (_, length) =>
    near.filter(({ name }) => Math.abs(name.length - length) <= 2),
  );
});

/** The list's entry for exactly this domain, or undefined. */
export function typoTargetOf(domain: string): TypoTarget | undefined {
  const dot = domain.indexOf('.');
  const name = domain.slice(0, dot);
  const ending = domain.slice(dot + 1);
  return typoTargets().find(
    (target) =>
      target.name === name && (target.endings.includes(ending) || target.otherEndings.includes(ending)),
  );
}

/** Domains without their dots: `gmailcom` → `gmail.com`. */
const glued = once((): ReadonlyMap<string, { domain: string; isExact: boolean }> => {
  const all = new Map<string, { domain: string; isExact: boolean }>();
  for (const { name, isExact, endings } of typoTargets()) {
    for (const ending of endings) {
      all.set(`${name}${ending.replaceAll('.', '')}`, { domain: `${name}.${ending}`, isExact });
    }
  }
  return all;
});

/** The first two letters of the names of the list, as `startOf` numbers them. */
const starts = once((): Uint8Array => {
  const all = new Uint8Array(26 * 26);
  for (const { name } of typoTargets()) {
    const start = startOf(name);
    if (start >= 0) all[start] = 1;
  }
  return all;
});

/** False for a domain that begins as no name of the list does: nearly every one, at little cost. */
function mayBeExact(domain: string): boolean {
  const start = startOf(domain);
  return start < 0 || starts()[start] === 1;
}

/** A number for the first two letters, -1 if they are not two letters from a to z. */
function startOf(text: string): number {
  const first = text.charCodeAt(0) - 97;
  const second = text.charCodeAt(1) - 97;
  return first >= 0 && first < 26 && second >= 0 && second < 26 ? first * 26 + second : -1;
}

/** The domain meant by one whose dots are missing or misplaced: `gmailcom`, `gmailc.om`. */
function withDotsInPlace(domain: string): string | null {
  if (!mayBeExact(domain)) return null;
  const withoutDots = domain.replaceAll('.', '');
  const meant = glued().get(withoutDots);
  if (meant === undefined || meant.domain === domain) return null;
  // With a dot somewhere, a short name may belong to a company: liveco.uk.
  const isClear = withoutDots === domain || withoutDots.length > 8 || domain.endsWith('c.om');
  return isClear || !meant.isExact ? meant.domain : null;
}

/**
 * The domain meant by a provider's name with no ending, or with one letter of it: `gmail`,
 * `gmail.c`. Null when the provider has several usual endings, as hotmail has.
 */
export function providerCutShort(domain: string): string | null {
  const [name = '', ending = '', ...more] = domain.split('.');
  if (more.length > 0 || ending.length > 1 || name.length < 3) return null;
  const target = typoTargets().find(
    (one) => one.name === name || (!one.isExact && name.length > 3 && isNearName(name, one.name)),
  );
  if (target === undefined || target.endings.length > 1) return null;
  if (target.isExact && target.otherEndings.length > 0) return null;
  return `${target.name}.${target.endings[0]}`;
}

/**
 * The domain probably meant by `domain` (lower case), or null. The caller has checked that `domain`
 * is not known to be real (providers, public bodies, neighbours).
 */
export function suggestProvider(domain: string): string | null {
  const meant = withDotsInPlace(domain);
  if (meant !== null) return meant;
  const dot = domain.indexOf('.');
  if (dot < 1) return null;
  const near = targetsByLength()[dot];
  if (near === undefined) return null;
  const mask = letterMask(domain, dot);
  if (!mayBeExact(domain) && near.every((target) => hasManyBits(target.mask ^ mask))) return null;
  const name = domain.slice(0, dot);
  const ending = domain.slice(dot + 1);
  const exact = targetsByName().get(name);
  if (exact !== undefined) {
    const mended = mendEnding(exact, ending);
    return mended === null ? null : `${name}.${mended}`;
  }
  for (const target of near) {
    if (hasManyBits(target.mask ^ mask) || !isNearName(name, target.name)) continue;
    // A name that is real under .com (gail.com) is one elsewhere too.
    if ((factsOf(`${name}.com`) & domainFact.neighbour) !== 0) return null;
    const isReal = target.endings.includes(ending) || target.otherEndings.includes(ending);
    const mended = isReal ? ending : mendEnding(target, ending);
    if (mended !== null) return `${target.name}.${mended}`;
  }
  return null;
}
