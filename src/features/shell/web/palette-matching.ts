export interface Matchable {
  label: string;
  keywords?: string;
}

export interface Ranked<T> {
  entry: T;
  /** How well it matches, per typed word. */
  score: number;
}

/** What a search of the data finds contains the typed text: between a beginning and a middle. */
export const foundScore = 5.5;

/**
 * The entries that match every typed word, best first; without words, all in their own order. A
 * word matches if the label or the keywords contain it, if its letters occur in order in the label,
 * at the beginnings of words ("imda" for Import Data), or if it is one slip away from a word
 * ("supress", "audeince"). A label that begins with all that was typed comes first.
 */
export function ranked<T extends Matchable>(entries: readonly T[], typed: string): Ranked<T>[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return entries.map((entry) => ({ entry, score: 0 }));
  const whole = wanted.join(' ');
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, wanted, whole) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
}

function scoreOf({ label, keywords = '' }: Matchable, wanted: readonly string[], whole: string): number {
  const own = label.toLowerCase();
  const others = keywords.toLowerCase();
  let sum = 0;
  for (const word of wanted) {
    const score = wordScore(own, others, word);
    if (score === 0) return 0;
    sum += score;
  }
  return sum / wanted.length + (own === whole ? 2 : own.startsWith(whole) ? 1 : 0);
}

function wordScore(label: string, keywords: string, word: string): number {
  if (beginsAWord(label, word)) return 6;
  if (label.includes(word)) return 5;
  if (beginsAWord(keywords, word)) return 4;
  if (keywords.includes(word)) return 3;
  if (word.length >= 3 && runsThrough(label, word)) return 2;
  const known = `${label} ${keywords}`.split(/[^\p{L}\p{N}]+/u);
  return word.length >= 5 && known.some((one) => one.length >= 5 && isOneSlip(one, word)) ? 1 : 0;
}

const beginsAWord = (text: string, word: string): boolean =>
  text.startsWith(word) || text.includes(` ${word}`);

/**
 * Whether the letters occur in the text in order: the first at its beginning, each new run at the
 * beginning of a word.
 */
function runsThrough(text: string, letters: string): boolean {
  if (text[0] !== letters[0]) return false;
  const from = (at: number, next: number): boolean => {
    if (next === letters.length) return true;
    if (text[at] === letters[next] && from(at + 1, next + 1)) return true;
    for (let start = text.indexOf(' ', at); start >= 0; start = text.indexOf(' ', start + 1)) {
      if (text[start + 1] === letters[next] && from(start + 2, next + 1)) return true;
    }
    return false;
  };
  return from(1, 1);
}

/**
 * Whether one letter added, removed, replaced or swapped turns one word into the other (or its
 * beginning).
 */
function isOneSlip(word: string, typed: string): boolean {
  return [typed.length - 1, typed.length, typed.length + 1].some((length) =>
    isOneEdit(word.slice(0, length), typed),
  );
}

function isOneEdit(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [a, b] = [one.slice(start), other.slice(start)];
  if (a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)) return true;
  return a.length > 1 && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
}
