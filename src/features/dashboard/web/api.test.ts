import { expect, it } from 'vitest';
import { listContacts } from '#features/audience/contract.ts';
import { queryKeyOf } from '#platform/web/api.ts';
import { previewOptions, recentActivitiesOptions } from './api.ts';

it('the preview has five rows, and activities are fresh for a minute', () => {
  expect(previewOptions('').queryKey).toEqual(queryKeyOf(listContacts, { query: { limit: 5 } }));
  expect(recentActivitiesOptions.staleTime).toBe(60_000);
});
