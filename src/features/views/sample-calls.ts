import { callsOf } from '#test/support/own-rows.ts';
import type { Sample, SampleCall, Samples } from '#test/support/sample-calls.ts';

let count = 0;
const freshName = () => {
  count += 1;
  return `View ${count}`;
};

/** Views belong to a person, so the one who calls makes it. */
const withView = (sampleOf: (id: number) => SampleCall): Sample => ({
  async make(_rows, who, test) {
    const view = { name: freshName(), state: { status: 'active' } };
    return sampleOf((await callsOf(test, who)('POST', '/api/views', view)).id);
  },
  ofCaller: true,
});

export const samples: Samples = {
  'POST /api/views': {
    make: () => ({ body: { name: freshName(), state: { search: 'kent', columns: ['name'] } } }),
  },
  'PATCH /api/views/:id': withView((id) => ({ params: { id }, body: { name: freshName(), state: {} } })),
  'DELETE /api/views/:id': withView((id) => ({ params: { id } })),
  'POST /api/views/:id/restore': withView((id) => ({ params: { id } })),
  'PATCH /api/view-choices': withView((defaultId) => ({
    body: { defaultId, columns: ['status', 'field:county'] },
  })),
};
