/**
 * Whether letters form no name: keys in a row of the keyboard, a few keys again and again, or keys
 * hit at random. The last is judged by a model of letter pairs, made by scripts/letter-model.ts
 * from the names and words of lists/names.txt and from simulated mash.
 *
 * It is better to miss some gibberish than to be wrong about anybody. So this judges only longer
 * runs of letters, never initials, numbers or short forms.
 */
import { letterPairs } from './list-data.ts';
import { once } from './lists.ts';

const letters = 26;
/** The word's edge, before its first letter and after its last. */
const edge = letters;
const width = letters + 1;

/** Shorter words are initials and abbreviations, unless they only repeat themselves. */
const shortestWord = 7;
/** Longer ones are several words, whose seams count too much. */
const longestWord = 24;
const shortestRepetition = 6;
/** At least this many letters in a row without a vowel. Names have such runs too. */
const longConsonantRun = 4;
/** In a row of the keyboard: six keys, or five of the two lower rows, where no vowels help. */
const longWalk = 6;
const longLowerWalk = 5;
/** `mmmm` and `zzzzz` may be somebody's joke. */
const longSameLetter = 6;

/**
 * A word is no name if the mean score of its pairs is below this, at eight letters. Each further
 * letter makes the mean surer, up to sixteen.
 */
const leastScore = -10.4;
const surerByLetter = 0.26;
/** A shorter word without any vowel may be a name in short, `jhdgknsn`, and needs a worse score. */
const worseWithoutVowel = 2;
const longWithoutVowel = 10;
/** A word that repeats itself needs less to be none. */
const leastOfRepetition = -8;

/** Half bits from −24, one digit each; row by row, with the edge last. */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';
const scores = once((): Float32Array => {
  const text = letterPairs.replaceAll('\n', '');
  return Float32Array.from({ length: width * width }, (_, at) => digits.indexOf(text[at] as string) / 2 - 24);
});

const isVowel = new Uint8Array(letters);
for (const vowel of 'aeiouy') isVowel[vowel.charCodeAt(0) - 97] = 1;

/** The place of each letter on the keyboard; rows are far apart, so that no step crosses them. */
const place = new Uint8Array(letters);
['qwertyuiop', 'asdfghjkl', 'zxcvbnm'].forEach((row, number) => {
  for (let at = 0; at < row.length; at++) place[row.charCodeAt(at) - 97] = 20 * number + at;
});

/** Where no key is: no step from here is one along a row. */
const farAway = -100;

/** The mean score of the word between two places. A lower score looks less like a name. */
function likeness(text: string, start: number, end: number): number {
  const table = scores();
  let before = edge;
  let sum = 0;
  for (let at = start; at <= end; at++) {
    const letter = at === end ? edge : text.charCodeAt(at) - 97;
    sum += table[before * width + letter] as number;
    before = letter;
  }
  return sum / (end - start + 1);
}

/**
 * Whether `local` (lower case) contains a word that is no name. Every address goes through this.
 */
export function isGibberish(local: string): boolean {
  const length = local.length;
  if (length < longLowerWalk) return false;
  let start = 0;
  let run = 0;
  let longestRun = 0;
  let before = farAway;
  let step = farAway;
  let walk = 1;
  for (let at = 0; at < length; at++) {
    const letter = local.charCodeAt(at) - 97;
    if (letter >= 0 && letter < letters) {
      run = isVowel[letter] === 1 ? 0 : run + 1;
      if (run > longestRun) longestRun = run;
      const here = place[letter] as number;
      if (here - before === step) {
        walk++;
        if (walk >= longLowerWalk && isWalk(walk, step, letter)) return true;
      } else {
        step = here - before;
        walk = 2;
      }
      before = here;
      continue;
    }
    if (at - start >= shortestRepetition && isNoName(local, start, at, longestRun)) return true;
    start = at + 1;
    run = 0;
    longestRun = 0;
    before = farAway;
    walk = 1;
  }
  return length - start >= shortestRepetition && isNoName(local, start, length, longestRun);
}

/** The same key again is a walk too, with steps of none. */
function isWalk(length: number, step: number, letter: number): boolean {
  if (step < -1 || step > 1) return false;
  if (step === 0) return length >= longSameLetter;
  return length >= longWalk || (place[letter] as number) >= 20;
}

function isNoName(text: string, start: number, end: number, longestRun: number): boolean {
  const length = end - start;
  if (length > longestWord) return false;
  if (length >= shortestWord && longestRun >= (length === shortestWord ? 5 : longConsonantRun)) {
    const sure = surerByLetter * (Math.min(length, 16) - 8);
    const least =
      leastScore + sure - (longestRun === length && length < longWithoutVowel ? worseWithoutVowel : 0);
    if (likeness(text, start, end) < least) return true;
  }
  const unit = repeatedUnit(text, start, end);
  if (unit === 0) return false;
  if (likeness(text, start, end) < leastOfRepetition) return true;
  return unit > 2 && length >= shortestWord && isOnNeighbours(text, start, start + unit);
}

/** Whether each key is beside the one before it, in one row: `ert`, `poi`. */
function isOnNeighbours(text: string, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) {
    const step =
      (place[text.charCodeAt(at) - 97] as number) - (place[text.charCodeAt(at - 1) - 97] as number);
    if (step < -1 || step > 1) return false;
  }
  return true;
}

/** How many letters, two to four, the word repeats until its end, perhaps cut short; 0 if none. */
function repeatedUnit(text: string, start: number, end: number): number {
  const length = end - start;
  for (let unit = 2; unit <= 4 && 2 * unit <= length; unit++) {
    let at = start + unit;
    while (at < end && text.charCodeAt(at) === text.charCodeAt(at - unit)) at++;
    if (at === end && (unit > 2 || length >= 3 * unit)) return unit;
  }
  return 0;
}
