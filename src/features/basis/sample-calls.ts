import type { RowMaker } from '#test/support/own-rows.ts';
import type { Samples } from '#test/support/sample-calls.ts';

const basisChange: RowMaker<number> = async ({ call, mark, rows }) => {
  const said = { basis: 'consent', source: mark };
  return (await call('POST', '/api/basis-changes', { ids: [await rows.contact()], ...said })).changeId;
};

const said = { basis: 'soft_opt_in', source: 'Spring fair 2024 sign-up sheet', givenOn: '2024-04-20' };

export const samples: Samples = {
  'PATCH /api/basis': { make: async () => ({ body: { mailable: ['consent', 'soft_opt_in'] } }) },
  'PUT /api/emails/:id/basis': {
    make: async (rows) => ({ params: { id: await rows.contact() }, body: said }),
  },
  'POST /api/basis-changes': {
    make: async (rows) => ({ body: { ids: [await rows.contact()], ...said } }),
    withTheirs: 200,
    besidesFilter: said,
  },
  'POST /api/basis-changes/:id/undo': {
    make: async (rows) => ({ params: { id: await rows.of(basisChange) } }),
  },
};
