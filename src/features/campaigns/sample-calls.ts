import type { RowMaker } from '#test/support/own-rows.ts';
import type { Samples } from '#test/support/sample-calls.ts';

const written = { subject: 'News', content: 'Hello {{ first_name }}', template: 'simple' };

const campaign: RowMaker<number> = async ({ call, mark }) =>
  (await call('POST', '/api/campaigns', { ...written, name: `${mark} news`, subject: mark })).id;

const sent: RowMaker<number> = async ({ call, mark }) => {
  const { id } = await call('POST', '/api/campaigns', { ...written, name: `${mark} news`, content: mark });
  await call('POST', `/api/campaigns/${id}/send`);
  return id;
};

const tested: RowMaker<number> = async ({ call, mark }) => {
  const abTest = { variants: [{ subject: `${mark} other news` }], decideBy: 'hand' };
  const body = { ...written, name: `${mark} news`, abTest };
  const { id } = await call('POST', '/api/campaigns', body);
  await call('POST', `/api/campaigns/${id}/send`);
  return id;
};

const paused: RowMaker<number> = async ({ call, rows }) => {
  const id = await rows.of(sent);
  await call('POST', `/api/campaigns/${id}/pause`);
  return id;
};

const deleted: RowMaker<number> = async ({ call, rows }) => {
  const id = await rows.of(campaign);
  await call('DELETE', `/api/campaigns/${id}`);
  return id;
};

/** The address of somebody whom a test may go to. */
const member: RowMaker<string> = async ({ call }) => (await call('GET', '/api/team/members'))[0].email;

const params = { make: async (rows) => ({ params: { id: await rows.of(campaign) } }) } satisfies Samples[''];
const ofSent = { make: async (rows) => ({ params: { id: await rows.of(sent) } }) } satisfies Samples[''];

export const samples: Samples = {
  'GET /api/campaigns': { make: () => ({ query: { search: 'news', archived: 'all' } }) },
  'POST /api/campaigns': { make: () => ({ body: { name: 'Autumn news', ...written } }) },
  'GET /api/campaigns/:id': params,
  'PUT /api/campaigns/:id': {
    make: async (rows) => ({ params: { id: await rows.of(campaign) }, body: { subject: 'Other news' } }),
  },
  'DELETE /api/campaigns/:id': params,
  'POST /api/campaigns/:id/restore': { make: async (rows) => ({ params: { id: await rows.of(deleted) } }) },
  'POST /api/campaigns/:id/send': params,
  'POST /api/campaigns/:id/pause': ofSent,
  'POST /api/campaigns/:id/resume': { make: async (rows) => ({ params: { id: await rows.of(paused) } }) },
  'POST /api/campaigns/:id/cancel': ofSent,
  'POST /api/campaigns/:id/archive': {
    make: async (rows) => ({ params: { id: await rows.of(campaign) }, body: { archived: true } }),
  },
  'POST /api/campaigns/:id/duplicate': params,
  'POST /api/campaigns/:id/resend': {
    make: async (rows) => ({ params: { id: await rows.of(sent) }, body: { subject: 'Did you see this?' } }),
  },
  'POST /api/campaigns/:id/schedule': {
    make: async (rows) => ({
      params: { id: await rows.of(campaign) },
      body: { sendAt: new Date(Date.now() + 86_400_000).toISOString() },
    }),
  },
  'POST /api/campaigns/audience': { make: () => ({ body: { include: [], exclude: [] } }) },
  'GET /api/campaigns/:id/check': params,
  'POST /api/campaigns/:id/check-links': params,
  'GET /api/campaigns/:id/recipients': ofSent,
  'GET /api/campaigns/:id/recipients/export': ofSent,
  // A draft tells at once that nothing changes by itself.
  'GET /api/campaigns/:id/events': params,
  'GET /api/campaigns/:id/report': ofSent,
  'GET /api/campaigns/:id/breakdown': ofSent,
  'GET /api/campaigns/:id/breakdown/export': {
    make: async (rows) => ({ params: { id: await rows.of(sent) }, query: { what: 'links' } }),
  },
  'GET /api/campaigns/:id/picture': ofSent,
  'GET /api/campaigns/:id/test': ofSent,
  // Its recipients are being written down yet.
  'POST /api/campaigns/:id/winner': {
    make: async (rows) => ({ params: { id: await rows.of(tested) }, body: { variant: 1 } }),
    answers: 409,
  },
  'POST /api/campaigns/:id/test': {
    make: async (rows) => ({
      params: { id: await rows.of(campaign) },
      body: { to: [await rows.of(member)] },
    }),
  },
  // Nothing is uncertain yet.
  'POST /api/campaigns/:id/recipients/:recipient/send-again': {
    make: async (rows) => ({ params: { id: await rows.of(sent), recipient: 1 } }),
    answers: 409,
  },
  'POST /api/campaigns/:id/recipients/send-again': { ...ofSent, answers: 409 },
};
