import { afterEach, expect } from 'vitest';
import { takeUntold } from './answers.ts';

/** For every integration test: no call answers what its contract does not list. */
afterEach(() => {
  expect(takeUntold(), 'answers that the API document does not tell of').toEqual([]);
});
