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
    const stored = JSON.parse(JSON.stringify(whole));
    expect(readViewState(stored)).toEqual({ state: whole, problem: null });
    expect(readViewState({})).toEqual({ state: {}, problem: null });
  });

  it('keeps its meaning beside an order or columns that this version does not take', () => {
    const { sort, order, columns, ...rest } = whole;
    const stored = { ...whole, sort: 'colour', order: 'random', columns: [] };
    expect(readViewState(stored)).toEqual({ state: rest, problem: null });
  });

  it.each([
    [{ segment: 7 }],
    [{ nested: { deep: [] } }],
    [{ status: 'archived' }],
    [{ status: null }],
    [{ riskTo: '39' }],
    [{ import: -1 }],
    [{ from: '2026-13-01' }],
    [{ search: 'x'.repeat(321) }],
    [{ toString: 'x' }],
  ])('never shows more than it means: with %j it cannot be opened', (strange) => {
    const { state, problem } = readViewState({ ...whole, ...strange });
    expect(state).toEqual({});
    expect(problem).toContain('newer version');
  });

  it.each([[null], [undefined], ['status=active'], [12], [[]], [[{ status: 'active' }]]])(
    'of no shape at all, %j, cannot be opened',
    (stored) => {
      expect(readViewState(stored).problem).not.toBeNull();
    },
  );

  it('takes nothing from the prototype', () => {
    expect(readViewState(Object.create({ status: 'active' }))).toEqual({ state: {}, problem: null });
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
