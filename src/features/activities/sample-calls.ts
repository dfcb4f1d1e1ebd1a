import type { Samples } from '#test/support/sample-calls.ts';

export const samples: Samples = {
  'POST /api/notifications/read': { make: () => ({ body: { until: '2026-11-27T12:00:00.000Z' } }) },
};
