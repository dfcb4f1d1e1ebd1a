import type { Samples } from '#test/support/sample-calls.ts';

const postmark = { params: { provider: 'postmark' } };
const unknown = { params: { id: 1 } };

// A mail comes from outside: those that there are are tried in the test of the listener.
export const samples: Samples = {
  'GET /api/bounces/mails': { make: () => ({ query: { state: 'open', limit: 5 } }) },
  'GET /api/bounces/mails/:id': { make: () => unknown, answers: 404 },
  'POST /api/bounces/mails/:id/read': { make: () => ({ ...unknown, body: { as: 'hard' } }), answers: 404 },
  'PUT /api/bounces/webhooks/:provider': {
    make: () => ({ ...postmark, body: { secret: 'between us two' } }),
  },
  'DELETE /api/bounces/webhooks/:provider': { make: () => postmark },
  // A key that nobody has signed. Those of services are tried in the test of the webhooks.
  'POST /api/bounces/webhooks/:provider/:key': {
    make: () => ({
      params: { provider: 'postmark', key: 'AQEBAGyJa-5RYylwUkA' },
      body: { RecordType: 'Bounce' },
    }),
    answers: 404,
  },
};
