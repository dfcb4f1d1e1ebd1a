import type { Samples } from '#test/support/sample-calls.ts';

export const samples: Samples = {
  'GET /api/events': { make: () => ({ query: { types: 'list.joined,contact.created', limit: 5 } }) },
};
