import { expect, it } from 'vitest';
import type { PastDecision } from '../contract.ts';
import { wordsOf } from './history-words.ts';

const decision = (values: Partial<PastDecision>): PastDecision => ({
  kind: 'correction',
  id: 1,
  contacts: 1,
  pattern: null,
  samples: [{ id: 7, before: 'jo@gmial.com', after: 'jo@gmail.com' }],
  kept: null,
  by: 'ann@acme.co.uk',
  createdAt: '2026-11-20T10:00:00Z',
  undoneAt: null,
  canUndo: true,
  undoFirst: null,
  ...values,
});
const pattern = { from: 'gmial.com', to: 'gmail.com' };

it('names a single correction by its address and a larger one by its pattern', () => {
  expect(wordsOf(decision({ pattern })).text).toBe('jo@gmial.com → jo@gmail.com');
  expect(wordsOf(decision({ pattern, contacts: 1200 }))).toEqual({
    text: 'gmial.com → gmail.com',
    full: 'jo@gmial.com → jo@gmail.com\nand 1199 more',
  });
  expect(wordsOf(decision({ contacts: 3 })).text).toBe('jo@gmial.com → jo@gmail.com and 2 others');
});

it('says who went into whom, also when one of them is gone', () => {
  const kept = { id: 3, address: 'a.smith@gmail.com' };
  const samples = [{ id: 9, before: 'asmith@gmail.com', after: kept.address }];
  const merge = (values: Partial<PastDecision>) => wordsOf(decision({ kind: 'merge', ...values })).text;
  expect(merge({ kept, samples })).toBe('asmith@gmail.com into a.smith@gmail.com');
  expect(merge({ kept, samples, contacts: 2 })).toBe('asmith@gmail.com and 1 other into a.smith@gmail.com');
  expect(merge({ kept, samples: [] })).toBe('1 contact into a.smith@gmail.com');
  expect(merge({ samples: [] })).toBe('1 contact into a contact that is gone by now');
});
