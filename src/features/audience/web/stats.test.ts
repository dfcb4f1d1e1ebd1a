import { expect, it } from 'vitest';
import { statsOptions } from './stats.ts';

it('figures are asked for again after a minute', () => {
  expect(statsOptions).toMatchObject({ refetchInterval: 60_000 });
});
