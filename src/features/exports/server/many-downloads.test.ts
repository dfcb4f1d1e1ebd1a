import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';

let test: TestApp;
let ann: SignedIn;
let bob: SignedIn;
let other: SignedIn;
let port: number;
let open: ClientRequest[];

/** Notes as long as this make a file that the network does not hold between two programs. */
const contacts = 30_000;

beforeAll(async () => {
  test = await openTestApp({ DOWNLOAD_WAIT_SECONDS: '1', DOWNLOAD_STALL_SECONDS: '600' });
  ann = await signUp(test.app);
  bob = await signUpMember(test.app, test.owner, { workspaceId: ann.workspaceId, role: 'viewer' });
  other = await signUp(test.app);
  await fill(test, ann.workspaceId, contacts);
  await fill(test, other.workspaceId, 10);
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = test.app.server.address() as { port: number });
});
afterAll(() => test.close());
beforeEach(() => {
  open = [];
  return async () => {
    for (const request of open) request.destroy();
    await expect.poll(() => streams().busy).toBe(0);
  };
});

const fill = ({ owner }: TestApp, workspaceId: number, count: number) =>
  owner.asTenant(workspaceId, (tx) =>
    sql`insert into contacts (workspace_id, local, domain, notes)
        select ${workspaceId}::bigint, 'person.' || n, 'shop.co.uk', repeat('a note ', 150)
        from generate_series(1, ${count}::int) n`.execute(tx),
  );

/** The connections for streams. */
function streams(of: TestApp = test) {
  const {
    open: all = 0,
    idle = 0,
    waiting = 0,
  } = of.database.connections().find(({ purpose }) => purpose === 'streams') ?? {};
  return { busy: all - idle, waiting };
}

/** Begins a download. Its reader reads nothing until it is told to. */
function begin(
  { cookie }: SignedIn,
  path = '/api/emails/export?format=csv',
  at = port,
): Promise<IncomingMessage> {
  const request = get({ port: at, host: '127.0.0.1', path, headers: { cookie }, agent: false });
  open.push(request);
  request.on('error', () => undefined);
  return new Promise((resolve) => request.once('response', resolve));
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += chunk;
  return text;
}

async function refusalOf(response: IncomingMessage) {
  const body = JSON.parse(await textOf(response));
  return { status: response.statusCode, retryAfter: response.headers['retry-after'], ...body };
}

describe('many downloads at once', () => {
  it('take only some of the connections for them, so that colleagues and others get theirs', async () => {
    for (let number = 0; number < 5; number++) void begin(ann);
    await expect.poll(() => streams()).toEqual({ busy: 2, waiting: 3 });
    const colleague = await begin(bob);
    expect(colleague.statusCode).toBe(200);
    const elsewhere = await begin(other);
    expect((await textOf(elsewhere)).split('\n')).toHaveLength(12);
  });

  it('are told in true words whose downloads they waited for in vain, and when to try again', async () => {
    for (let number = 0; number < 2; number++) expect((await begin(ann)).statusCode).toBe(200);
    expect(await refusalOf(await begin(ann))).toEqual({
      status: 429,
      retryAfter: '15',
      code: 'rate_limited',
      message:
        'You have 2 downloads under way, as many as one person may have at once. Try again in 15 seconds, or when one of them has ended.',
    });
    expect((await begin(bob)).statusCode).toBe(200);
    expect(await refusalOf(await begin(bob))).toMatchObject({
      status: 429,
      retryAfter: '15',
      message: expect.stringMatching(/^This workspace has 3 downloads under way/),
    });
  });

  it('leave the line when their callers hang up', async () => {
    for (let number = 0; number < 2; number++) await begin(ann);
    for (let number = 0; number < 3; number++) void begin(ann);
    await expect.poll(() => streams().waiting).toBe(3);
    for (const request of open.slice(2)) request.destroy();
    await expect.poll(() => streams().waiting).toBe(0);
  });
});

/** A removal of one contact. */
async function remove(): Promise<number> {
  const { id } = (await call('POST', '/api/emails', { email: 'gone@millbank.co.uk' })).json();
  return (await call('DELETE', `/api/emails/${id}`)).json().removalId;
}
const call = (method: 'POST' | 'DELETE', url: string, payload?: object) =>
  test.app.inject({ method, url, headers: { cookie: ann.cookie }, ...(payload ? { payload } : {}) });

describe.each([
  ['an export of contacts', '/api/emails/export?format=csv&search=person.29999'],
  ['a workbook', '/api/emails/export?format=xlsx&search=person.29999'],
  ['the suppression list', '/api/suppressions/export?kind=emails&form=plain'],
  ['the audit log', '/api/audit/export'],
  ['the receipt of a removal', '/api/removals/:id/receipt'],
])('%s', (_name, template) => {
  it('waits for its turn, and gives it back', async () => {
    const path = template.replace(':id', String(await remove()));
    for (let number = 0; number < 2; number++) await begin(ann);
    const { status, code } = await refusalOf(await begin(ann, path));
    expect([status, code]).toEqual([429, 'rate_limited']);
    for (const request of open) request.destroy();
    await expect.poll(() => streams().busy).toBe(0);
    const response = await begin(ann, path);
    expect(response.statusCode).toBe(200);
    await textOf(response);
    await expect.poll(() => streams().busy).toBe(0);
  });
});

it('counts an API key by itself', async () => {
  const made = await call('POST', '/api/keys', { name: 'Nightly copy', scopes: ['contacts:read'] });
  for (let number = 0; number < 2; number++) await begin(ann);
  const headers = { authorization: `Bearer ${made.json().key}` };
  const request = get({ port, path: '/api/emails/export?format=csv&search=nobody', headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  await textOf(response);
});

describe('with more patience', () => {
  let patient: TestApp;
  let owner: SignedIn;
  let at: number;
  beforeAll(async () => {
    patient = await openTestApp({
      DOWNLOAD_WAIT_SECONDS: '60',
      DOWNLOAD_STALL_SECONDS: '1',
      METRICS_TOKEN: 'token-for-the-metrics',
    });
    owner = await signUp(patient.app);
    await fill(patient, owner.workspaceId, contacts);
    await patient.app.listen({ port: 0, host: '127.0.0.1' });
    at = (patient.app.server.address() as { port: number }).port;
  });
  afterAll(() => patient.close());

  it('all downloads end whole, one after the other', async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const response = await begin(owner, '/api/emails/export?format=csv&search=person.2999', at);
        return { status: response.statusCode, lines: (await textOf(response)).split('\n').length };
      }),
    );
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(all.map(({ lines }) => lines)).size).toBe(1);
    expect(all[0]?.lines).toBeGreaterThan(10);
  });

  it('one is given the turn of a reader who has stopped reading, which is counted', async () => {
    for (let number = 0; number < 4; number++) void begin(owner, '/api/emails/export?format=csv', at);
    await expect.poll(() => streams(patient).waiting).toBe(2);
    const response = await begin(owner, '/api/emails/export?format=csv&search=nobody', at);
    expect([response.statusCode, await textOf(response)]).toEqual([200, expect.stringMatching(/^email,/)]);
    const metrics = await patient.app.inject({
      url: '/api/metrics',
      headers: { authorization: 'Bearer token-for-the-metrics' },
    });
    expect(Number(/^stalled_readers_total (\d+)$/m.exec(metrics.body)?.[1])).toBeGreaterThanOrEqual(2);
  });
});

it('reads the list of an import that nobody reads to its end from a file, with no connection', async () => {
  const rows = Array.from({ length: 500 }, (_, at) => `not an address ${at}`).join('\n');
  const { id } = (await importCsv(test.app, other.cookie, `email\n${rows}\n`)).json();
  for (let number = 0; number < 6; number++) {
    const response = await begin(other, `/api/imports/${id}/receipt`);
    expect(response.statusCode).toBe(200);
  }
  expect(streams()).toEqual({ busy: 0, waiting: 0 });
});
