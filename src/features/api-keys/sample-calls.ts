import type { RowMaker } from '#test/support/own-rows.ts';
import type { Samples } from '#test/support/sample-calls.ts';

const apiKey: RowMaker<number> = async ({ call, mark }) =>
  (await call('POST', '/api/keys', { name: mark, scopes: ['contacts:read'] })).id;

export const samples: Samples = {
  'POST /api/keys': { make: () => ({ body: { name: 'Shop', scopes: ['contacts:read'] } }) },
  'POST /api/keys/:id/take-over': { make: async (rows) => ({ params: { id: await rows.of(apiKey) } }) },
  'DELETE /api/keys/:id': { make: async (rows) => ({ params: { id: await rows.of(apiKey) } }) },
};
