/**
 * How texts are compared: without regard to case, and without blanks at their ends. PostgreSQL's
 * `lower()` depends on the database's locale, and JavaScript's may turn one letter into two. So
 * there is one table of letters, which both use: each letter of the Latin, Greek and Cyrillic
 * alphabets with its small letter, where that is one letter. `ß` is not `ss`, and `İ` is only `İ`.
 */

const alphabets: readonly [first: number, last: number][] = [
  [0x80, 0x24f],
  [0x370, 0x52f],
  [0x1e00, 0x1fff],
];

const pairs = new Map<string, string>([
  ...alphabets.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)).flatMap(
      (letter): [string, string][] => {
        const small = letter.toLowerCase();
        return small !== letter && [...small].length === 1 ? [[letter, small]] : [];
      },
    ),
  ),
  // The small sigma at the end of a word.
  ['ς', 'σ'],
]);

/** Letters beyond ASCII, and at the same places the letters that stand for them. */
export const foldedLetters = { from: [...pairs.keys()].join(''), to: [...pairs.values()].join('') };

/** What is no part of a text at its ends: also the blank that does not break a line. */
export const blanks = ' \t\n\r\u00a0';

/** A text without blanks at its ends. */
export const trimmed = (text: string): string => text.replaceAll(/^[ \t\n\r\u00a0]+|[ \t\n\r\u00a0]+$/g, '');

/** A text as it is compared. */
export const folded = (text: string): string =>
  trimmed(text).replaceAll(/[A-Z\u0080-\uffff]/g, (letter) =>
    letter < '\u0080' ? letter.toLowerCase() : (pairs.get(letter) ?? letter),
  );
