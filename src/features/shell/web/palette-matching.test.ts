import { describe, expect, it } from 'vitest';
import { isCurrent } from './is-current.ts';
import { ranked } from './palette-matching.ts';

const matching = <T extends { label: string; keywords?: string }>(entries: readonly T[], typed: string) =>
  ranked(entries, typed).map(({ entry }) => entry);

describe('the palette', () => {
  const entries = [
    { label: 'Import a CSV', keywords: 'upload file' },
    { label: 'Import Data' },
    { label: 'Dashboard' },
  ];

  it.each([
    ['', ['Import a CSV', 'Import Data', 'Dashboard']],
    ['IMP', ['Import a CSV', 'Import Data']],
    ['csv import', ['Import a CSV']],
    ['upload', ['Import a CSV']],
    ['data', ['Import Data']],
    ['imda', ['Import Data']],
    ['improt', ['Import a CSV', 'Import Data']],
    ['dashbord', ['Dashboard']],
    ['dbd', []],
    ['zebra', []],
  ])('for %j finds %j', (typed, labels) => {
    expect(matching(entries, typed).map(({ label }) => label)).toEqual(labels);
  });
});

describe('the order of what is found', () => {
  it('puts names before other words for a thing, and beginnings before middles', () => {
    const entries = [
      { label: 'Suppressions', keywords: 'clean bounce' },
      { label: 'Unclean things' },
      { label: 'Clean the database' },
    ];
    expect(matching(entries, 'clean').map(({ label }) => label)).toEqual([
      'Clean the database',
      'Unclean things',
      'Suppressions',
    ]);
  });
});

describe('the current page in the sidebar', () => {
  it.each([
    ['/imports', true],
    ['/imports/42', true],
    ['/imports-old', false],
    ['/', false],
  ])('of /imports on %s: %s', (path, current) => {
    expect(isCurrent({ to: '/imports' }, path)).toBe(current);
  });

  it('is the dashboard at the start address too, and only there', () => {
    const dashboard = { to: '/dashboard', also: ['/'] };
    expect(isCurrent(dashboard, '/')).toBe(true);
    expect(isCurrent(dashboard, '/email-database')).toBe(false);
  });
});
