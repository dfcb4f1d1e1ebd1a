import { once } from './lists.ts';

/**
 * Rows of a UK keyboard. Neighbours are the keys to the left and right, and half a key off above
 * and below.
 */
const rows = ['1234567890-', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** Letters that people confuse on paper and on screens. */
const lookAlikes = ['il1', 'o0', 'uv', 'nm', 'ae', 'eai', 'oau', 'gq'];

const neighbouring = once((): ReadonlySet<string> => {
  const pairs = new Set<string>();
  const add = (a: string | undefined, b: string | undefined) => {
    if (a === undefined || b === undefined || a === b) return;
    pairs.add(a + b);
    pairs.add(b + a);
  };
  rows.forEach((row, number) => {
    for (let at = 0; at < row.length; at++) {
      add(row[at], row[at + 1]);
      add(row[at], rows[number + 1]?.[at]);
      add(row[at], rows[number + 1]?.[at - 1]);
    }
  });
  for (const group of lookAlikes) for (const a of group) for (const b of group) add(a, b);
  return pairs;
});

/** Whether two letters are easily taken for each other, by fingers or by eyes. */
export const isNeighbour = (a: string | undefined, b: string | undefined): boolean =>
  neighbouring().has(`${a}${b}`);

/**
 * Whether `given` is the short text `meant` with one slip of the fingers: a letter left out,
 * doubled or swapped with the next, a key beside the right one, or one more key of those.
 */
export function isOneKeySlip(given: string, meant: string): boolean {
  const difference = given.length - meant.length;
  if (given === meant || difference > 1 || difference < -1) return false;
  let at = 0;
  while (at < meant.length && given[at] === meant[at]) at++;
  if (difference === -1) return given.slice(at) === meant.slice(at + 1);
  if (difference === 1) {
    if (given.slice(at + 1) !== meant.slice(at)) return false;
    const beside = [given[at - 1], given[at + 1]];
    // A letter of the word itself came too early or once more.
    return meant.includes(given[at] as string) || beside.some((key) => isNeighbour(given[at], key));
  }
  if (given.slice(at + 1) === meant.slice(at + 1)) return isNeighbour(given[at], meant[at]);
  return (
    given[at] === meant[at + 1] && given[at + 1] === meant[at] && given.slice(at + 2) === meant.slice(at + 2)
  );
}
