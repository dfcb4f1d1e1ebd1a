import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  choiceField,
  choicesField,
  idField,
  numberField,
  pageField,
  parseQuery,
  readUrlState,
  stringifyQuery,
  textField,
  writeUrlState,
} from './url-state.ts';

const schema = z.object({
  page: pageField,
  search: textField,
  contact: idField,
  sort: choiceField(['createdAt', 'address']),
  status: choicesField(['active', 'invalid']),
});

describe('a screen’s address', () => {
  it('says nothing when the screen is plain, and is read as plain', () => {
    const plain = readUrlState(schema, {});
    expect(plain).toEqual({ page: 1, search: '', contact: undefined, sort: 'createdAt', status: [] });
    expect(writeUrlState(schema, plain)).toEqual({});
  });

  it('can hold anything and still be opened', () => {
    const query = parseQuery('?page=-3&contact=x&sort=secret&status=active&status=gone&status=active');
    expect(readUrlState(schema, query)).toEqual({
      page: 1,
      search: '',
      contact: undefined,
      sort: 'createdAt',
      status: ['active'],
    });
  });

  it.each([
    ['', undefined],
    ['risk=', undefined],
    ['risk=%20', undefined],
    ['risk=x', undefined],
    ['risk=101', undefined],
    ['risk=1.5', undefined],
    ['risk=1&risk=2', undefined],
    ['risk=0', 0],
    ['risk=100', 100],
  ])('has a number only where one stands: %s', (text, risk) => {
    const risks = z.object({ risk: numberField(0, 100) });
    const state = readUrlState(risks, parseQuery(text));
    expect(state).toEqual({ risk });
    expect(readUrlState(risks, writeUrlState(risks, state))).toEqual(state);
  });

  it('keeps text that looks like a number as text', () => {
    expect(readUrlState(schema, parseQuery('?search=007')).search).toBe('007');
  });

  it('gives back the state it was made from', () => {
    const states = fc.record({
      page: fc.integer({ min: 1, max: 10_000_000 }),
      search: fc.string({ maxLength: 100 }),
      contact: fc.option(fc.integer({ min: 1, max: 1e9 }), { nil: undefined }),
      sort: fc.constantFrom('createdAt' as const, 'address' as const),
      status: fc.uniqueArray(fc.constantFrom('active' as const, 'invalid' as const)),
    });
    fc.assert(
      fc.property(states, (state) => {
        const text = stringifyQuery(writeUrlState(schema, state));
        expect(readUrlState(schema, parseQuery(text))).toEqual(state);
      }),
    );
  });
});
