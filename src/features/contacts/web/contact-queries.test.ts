import { expect, it } from 'vitest';
import { statsOptions } from './contact-queries.ts';

it('figures are asked for again after a minute', () => {
  expect(statsOptions).toMatchObject({ refetchInterval: 60_000 });
});
