import { expect, it } from 'vitest';
import { nameBeforeAddress, withoutShownAddress } from './shown-name.ts';

it.each([
  ['Jane Smith (jane@acme.co.uk)', 'Jane Smith'],
  ['Jane Smith <jane@acme.co.uk>', 'Jane Smith'],
  ["'Jane Smith' <jane@acme.co.uk>", 'Jane Smith'],
  ['"Smith, Jane" (jane@acme.co.uk)', 'Smith, Jane'],
  ['Siân O’Brien (info@acme.co.uk)', 'Siân O’Brien'],
  ['Hartley & Sons (Bath) (office@hartley.co.uk)', 'Hartley & Sons (Bath)'],
])('%s is shown for %s', (shown, name) => {
  expect(withoutShownAddress(shown)).toBe(name);
});

it.each([
  '',
  'Jane Smith',
  'Jane Smith (Bath)',
  'jane@acme.co.uk',
  '(jane@acme.co.uk)',
  'Jane @ Acme',
  'Jane (jane@acme.co.uk) Smith',
  'Jane (either a@b.uk or c@d.uk)',
])('"%s" stays as it is', (name) => {
  expect(withoutShownAddress(name)).toBe(name);
});

it.each([
  ['Mary O’Neil <mary.oneil@sky.com>', 'Mary O’Neil'],
  [' "Wright, Louise" <louise@acme.co.uk> ', 'Wright, Louise'],
  ['jane@acme.co.uk', ''],
  ['<jane@acme.co.uk>', ''],
  ['jane@acme.co.uk <jane@acme.co.uk>', ''],
  ['n/a', ''],
  ['', ''],
])('before the address in "%s" stands "%s"', (cell, name) => {
  expect(nameBeforeAddress(cell)).toBe(name);
});

it.each([
  ['blanks', `@${' '.repeat(9_998)}x`],
  ['brackets', `@${'(a@b)'.repeat(2_000)}x`],
])('takes no longer over many %s', (_, name) => {
  const before = process.cpuUsage();
  for (let times = 0; times < 20; times++) expect(withoutShownAddress(name)).toBe(name);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000_000).toBeLessThan(1);
});
