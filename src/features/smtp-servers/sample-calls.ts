import type { OwnRows, RowMaker } from '#test/support/own-rows.ts';
import type { Samples } from '#test/support/sample-calls.ts';

// No server has this name (RFC 6761), so tests get an answer at once and reach nobody.
const connection = { host: 'smtp.invalid', port: 587, tls: 'starttls' };
const server: RowMaker<number> = async ({ call, mark }) =>
  (await call('POST', '/api/smtp-servers', { name: mark, ...connection })).id;
const ofServer = async (rows: OwnRows) => ({ params: { id: await rows.of(server) } });

export const samples: Samples = {
  'POST /api/smtp-servers': { make: () => ({ body: { name: 'Relay', ...connection } }) },
  'PATCH /api/smtp-servers/:id': {
    make: async (rows) => ({ ...(await ofServer(rows)), body: { weight: 3 } }),
  },
  'DELETE /api/smtp-servers/:id': { make: ofServer },
  'POST /api/smtp-servers/:id/test': { make: async (rows) => ({ ...(await ofServer(rows)), body: {} }) },
  'POST /api/smtp-servers/test': { make: () => ({ body: connection }) },
};
