import { describe, expect, it } from 'vitest';
import { liquidWords, summaryOf } from './block-words.ts';
import { renderDocument } from './render.ts';
import { templateDocument } from './schema.ts';
import { showWhen, showWhenWords } from './show-when.ts';

const labels = new Map([['first_name', 'Given name']]);

describe('Liquid in words', () => {
  it.each([
    ['{{ first_name }}', 'Given name'],
    ['{{first_name | default: "there"}}', 'Given name or “there”'],
    ["{{- company_name | default: 'us' -}}", 'Company name or “us”'],
    ['{{ price | times: 2 }}', 'price | times: 2'],
    ['{% if city == "York" %}', 'if city == "York"'],
    ['{{ }}', ''],
  ])('%s', (liquid, words) => {
    expect(liquidWords(liquid, labels)).toBe(words);
  });

  it.each([
    [{ type: 'text', html: '<p>One &amp; <b>two</b></p><ul><li>three</ul>' }, 'One & two three'],
    [
      { type: 'heading', level: 1, html: 'Hello {{ first_name | default: "<b>" }}' },
      'Hello Given name or “< b>”',
    ],
    [{ type: 'text', html: `<p>${'word '.repeat(40)}</p>` }, `${'word '.repeat(12).trim()}…`],
    [{ type: 'html', html: '<style>p{}</style><script>alert(1)</script>x' }, 'x'],
    [{ type: 'divider' }, ''],
  ])('the summary of %j', (block, words) => {
    const [read] = templateDocument.parse({ version: 1, blocks: [{ id: 'a', ...block }] }).blocks;
    expect(read && summaryOf(read, labels)).toBe(words);
  });
});

it('reads conditions as words', () => {
  const words = (operator: string, value = '') =>
    showWhenWords(showWhen.parse({ field: 'first_name', operator, value }), labels);
  expect(words('equals', 'York')).toBe('Given name is York');
  expect(words('not_less', '10')).toBe('Given name is not less than 10');
  expect(words('is_empty', 'x')).toBe('Given name has no value');
  expect(words('contains')).toBe('Given name contains …');
});

describe('the marks of the editor', () => {
  const document = {
    version: 1,
    blocks: [
      { id: 'a', type: 'text', html: 'One &lt;mj-text> <mj-text>' },
      {
        id: 'b',
        type: 'columns',
        columns: [[{ id: 'c', type: 'product', name: 'Tea', href: '', src: 'x' }], []],
      },
    ],
  };

  it('name every block and column by its place, and nothing else', async () => {
    const html = await renderDocument(document, { marked: true });
    const marks = [...html.matchAll(/\bat-[\d-]+/g)].map(([mark]) => mark);
    expect([...new Set(marks)].filter((mark) => !mark.endsWith('-outlook')).toSorted()).toEqual(
      expect.arrayContaining(['at-0', 'at-1', 'at-1-0', 'at-1-0-0', 'at-1-1']),
    );
    expect(html.replace(/ ?\bat-[\d-]+(-outlook)?/g, '').replace(/ class=""/g, '')).not.toContain('at-');
  });

  it('stand in nothing that is sent', async () => {
    expect(await renderDocument(document)).not.toMatch(/\bat-\d/);
  });
});
