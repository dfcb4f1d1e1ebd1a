/**
 * The letter model of src/features/addresses/rules/gibberish.ts: for each pair of letters, how much
 * it speaks for a name (above zero) or for keys hit at random (below zero). Made by
 * scripts/refresh-lists.ts from lists/names.txt and from simulated mash; the same input gives the
 * same bytes. docs/address-lists.md has its size and score.
 */
const letters = 26;
/** The word's edge, before its first letter and after its last. */
const width = letters + 1;

const code = (letter: string | undefined): number =>
  letter === undefined ? letters : letter.charCodeAt(0) - 97;

const rows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const keys = [...rows.join('')];

const middle = new Set([...(rows[1] as string)].map(code));

/**
 * Half keys from the left edge of the keyboard, and the row. Each row is half a key further right.
 */
const places = new Map(
  rows.flatMap((row, y) => [...row].map((key, x): [string, [number, number]] => [key, [2 * x + y, 2 * y]])),
);

function distance(a: string, b: string): number {
  const [ax, ay] = places.get(a) as [number, number];
  const [bx, by] = places.get(b) as [number, number];
  return Math.abs(ax - bx) + Math.abs(ay - by);
}

const isLeft = (key: string): boolean => (places.get(key) as [number, number])[0] <= 9;
/** Where fingers rest: the middle row. */
const restOf = (key: string): number => (rows[1]?.includes(key) ? 40 : rows[0]?.includes(key) ? 14 : 9);

/**
 * How likely each key follows `last`, in whole numbers, so that every machine makes the same mash.
 */
const nearby = (last: string): number[] =>
  keys.map((key) => (key === last ? 6 : Math.floor((20 * restOf(key)) / (1 + distance(key, last) ** 2 / 4))));
const otherHand = (last: string): number[] =>
  keys.map((key) => restOf(key) * (isLeft(key) === isLeft(last) ? 1 : 4));
const anyKey = (): number[] => keys.map(() => 1);

/** Keys hit at random: near each other, with both hands in turn, or anywhere. */
function simulatedMash(count: number): string[] {
  let state = 42;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const weighted = (weights: readonly number[]): string => {
    let left = random(weights.reduce((a, b) => a + b));
    const chosen = weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    });
    return keys[chosen] as string;
  };
  const ways = [nearby, nearby, nearby, nearby, nearby, otherHand, otherHand, otherHand, anyKey, anyKey];
  return Array.from({ length: count }, () => {
    let text = weighted(anyKey());
    for (let more = 7 + random(8); more > 0; more--) {
      const way = ways[random(ways.length)] as (last: string) => number[];
      text += weighted(way(text.at(-1) as string));
    }
    return text;
  });
}

/** The logarithm (base 2) of how likely each letter follows each other one in `words`. */
function likelihoods(words: readonly string[]): number[] {
  const pairs = new Array<number>(width * width).fill(0);
  const singles = new Array<number>(width).fill(1);
  for (const word of words) {
    for (let at = 0; at <= word.length; at++) {
      const letter = code(word[at]);
      const pair = code(word[at - 1]) * width + letter;
      pairs[pair] = (pairs[pair] as number) + 1;
      singles[letter] = (singles[letter] as number) + 1;
    }
  }
  const all = singles.reduce((a, b) => a + b);
  return pairs.map((count, pair) => {
    const row = Math.floor(pair / width) * width;
    const sum = pairs.slice(row, row + width).reduce((a, b) => a + b);
    // Five counts, spread like the single letters, so that no pair is impossible.
    const expected = (5 * (singles[pair - row] as number)) / all;
    return Math.log2((count + expected) / (sum + 5));
  });
}

/**
 * What a pair counts: its likelihood in names, its excess over mash, and a little against the
 * middle row. The weights are those of a logistic regression between names (alone, in twos, with
 * initials, without vowels) and mash, divided by the first of them.
 */
const weights = { name: 1, excess: 1.7, middleRow: 2.5 };

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';

/** The score of each pair in half bits from −24, one digit each, row by row with the edge last. */
export function letterScores(names: readonly string[]): string[] {
  const inNames = likelihoods(names);
  const inMash = likelihoods(simulatedMash(6000));
  const scores = inNames.map((name, pair) => {
    const isMiddle = middle.has(pair % width);
    const excess = name - (inMash[pair] as number);
    const score = weights.name * name + weights.excess * excess - (isMiddle ? weights.middleRow : 0);
    return digits[Math.min(63, Math.max(0, Math.round(2 * (score + 24))))] as string;
  });
  return Array.from({ length: width }, (_, row) => scores.slice(row * width, (row + 1) * width).join(''));
}
