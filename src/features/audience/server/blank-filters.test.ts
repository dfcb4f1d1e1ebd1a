import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

// A condition that says nothing must not mean everybody, nor something else.

let product: TestApp;
let person: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
  person = await signUp(product.app);
  await importCsv(product.app, person.cookie, 'email\nann@acme.co.uk\nbob@acme.co.uk\ncat@acme.co.uk\n');
});
afterAll(() => product.close());

const send = (method: 'POST' | 'DELETE', url: string, payload: string) =>
  product.app.inject({
    method,
    url,
    headers: { cookie: person.cookie, 'content-type': 'application/json' },
    payload,
  });
const left = async () => (await send('POST', '/api/emails/count', '{"filter":{}}')).json().count;

describe.each([
  ['DELETE', '/api/emails/bulk'],
  ['POST', '/api/suppressions/emails'],
  ['POST', '/api/emails/count'],
] as const)('%s %s', (method, url) => {
  it.each([
    '{"filter":{"search":""}}',
    '{"filter":{"search":"   "}}',
    '{"filter":{"search":"\\u0000"}}',
    '{"filter":{"domain":""}}',
    '{"filter":{"domain":" "}}',
    '{"filter":{"search":"","status":"active"}}',
    '{"filter":{"importId":true}}',
    '{"filter":{"importId":"1"}}',
    '{"filter":{"riskFrom":null}}',
    '{"filter":{"riskFrom":""}}',
    '{"filter":{"riskTo":[]}}',
    '{"filter":{"__proto__":{"status":"invalid"}}}',
    '{"__proto__":{"filter":{}},"filter":{}}',
    '{"filter":{"nonsense":1}}',
  ])('refuses %s, and touches nobody', async (payload) => {
    const answer = await send(method, url, payload);
    expect(answer.statusCode, answer.body).toBe(400);
    expect(await left()).toBe(3);
    const listed = await product.app.inject({ url: '/api/emails', headers: { cookie: person.cookie } });
    expect(listed.json().emails.every(({ status }: { status: string }) => status === 'active')).toBe(true);
  });
});

describe('in a query', () => {
  const listed = (query: string) =>
    product.app.inject({ url: `/api/emails?${query}`, headers: { cookie: person.cookie } });

  it.each(['riskFrom=', 'riskTo=', 'riskFrom=&riskTo=', 'search=', 'domain='])(
    'an empty value means that it is not asked for, and never 0: %s',
    async (query) => {
      expect((await listed(query)).json().totalCount).toBe(3);
    },
  );

  it.each(['riskFrom=%20x', 'riskFrom=1.5', 'riskTo=101', 'riskTo=-1', 'risk=5'])(
    'what is no risk is refused: %s',
    async (query) => {
      expect((await listed(query)).statusCode).toBe(400);
    },
  );
});
