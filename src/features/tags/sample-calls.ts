import type { RowMaker } from '#test/support/own-rows.ts';
import type { Samples } from '#test/support/sample-calls.ts';

let count = 0;
const freshName = () => {
  count += 1;
  return `Tag ${count}`;
};

const tag: RowMaker<number> = async ({ call, mark, unique }) =>
  (await call('POST', '/api/tags', { name: `${mark} ${unique()}` })).id;

export const samples: Samples = {
  'POST /api/tags': { make: () => ({ body: { name: freshName(), color: '#EF4444' } }) },
  'GET /api/tags/:id': { make: async (rows) => ({ params: { id: await rows.of(tag) } }) },
  'PATCH /api/tags/:id': {
    make: async (rows) => ({ params: { id: await rows.of(tag) }, body: { color: '#10B981' } }),
  },
  'DELETE /api/tags/:id': { make: async (rows) => ({ params: { id: await rows.of(tag) } }) },
  'POST /api/tags/:id/restore': { make: async (rows) => ({ params: { id: await rows.of(tag) } }) },
  'POST /api/tags/:id/contacts': {
    make: async (rows) => ({ params: { id: await rows.of(tag) }, body: { ids: [await rows.contact()] } }),
  },
  'DELETE /api/tags/:id/contacts': {
    make: async (rows) => ({ params: { id: await rows.of(tag) }, body: { ids: [await rows.contact()] } }),
  },
};
