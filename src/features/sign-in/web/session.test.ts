import { expect, it } from 'vitest';
import { currentUserOptions } from './session.ts';

it('the user is fresh for five minutes', () => {
  expect(currentUserOptions).toMatchObject({ staleTime: 300_000, retry: false });
});
