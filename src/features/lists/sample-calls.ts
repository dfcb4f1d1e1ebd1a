import type { RowMaker } from '#test/support/own-rows.ts';
import type { Samples } from '#test/support/sample-calls.ts';

const list: RowMaker<number> = async ({ call, mark }) =>
  (await call('POST', '/api/lists', { name: mark })).id;

export const samples: Samples = {
  'POST /api/lists': { make: () => ({ body: { name: 'Newsletter', description: 'Once a month' } }) },
  'GET /api/lists/:id': { make: async (rows) => ({ params: { id: await rows.of(list) } }) },
  'PATCH /api/lists/:id': {
    make: async (rows) => ({ params: { id: await rows.of(list) }, body: { description: 'Twice a month' } }),
  },
  'DELETE /api/lists/:id': { make: async (rows) => ({ params: { id: await rows.of(list) } }) },
  'POST /api/lists/:id/restore': { make: async (rows) => ({ params: { id: await rows.of(list) } }) },
  'POST /api/lists/:id/contacts': {
    make: async (rows) => ({ params: { id: await rows.of(list) }, body: { ids: [await rows.contact()] } }),
  },
  'DELETE /api/lists/:id/contacts': {
    make: async (rows) => ({ params: { id: await rows.of(list) }, body: { ids: [await rows.contact()] } }),
  },
};
