import { expect, it } from 'vitest';
import { exportFileName } from './rules.ts';

it('names the export by the day in London', () => {
  const summer = new Date('2026-07-01T23:30:00Z');
  expect(exportFileName(summer, 'csv')).toBe('contacts-2026-07-02.csv');
  expect(exportFileName(summer, 'json', { number: 7, of: 150 })).toBe('contacts-2026-07-02-part-007.json');
  expect(exportFileName(summer, 'json', { number: 7, of: 1500 })).toBe('contacts-2026-07-02-part-0007.json');
  expect(exportFileName(new Date('2026-12-31T23:30:00Z'), 'zip')).toBe('contacts-2026-12-31.zip');
});
