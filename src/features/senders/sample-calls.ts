import type { OwnRows, RowMaker } from '#test/support/own-rows.ts';
import type { Samples } from '#test/support/sample-calls.ts';

const domain: RowMaker<number> = async ({ call, mark, unique }) =>
  (await call('POST', '/api/sender-domains', { domain: `${unique()}.${mark}.co.uk` })).id;

const address: RowMaker<number> = async ({ call, mark, unique }) =>
  (await call('POST', '/api/senders', { name: mark, address: `${unique()}@${mark}.co.uk` })).id;
const ofAddress = async (rows: OwnRows) => ({ params: { id: await rows.of(address) } });

const params = { make: async (rows) => ({ params: { id: await rows.of(domain) } }) } satisfies Samples[''];

/** Each caller adds a domain of its own. */
let made = 0;
const another = () => ({ body: { domain: `news${++made}.acme.co.uk` } });

export const samples: Samples = {
  'POST /api/sender-domains': { make: another },
  'GET /api/sender-domains/:id': params,
  'DELETE /api/sender-domains/:id': params,
  'POST /api/sender-domains/:id/check': params,
  'POST /api/senders': { make: () => ({ body: { name: 'Anna', address: `anna${++made}@acme.co.uk` } }) },
  'PATCH /api/senders/:id': {
    make: async (rows) => ({ ...(await ofAddress(rows)), body: { replyTo: 'replies@acme.co.uk' } }),
  },
  'DELETE /api/senders/:id': { make: ofAddress },
  // The record of the first key has not been seen in DNS.
  'POST /api/sender-domains/:id/rotate-key': { ...params, answers: 409 },
};
