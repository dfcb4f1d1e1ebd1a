import type { RowMaker } from '#test/support/own-rows.ts';
import type { Samples } from '#test/support/sample-calls.ts';

const fieldChange: RowMaker<number> = async ({ call, mark, rows }) => {
  const set = { notes: mark };
  return (await call('POST', '/api/field-changes', { ids: [await rows.contact()], set })).changeId;
};

export const samples: Samples = {
  'POST /api/field-changes': {
    make: async (rows) => ({ body: { ids: [await rows.contact()], set: { notes: 'Met in York' } } }),
    withTheirs: 200,
    besidesFilter: { set: { notes: 'Met in York' } },
  },
  'POST /api/field-changes/preview': {
    make: async (rows) => ({ body: { ids: [await rows.contact()], splitNames: true } }),
    withTheirs: 200,
    besidesFilter: { splitNames: true },
  },
  'POST /api/field-changes/:id/undo': {
    make: async (rows) => ({ params: { id: await rows.of(fieldChange) } }),
  },
};
