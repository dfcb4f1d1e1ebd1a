import { strToU8, zipSync } from 'fflate';
import type { RowMaker } from '#test/support/own-rows.ts';
import type { Samples } from '#test/support/sample-calls.ts';

const content = { category: 'custom', htmlContent: '<p>Hello</p>' };

const template: RowMaker<number> = async ({ call, mark }) =>
  (await call('POST', '/api/templates', { name: `${mark} news`, ...content, textContent: mark })).id;

const params = { make: async (rows) => ({ params: { id: await rows.of(template) } }) } satisfies Samples[''];
const version = {
  make: async (rows) => ({ params: { id: await rows.of(template), version: 1 } }),
} satisfies Samples[''];

/** The address of somebody whom a test may go to. */
const member: RowMaker<string> = async ({ call }) => (await call('GET', '/api/team/members'))[0].email;

const kept: RowMaker<number> = async ({ call, mark }) =>
  (await call('POST', '/api/templates/blocks', { name: mark, block: { id: 'a', type: 'divider' } })).id;

export const samples: Samples = {
  'GET /api/templates': { make: () => ({ query: { search: 'news', content: 'false', limit: 5 } }) },
  'POST /api/templates': { make: () => ({ body: { name: 'Autumn news', ...content } }) },
  'POST /api/templates/import': { make: () => ({ body: { html: '<p>Dear *|FNAME|*</p>' } }) },
  'POST /api/templates/import/zip': {
    make: () => ({ form: [['file', zipSync({ 'index.html': strToU8('<p>Hello</p>') }), 'a.zip']] }),
  },
  'POST /api/templates/:id/test': {
    make: async (rows) => ({
      params: { id: await rows.of(template) },
      body: { to: [await rows.of(member)] },
    }),
  },
  'PUT /api/templates/brand': { make: () => ({ body: { button: '#1d4ed8', font: 'Georgia' } }) },
  'POST /api/templates/brand/apply': { make: () => ({ body: {} }) },
  'POST /api/templates/blocks': {
    make: () => ({ body: { name: 'Opening hours', block: { id: 'a', type: 'text', html: 'Daily' } } }),
  },
  'GET /api/templates/blocks/:id': {
    make: async (rows) => ({ params: { id: await rows.of(kept) } }),
  },
  'DELETE /api/templates/blocks/:id': {
    make: async (rows) => ({ params: { id: await rows.of(kept) } }),
  },
  'POST /api/templates/switch': { make: () => ({ body: { htmlContent: '<p>Hello</p>', to: 'mjml' } }) },
  'GET /api/templates/:id': params,
  'PATCH /api/templates/:id': {
    make: async (rows) => ({ params: { id: await rows.of(template) }, body: { name: 'Winter news' } }),
  },
  'DELETE /api/templates/:id': params,
  'POST /api/templates/:id/restore': params,
  'POST /api/templates/:id/duplicate': params,
  'GET /api/templates/:id/latest': params,
  'PUT /api/templates/:id/presence/:window': {
    make: async (rows) => ({ params: { id: await rows.of(template), window: 'abcdefgh' }, body: {} }),
  },
  'DELETE /api/templates/:id/presence/:window': {
    make: async (rows) => ({ params: { id: await rows.of(template), window: 'abcdefgh' } }),
    withTheirs: 200,
  },
  'GET /api/templates/:id/versions': params,
  'GET /api/templates/:id/versions/:version': version,
  'POST /api/templates/:id/versions/:version/restore': version,
  'POST /api/templates/preview': {
    make: () => ({ body: { htmlContent: '{{ first_name }}', textContent: 'Hello' } }),
  },
  'GET /api/templates/:id/page': params,
};
