import { expect, it } from 'vitest';
import { faultsOf, faultyChips } from './faults.ts';

const place = { words: 'Odd.', block: 'a', liquid: null, isProblem: false };

it('gathers what is wrong by block, and the Liquid that is marked', () => {
  const { ofBlock, liquid } = faultsOf([
    place,
    { ...place, words: 'Broken.', liquid: '{{ x | y }}', isProblem: true },
    { ...place, block: null, liquid: '{{ z }}' },
  ]);
  expect([...ofBlock]).toEqual([['a', { words: ['Odd.', 'Broken.'], isProblem: true }]]);
  expect([...liquid]).toEqual(['{{ x | y }}', '{{ z }}']);
});

it('ends no rule and no element early, whatever stands in a chip', () => {
  const rule = faultyChips('data-liquid', new Set(['{{ a | default: "</style>\\" }}\n']));
  expect(rule).not.toMatch(/<|\n/);
  expect(rule).toContain('="{{ a | default: \\"\\3c /style>\\\\\\" }}\\a "]{');
});
