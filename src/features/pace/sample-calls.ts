import type { Samples } from '#test/support/sample-calls.ts';

export const samples: Samples = {
  'PATCH /api/pace': {
    make: () => ({ body: { perHour: 5_000, quietHours: { from: '20:00', to: '08:00' } } }),
  },
};
