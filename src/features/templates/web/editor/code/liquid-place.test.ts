import { expect, it } from 'vitest';
import { liquidPlace } from './liquid-place.ts';

it.each([
  ['<p>Dear {{', { kind: 'value', isTag: false, typed: '', isTight: true, isDue: true }],
  ['<p>Dear {{ fir', { kind: 'value', isTag: false, typed: 'fir', isTight: false, isDue: false }],
  ['{{ a }} {{- fir', { kind: 'value', typed: 'fir' }],
  ['{{ first_name |', { kind: 'filter', typed: '', isDue: true }],
  ['{{ first_name | upcase | def', { kind: 'filter', typed: 'def' }],
  ['{{ first_name | default: comp', { kind: 'value', typed: 'comp' }],
  ['{%', { kind: 'tag', isTag: true, isTight: true, isDue: true }],
  ['{% unl', { kind: 'tag', typed: 'unl' }],
  ['{% if first_name == la', { kind: 'value', isTag: true, typed: 'la', isDue: false }],
  ['{% assign x = ', { kind: 'value', isDue: true }],
])('knows what comes after %s', (before, place) => {
  expect(liquidPlace(before)).toMatchObject(place);
});

it.each([
  '',
  '<p>first',
  '{{ a }} b',
  '{% if a %} b',
  '{{ a | default: "fir',
  "{{ a | append: 'fir",
  '{ fir',
  '}} a',
])('offers nothing after %s', (before) => {
  expect(liquidPlace(before)).toBeNull();
});
