import type { Samples } from '#test/support/sample-calls.ts';

const unknown = { params: { id: 1 } };

// A mail comes from outside: those that there are are tried in the test of the listener.
export const samples: Samples = {
  'GET /api/bounces/mails': { make: () => ({ query: { state: 'open', limit: 5 } }) },
  'GET /api/bounces/mails/:id': { make: () => unknown, answers: 404 },
  'POST /api/bounces/mails/:id/read': { make: () => ({ ...unknown, body: { as: 'hard' } }), answers: 404 },
};
