import { describe, expect, it } from 'vitest';
import { readUrlState, writeUrlState } from '#platform/web/url-state.ts';
import { emailDatabaseSearch, unreadFilters } from './email-database-search.ts';
import { addressChangeFor, addressChangeForAll, viewStateIn } from './view-state.ts';

const read = (raw: Record<string, unknown>) => readUrlState(emailDatabaseSearch, raw);

describe('what a view keeps of the address', () => {
  it('is the search, the filters, the order and the columns', () => {
    const state = read({
      ...{ search: ' .sch.uk ', status: 'active', riskFrom: '1', import: '12', from: '2026-03-01' },
      ...{ sort: 'address', order: 'desc', page: '7', size: '100', open: '3', dialog: 'add', view: '5' },
    });
    expect(viewStateIn(state, ['name'])).toEqual({
      ...{ search: '.sch.uk', status: 'active', riskFrom: 1, import: 12, from: '2026-03-01' },
      ...{ sort: 'address', order: 'desc', columns: ['name'] },
    });
  });

  it('is nothing of a plain screen', () => {
    expect(viewStateIn(read({ page: '3' }), undefined)).toEqual({});
  });
});

describe('opening a view', () => {
  const saved = { id: 5, state: { status: 'active', columns: ['name'] } } as const;
  const view = { id: saved.id, state: { ...saved.state, columns: [...saved.state.columns] } };

  it('leaves nothing of what was there before but the size of a page', () => {
    const before = read({ search: 'x', uk: 'uk', page: '9', size: '50', open: '3', sort: 'address' });
    const after = { ...before, ...addressChangeFor(view, before) };
    expect(writeUrlState(emailDatabaseSearch, after)).toEqual({
      ...{ status: 'active', columns: ['name'], view: 5, size: 50 },
    });
  });

  it('shows what was kept, so that nothing counts as changed', () => {
    const state = { ...read({}), ...addressChangeFor(view, read({})) };
    const again = read(writeUrlState(emailDatabaseSearch, state));
    expect(viewStateIn(again, again.columns)).toEqual(view.state);
  });

  it('is left for all contacts, under a name where a view would open by itself', () => {
    const before = read({ search: 'x', view: '5', columns: 'name' });
    const url = (opensAView: boolean) =>
      writeUrlState(emailDatabaseSearch, { ...before, ...addressChangeForAll(before, opensAView) });
    expect(url(false)).toEqual({});
    expect(url(true)).toEqual({ view: 'all' });
  });
});

describe('the address', () => {
  it('takes one column or several, in their order', () => {
    expect(read({ columns: 'name' }).columns).toEqual(['name']);
    expect(read({ columns: ['status', 'field:a,b', 'status'] }).columns).toEqual(['status', 'field:a,b']);
    expect(read({ columns: ['address'] }).columns).toEqual(['address']);
  });

  it.each([[''], [[]], ['x'.repeat(121)], [Array.from({ length: 61 }, (_, n) => `field:${n}`)]])(
    'falls back to the usual columns from %j',
    (columns) => {
      expect(read({ columns }).columns).toBeUndefined();
    },
  );

  it('names a view by its number, or all', () => {
    expect(read({ view: '12' }).view).toBe(12);
    expect(read({ view: 'all' }).view).toBe('all');
    expect(read({ view: 'some' }).view).toBeUndefined();
  });
});

describe('a filter in the address that cannot be read', () => {
  it.each([
    ['a name that is not known', { listId: '3' }, ['listId']],
    ['a value that is not known', { verdict: 'splendid', status: 'active' }, ['verdict']],
    ['a number out of range', { riskFrom: '200' }, ['riskFrom']],
    ['a blank domain', { domain: ' ' }, ['domain']],
    ['a domain of nothing', { domain: '\0' }, ['domain']],
    ['the same filter twice', { uk: ['uk', 'not_uk'] }, ['uk']],
    ['no day of the calendar', { from: '2026-02-31' }, ['from']],
  ])('%s is told', (_, raw, names) => {
    expect(unreadFilters(raw)).toEqual(names);
  });

  it.each([
    ['nothing', {}],
    ['filters that are known', { search: 'a', riskFrom: '1', import: '12', from: '2026-03-01', uk: 'uk' }],
    ['an empty value', { verdict: '' }],
    ['a page and an order that are wrong', { page: '-3', sort: 'secret', size: '7', open: 'x', columns: '' }],
    ['what others add to links', { utm_source: 'mail', gclid: '1', fbclid: '2', msclkid: '3' }],
  ])('%s: nothing is', (_, raw) => {
    expect(unreadFilters(raw)).toEqual([]);
  });
});
