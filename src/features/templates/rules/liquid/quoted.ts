/**
 * What would end the text early, or be changed on its way through HTML: quotes, braces, a tag, the
 * end of a comment, and characters that the product uses itself. A backslash begins an escape.
 */
const unsafe = /["'{}\\<\uE000\uE001]|-(?=[->])|[\p{Cc}\u2028\u2029]/gu;

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text as Liquid writes it within quotes. Read again, it is the same to the letter. */
export function quoted(text: string): string {
  return `"${text.replace(unsafe, escaped)}"`;
}

/** The same where only an apostrophe is unusual: most texts stay as they were typed. */
export function readablyQuoted(text: string): string {
  const bare = text.replaceAll("'", '');
  return bare.search(unsafe) < 0 ? `"${text}"` : quoted(text);
}

/** A text in quotes, as Liquid writes it. */
export const literal = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/g;

const letters: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** What a text in quotes says. */
export function unquoted(written: string): string {
  return written
    .slice(1, -1)
    .replace(
      /\\(?:u([\da-f]{0,4})|([0-7]{1,3})|([\s\S]))/gi,
      (_, hex?: string, octal?: string, char = '') => {
        if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex || '0', 16));
        if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
        return letters[char] ?? char;
      },
    );
}
