import { expect, it } from 'vitest';
import { effectWords } from './domain-effect.tsx';
import { whatHappened } from './use-suppress-domain.ts';

const preview = (affectedCount: number, suppressedCount = 0, isListed = false) =>
  effectWords({ domain: 'acme.co.uk', affectedCount, suppressedCount, isListed });

it('says before whom it affects', () => {
  expect(preview(0)).toBe('You have no contacts there. Later ones would not be mailed.');
  expect(preview(1)).toBe('1 contact there would not be mailed any more.');
  expect(preview(1204, 30)).toBe(
    '1,204 contacts there would not be mailed any more. 30 are suppressed already.',
  );
  expect(preview(1204, 1)).toBe(
    '1,204 contacts there would not be mailed any more. 1 is suppressed already.',
  );
  expect(preview(3, 3)).toBe('3 contacts there, all suppressed already.');
  expect(preview(3, 3, true)).toBe('Already on the list, with 3 contacts. Nothing would change.');
});

it('says afterwards what happened, and that nothing did', () => {
  const entry = { domain: 'acme.co.uk', affectedCount: 2, isNew: true };
  expect(whatHappened(entry)).toBe('acme.co.uk is on the list: 2 contacts will not be mailed.');
  expect(whatHappened({ ...entry, affectedCount: 0 })).toBe(
    'acme.co.uk is on the list. You have no contacts there.',
  );
  expect(whatHappened({ ...entry, isNew: false })).toBe('acme.co.uk was on the list already.');
});
