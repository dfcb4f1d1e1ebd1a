import type { Samples } from '#test/support/sample-calls.ts';

// A reference that nobody has signed. Those of messages are tried in campaigns' tests.
const unknown = {
  make: () => ({ params: { reference: 'AQEEAGyJa-5RYylwUkA' } }),
  answers: 404,
} satisfies Samples[''];

export const samples: Samples = {
  'GET /o/:reference': { make: () => ({ params: { reference: 'AQEEAGyJa-5RYylwUkA' } }) },
  'GET /c/:reference': unknown,
  'GET /u/:reference': unknown,
  'POST /u/:reference': unknown,
  'GET /p/:reference': unknown,
  'POST /p/:reference': unknown,
  'GET /a/:reference': unknown,
  'POST /a/:reference': unknown,
  'GET /v/:reference': unknown,
};
