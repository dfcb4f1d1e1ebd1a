import { expect, it } from 'vitest';
import { uncountedContacts } from './uncounted.ts';

const stats = { totalEmails: 1000, invalidEmails: 30, duplicateEmails: 20, suppressedEmails: 10 };

it('is what is in the list and not in the bar, also where some of it is suppressed', () => {
  expect(uncountedContacts(stats, 950)).toBe(50);
  expect(uncountedContacts(stats, 940)).toBe(60);
  expect(uncountedContacts({ ...stats, invalidEmails: 0, duplicateEmails: 0 }, 1000)).toBe(0);
});

it('is unknown where contacts came or went between the two counts', () => {
  expect(uncountedContacts(stats, 951)).toBeUndefined();
  expect(uncountedContacts(stats, 500)).toBeUndefined();
  expect(uncountedContacts(stats, 1200)).toBeUndefined();
});
