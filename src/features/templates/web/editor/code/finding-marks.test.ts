import { Text } from '@codemirror/state';
import { expect, it } from 'vitest';
import { marksOf, rangeOf } from './finding-marks.ts';

const doc = Text.of(['<p>Dear {{ nme | upcase }},</p>', '', '  <img src="a.png">', '<p>{{ nme']);
const marked = (line: number | null, column: number | null) => {
  const range = rangeOf(doc, { line, column });
  return range && doc.sliceString(range.from, range.to);
};

it('marks the tag of Liquid or HTML, the word, or the line', () => {
  expect(marked(1, 9)).toBe('{{ nme | upcase }}');
  expect(marked(1, 4)).toBe('Dear');
  expect(marked(3, 3)).toBe('<img');
  expect(marked(3, null)).toBe('<img src="a.png">');
  expect(marked(4, 4)).toBe('{{ nme');
});

it('marks the line where the column is not, and nothing where the line is not', () => {
  expect(marked(1, 400)).toBe(doc.line(1).text);
  expect(marked(2, 1)).toBe('');
  expect(marked(9, 1)).toBeUndefined();
  expect(marked(null, null)).toBeUndefined();
});

it('tells problems from warnings, and leaves out what is about another part', () => {
  const finding = { line: 1, column: 9, block: null, liquid: null };
  const preview = {
    problems: [{ ...finding, part: 'html' as const, words: 'Broken' }],
    warnings: [
      { ...finding, part: 'html' as const, words: 'Odd' },
      { ...finding, part: 'text' as const, words: 'In the text' },
      { ...finding, part: 'html' as const, words: 'Everywhere', line: null },
    ],
  };
  expect(marksOf(doc, preview, 'html')).toEqual([
    { from: 8, to: 26, severity: 'error', message: 'Broken' },
    { from: 8, to: 26, severity: 'warning', message: 'Odd' },
  ]);
});
