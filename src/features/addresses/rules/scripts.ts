/**
 * Which writing systems a word uses. A word that mixes look-alike scripts (a Cyrillic "о" in a
 * Latin name) is a trick or a typing slip. No real address looks like that.
 */

const scripts: [name: string, test: RegExp][] = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Arabic',
  'Hebrew',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
  'Thai',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Lao',
  'Tibetan',
  'Myanmar',
  'Georgian',
  'Armenian',
  'Ethiopic',
  'Khmer',
  'Mongolian',
  'Cherokee',
  'Thaana',
].map((name) => [name, new RegExp(`^\\p{Script=${name}}$`, 'u')]);
const common = /^[\p{Script=Common}\p{Script=Inherited}]$/u;

/**
 * Sets that people write together every day ("highly restrictive" of Unicode Technical Standard 39,
 * section 5.2).
 */
const usedTogether = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
  ['Latin', 'Han', 'Bopomofo'],
];

function scriptOf(character: string): string | null {
  if (common.test(character)) return null;
  for (const [name, test] of scripts) if (test.test(character)) return name;
  return 'another script';
}

/**
 * The scripts of `text` in words ("Latin and Cyrillic") when they do not belong together, otherwise
 * null.
 */
export function findMixedScript(text: string): string | null {
  const found = new Set<string>();
  for (const character of text) {
    const script = scriptOf(character);
    if (script !== null) found.add(script);
  }
  if (found.size < 2) return null;
  if (usedTogether.some((set) => [...found].every((name) => set.includes(name)))) return null;
  return [...found].join(' and ');
}
