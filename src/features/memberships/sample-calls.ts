import type { RowMaker } from '#test/support/own-rows.ts';
import type { Samples } from '#test/support/sample-calls.ts';

const change: RowMaker<number> = async ({ call, mark, rows }) => {
  const { id } = await call('POST', '/api/lists', { name: mark });
  return (await call('POST', `/api/lists/${id}/contacts`, { ids: [await rows.contact()] })).changeId;
};

export const samples: Samples = {
  'POST /api/membership-changes/:id/undo': {
    make: async (rows) => ({ params: { id: await rows.of(change) } }),
  },
};
