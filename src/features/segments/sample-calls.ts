import type { Samples } from '#test/support/sample-calls.ts';

const segmentRules = { conditions: [{ field: 'domain', operator: 'ends_with', value: '.uk' }] };

export const samples: Samples = {
  'POST /api/segments/preview': { make: () => ({ body: { segmentRules } }) },
  'POST /api/segments/count': { make: () => ({ body: { segmentRules } }) },
  'POST /api/segments/explain': {
    make: async (rows) => ({ body: { segmentRules, contactId: await rows.contact() } }),
  },
};
