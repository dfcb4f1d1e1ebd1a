import type { RowMaker } from '#test/support/own-rows.ts';
import type { Samples } from '#test/support/sample-calls.ts';

const message: RowMaker<number> = async ({ call, mark }) => {
  const body = { to: `${mark}@shop.co.uk`, subject: `${mark} receipt`, html: `<p>${mark}</p>` };
  return (await call('POST', '/api/send', body)).messages[0].id;
};

export const samples: Samples = {
  'POST /api/send': {
    make: () => ({
      body: {
        to: [{ email: 'jane@shop.co.uk', name: 'Jane', data: { order: 'A-1204' } }],
        subject: 'Your order {{ order }}',
        html: '<p>Thank you for your order {{ order }}.</p>',
      },
    }),
  },
  'GET /api/send': { make: () => ({ query: { search: 'jane', limit: 5 } }) },
  'GET /api/send/:id': { make: async (rows) => ({ params: { id: await rows.of(message) } }) },
};
