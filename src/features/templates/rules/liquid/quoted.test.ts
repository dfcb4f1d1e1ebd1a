import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileTemplate, fill } from '../compile.ts';
import { liquidWords } from '../document/block-words.ts';
import { cleanHtml } from '../html/clean.ts';
import { quoted, readablyQuoted, unquoted } from './quoted.ts';

/** Texts with everything that ends a text, a field, a tag or a comment somewhere. */
const pieces = [
  '"',
  "'",
  '\\',
  '{{',
  '}}',
  '{%',
  '%}',
  '<b>',
  '<!--',
  '-->',
  '--',
  '&amp;',
  '\\n',
  ' | ',
  'é',
  '😀',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 6 })), {
    maxLength: 12,
  })
  .map((parts) => parts.join('').trim().replace(/\s+/g, ' '))
  .filter((words) => words !== '');

const decoded = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

function rendered(liquid: string) {
  const written = `<p>[${liquid}]</p><img alt="[${liquid}]" src="https://kent.co.uk/a.png">`;
  const { html } = cleanHtml(written);
  const template = compileTemplate({ subject: `[${liquid}]`, preheader: '', html, text: `[${liquid}]` });
  const filled = fill(template, {});
  return {
    subject: filled.subject,
    text: filled.text,
    words: decoded(/<p>([\s\S]*?)<\/p>/.exec(filled.html)?.[1] ?? ''),
    alt: decoded(/alt="([^"]*)"/.exec(filled.html)?.[1] ?? ''),
  };
}

describe('a text in quotes', () => {
  it('says in each part, and in an attribute, what was typed', () => {
    fc.assert(
      fc.property(text, fc.constantFrom(quoted, readablyQuoted), (words, quote) => {
        const all = `[${words}]`;
        expect(rendered(`{{ first_name | default: ${quote(words)} }}`)).toEqual({
          subject: all,
          text: all,
          words: all,
          alt: all,
        });
        expect(unquoted(quote(words))).toBe(words);
      }),
      { numRuns: 300 },
    );
  });

  it('stays as it was typed where nothing needs an escape', () => {
    expect(readablyQuoted("friend of St John's")).toBe(`"friend of St John's"`);
    expect(readablyQuoted(`say "it's"`)).toBe(String.raw`"say \u0022it\u0027s\u0022"`);
  });

  it.each([
    [String.raw`'it\'s \u0022so\u0022\n'`, `it's "so"\n`],
    [String.raw`"\101\\b"`, 'A\\b'],
  ])('%s is read as Liquid reads it', (written, words) => {
    expect(unquoted(written)).toBe(words);
    const filled = fill(
      compileTemplate({ subject: '', preheader: '', html: '', text: `[{{ ${written} }}]` }),
      {},
    );
    expect(filled.text).toBe(`[${words}]`);
  });

  it('is shown in words on a chip', () => {
    const liquid = `{{ first_name | default: ${readablyQuoted(`say "it's"`)} }}`;
    expect(liquidWords(liquid, new Map())).toBe(`First name or “say "it's"”`);
  });
});
