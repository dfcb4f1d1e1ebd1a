import type { RowMaker } from '#test/support/own-rows.ts';
import { picture } from '#test/support/pictures.ts';
import type { Samples } from '#test/support/sample-calls.ts';

const image: RowMaker<{ id: number; url: string }> = async ({ send, mark, unique }) =>
  send('/api/images', [
    ['name', `${mark} ${unique()}`],
    ['alt', mark],
    ['file', await picture(), `${mark}.png`],
  ]);

const params = {
  make: async (rows) => ({ params: { id: (await rows.of(image)).id } }),
} satisfies Samples[''];

export const samples: Samples = {
  'POST /api/images': { make: async () => ({ form: [['file', await picture(), 'logo.png']] }) },
  'GET /api/images/:id': params,
  'PATCH /api/images/:id': {
    make: async (rows) => ({
      params: { id: (await rows.of(image)).id },
      body: { name: 'Logo', alt: 'Our logo' },
    }),
  },
  'DELETE /api/images/:id': params,
  'POST /api/images/:id/restore': params,
  // Whoever has the address may see the image, signed in or not.
  'GET /i/:file': {
    make: async (rows) => ({ params: { file: (await rows.of(image)).url.split('/').at(-1) ?? '' } }),
    withTheirs: 200,
  },
};
