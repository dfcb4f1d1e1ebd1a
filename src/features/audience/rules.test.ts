import { describe, expect, it } from 'vitest';
import { fieldNames, filtersByVerdict } from './rules.ts';

it.each([
  [{}, false],
  [{ search: 'ann', status: 'active' }, false],
  [{ verdict: 'valid' }, true],
  [{ riskFrom: 0 }, true],
] as const)('whether %j asks for what a verification found: %s', (filter, asks) => {
  expect(filtersByVerdict(filter)).toBe(asks);
});

describe('the names of extra fields', () => {
  it('are those that contacts have and those that an import keeps, each once', () => {
    expect(
      fieldNames(['Phone', 'county'], ['email', ' County ', 'name', 'created', 'extra_name', '']),
    ).toEqual(['county', 'Phone']);
  });
});
