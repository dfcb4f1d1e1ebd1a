import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';
import type { TemplateField } from '../../../contract/fields.ts';
import { tagNames } from '../../../rules/liquid/engine.ts';
import { filterNames } from '../../../rules/liquid/filter-names.ts';
import { parse } from '../../../rules/liquid/parse.ts';
import { liquidCompletions, tagSnippets } from './liquid-completions.ts';

const fields: TemplateField[] = [
  { name: 'first_name', label: 'First name', kind: 'contact', contacts: 3 },
  { name: 'company_name', label: 'Company name', kind: 'sender', contacts: null },
];

async function offered(before: string, explicit = false) {
  const state = EditorState.create({ doc: before });
  const answer = await liquidCompletions(() => fields)(new CompletionContext(state, before.length, explicit));
  return answer && { from: answer.from, labels: answer.options.map(({ label }) => label) };
}

it('offers the fields of the workspace in a value', async () => {
  expect(await offered('<p>{{ fi')).toEqual({ from: 6, labels: ['first_name', 'company_name'] });
});

it('offers exactly the filters that templates take after a bar', async () => {
  expect(await offered('{{ first_name | ')).toEqual({ from: 16, labels: filterNames });
});

it('offers the words of conditions in a tag', async () => {
  expect((await offered('{% if first_name con'))?.labels).toContain('contains');
});

it('offers nothing outside Liquid, and in the middle of a condition only when asked', async () => {
  expect(await offered('<p>first', true)).toBeNull();
  expect(await offered('{% if first_name ')).toBeNull();
  expect(await offered('{% if first_name ', true)).not.toBeNull();
});

it('knows each tag that templates take, and its end', async () => {
  const { labels = [] } = (await offered('{%')) ?? {};
  expect(labels).toEqual(expect.arrayContaining(tagNames.filter((name) => name !== '#')));
  const inner = ['elsif', 'else', 'when'];
  const ends = labels.filter((name) => name.startsWith('end')).map((name) => name.slice(3));
  expect(labels.filter((name) => !tagNames.includes(name) && !inner.includes(name)).length).toBe(ends.length);
  expect(tagNames).toEqual(expect.arrayContaining(ends));
});

it.each(['if', 'unless', 'case', 'for', 'assign', 'capture', 'comment', 'raw'])(
  'puts a whole %s there, which can be filled',
  (name) => {
    const written = `{% ${tagSnippets[name]?.replace(/#\{([^}]*)\}/g, '$1')}`;
    expect(parse(written, []).faults, written).toEqual([]);
  },
);
