import type { PersonPresent } from '../../../contract/presence.ts';

/** What each of the others does with the template that one has open. */
export type Doing = 'editing' | 'looking' | 'hidden';

export const doingOf = ({ mayWrite, isHidden }: PersonPresent): Doing =>
  isHidden ? 'hidden' : mayWrite ? 'editing' : 'looking';

interface Company {
  people: readonly PersonPresent[];
  /** Other windows of one's own. */
  ownWindows: number;
  /** Whether one may change the template oneself. */
  mayWrite: boolean;
}

/**
 * Who else has the template open, as one or two sentences: those who may change what one sees, or
 * else those who look at it, or else those who have it open behind something. Empty: nobody.
 */
export function companyWords({ people, ownWindows, mayWrite }: Company): string {
  const too = mayWrite ? ' too' : '';
  const ways: [Doing, one: string, many: string][] = [
    ['editing', `is editing this${too}`, `are editing this${too}`],
    ['looking', 'is looking at this', 'are looking at this'],
    ['hidden', 'has this open', 'have this open'],
  ];
  const told = ways.flatMap(([doing, one, many]) => {
    const names = people.filter((person) => doingOf(person) === doing).map(({ name }) => name);
    return names.length === 0 ? [] : [`${together(names)} ${names.length === 1 ? one : many}`];
  });
  const tabs = ownWindows === 1 ? 'another tab' : `${ownWindows} other tabs`;
  return [...told.slice(0, 1), ...(ownWindows > 0 ? [`You have this open in ${tabs}`] : [])].join('. ');
}

/** `Ann Lee`, `Ann Lee and Ben Reed`, `Ann Lee and 2 others`. */
const together = ([first = '', second, ...rest]: string[]): string =>
  second === undefined
    ? first
    : rest.length === 0
      ? `${first} and ${second}`
      : `${first} and ${rest.length + 1} others`;

/** One or two letters: of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/u).filter((word) => /^\p{L}/u.test(word));
  const letters = [words[0], ...(words.length > 1 ? [words.at(-1)] : [])].map((word) => [...(word ?? '')][0]);
  return letters.join('').toUpperCase() || '?';
}
