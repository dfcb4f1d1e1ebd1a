import { describe, expect, it } from 'vitest';
import type { ViewState } from './contract.ts';
import { pathOfView, plainColumns, plainState, readViewState, sameState, viewNameProblem } from './rules.ts';

const whole: ViewState = {
  search: '.sch.uk',
  status: 'active',
  domain: 'kent.sch.uk',
  verdict: 'risky',
  reason: 'role',
  kind: 'academic',
  uk: 'uk',
  riskFrom: 1,
  riskTo: 39,
  source: 'Trade fair',
  import: 12,
  from: '2026-03-01',
  to: '2026-03-31',
  sort: 'address',
  order: 'desc',
  columns: ['status', 'field:county'],
};

describe('a stored view', () => {
  it('is read as it was saved', () => {
    expect(readViewState(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
  });

  it('keeps its meaning beside what this version does not know or take', () => {
    const stored = {
      ...whole,
      status: 'archived',
      riskTo: '39',
      import: -1,
      from: '2026-13-01',
      columns: [],
      segment: 7,
      nested: { deep: [] },
    };
    const { status, riskTo, import: _import, from, columns, ...rest } = whole;
    expect(readViewState(stored)).toEqual(rest);
  });

  it.each([[null], [undefined], ['status=active'], [12], [[]], [[{ status: 'active' }]]])(
    'of no shape at all, %j, shows everything',
    (stored) => {
      expect(readViewState(stored)).toEqual({});
    },
  );

  it('takes nothing from the prototype', () => {
    expect(readViewState(Object.create({ status: 'active' }))).toEqual({});
  });
});

describe('what goes without saying', () => {
  it('is not kept', () => {
    expect(plainState({ search: '  ', sort: 'createdAt', order: 'desc' })).toEqual({});
    expect(plainState({ sort: 'address', order: 'asc' })).toEqual({ sort: 'address' });
    expect(plainState({ search: ' kent ' })).toEqual({ search: 'kent' });
  });

  it('makes no difference', () => {
    expect(sameState({ search: 'a', status: undefined }, { sort: 'createdAt', search: 'a ' })).toBe(true);
    expect(sameState({ sort: 'address', order: 'asc' }, { sort: 'address' })).toBe(true);
    expect(sameState({ columns: ['address', 'name'] }, { columns: ['name'] })).toBe(true);
  });

  it('is told from a change', () => {
    expect(sameState({ sort: 'createdAt', order: 'asc' }, {})).toBe(false);
    expect(sameState({ columns: ['name', 'status'] }, { columns: ['status', 'name'] })).toBe(false);
    expect(sameState({ columns: ['address'] }, {})).toBe(false);
    expect(sameState(whole, { ...whole, riskFrom: 0 })).toBe(false);
  });
});

it('a table may show the address alone', () => {
  expect(plainColumns(['address'])).toEqual(['address']);
  expect(plainColumns(['name', 'address', 'name'])).toEqual(['name']);
});

describe('the name of a view', () => {
  it.each(['K', 'Kent schools', '🏫'.repeat(80), '  Ünïcode  '])('may be %s', (name) => {
    expect(viewNameProblem(name)).toBeNull();
  });

  it.each(['', '   ', 'a'.repeat(81), 'two\nlines', 'turned \u202e round', 'half \ud800'])(
    'may not be %j',
    (name) => {
      expect(viewNameProblem(name)).toMatch(/name/);
    },
  );
});

it('opens at an address with its state and its number', () => {
  const state: ViewState = { search: 'a & b', columns: ['status', 'field:county'] };
  expect(pathOfView({ id: 7, state })).toBe(
    '/email-database?search=a%20%26%20b&columns=status&columns=field%3Acounty&view=7',
  );
});
