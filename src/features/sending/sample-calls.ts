import type { Samples } from '#test/support/sample-calls.ts';

const unknown = { make: () => ({ params: { id: 1 } }), answers: 404 } satisfies Samples[''];

// What is kept is looked at in the tests of campaigns.
export const samples: Samples = {
  'GET /api/outbox/messages': { make: () => ({ query: { search: 'ann@', limit: 5 } }) },
  'GET /api/outbox/messages/:id': unknown,
  'GET /api/outbox/messages/:id/source': unknown,
};
