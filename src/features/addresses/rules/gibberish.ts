/**
 * Whether letters form no name. Uses a model of letter pairs, learnt from the names and words of
 * lists/names.txt.
 *
 * It is better to miss some gibberish than to be wrong about anybody. So this judges only a long
 * run of letters with many consonants in a row, never initials, numbers, keyboard rows (`asdfgh`)
 * or short forms.
 */
import { letterPairs } from './list-data.ts';
import { once } from './lists.ts';

const letters = 26;
/** The word's edge, before its first letter and after its last. */
const edge = letters;
const width = letters + 1;

/** Shorter words are initials and abbreviations. */
const shortestWord = 8;
/**
 * At least this many letters in a row without a vowel. Polish and Welsh names have such runs too,
 * so the score must also be bad.
 */
const longConsonantRun = 6;
/**
 * A word is no name if the mean logarithm (base 2) of its pairs' likelihoods is below this. The
 * list's own names end at −4.7.
 */
const leastScore = -5.7;

/**
 * Quarter bits below zero, one character each, starting from `0`; row by row, with the edge last.
 */
const scores = once((): Float32Array => {
  const text = letterPairs.replaceAll('\n', '');
  return Float32Array.from({ length: width * width }, (_, at) => (48 - text.charCodeAt(at)) / 4);
});

const isVowel = new Uint8Array(letters);
for (const vowel of 'aeiouy') isVowel[vowel.charCodeAt(0) - 97] = 1;

/** The mean score of `word` (a to z only). A lower score looks less like a name. */
export function nameLikeness(word: string): number {
  const table = scores();
  let before = edge;
  let sum = 0;
  for (let at = 0; at <= word.length; at++) {
    const letter = at === word.length ? edge : word.charCodeAt(at) - 97;
    sum += table[before * width + letter] as number;
    before = letter;
  }
  return sum / (word.length + 1);
}

/** Whether `local` (lower case) contains a word that is no name. */
export function isGibberish(local: string): boolean {
  if (local.length < shortestWord) return false;
  let start = 0;
  let run = 0;
  let longestRun = 0;
  for (let at = 0; at <= local.length; at++) {
    const letter = at < local.length ? local.charCodeAt(at) - 97 : -1;
    if (letter >= 0 && letter < letters) {
      run = isVowel[letter] === 1 ? 0 : run + 1;
      if (run > longestRun) longestRun = run;
      continue;
    }
    const isSuspect = longestRun >= longConsonantRun && at - start >= shortestWord;
    if (isSuspect && nameLikeness(local.slice(start, at)) < leastScore) return true;
    start = at + 1;
    run = 0;
    longestRun = 0;
  }
  return false;
}
