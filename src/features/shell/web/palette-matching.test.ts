import { describe, expect, it } from 'vitest';
import { isCurrent } from './is-current.ts';
import { matching } from './palette-matching.ts';

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
    ['zebra', []],
  ])('for %j finds %j', (typed, labels) => {
    expect(matching(entries, typed).map(({ label }) => label)).toEqual(labels);
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
