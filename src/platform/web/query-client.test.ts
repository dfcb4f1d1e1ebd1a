import { expect, it } from 'vitest';
import { createQueryClient } from './query-client.ts';

it('data is fresh for five minutes and asked for once', () => {
  expect(createQueryClient(() => {}).getDefaultOptions().queries).toEqual({
    staleTime: 300_000,
    retry: false,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
});
