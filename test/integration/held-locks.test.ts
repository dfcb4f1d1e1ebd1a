import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { takeSlot } from '#features/imports/server/staging-queries.ts';
import { figuresLock } from '#features/rollups/server/locks.ts';
import { lockStatement } from '#platform/server/locks.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

// What people may do while an import is running.

let test: TestApp;
let owner: SignedIn;
let engine: pg.Client;

beforeAll(async () => {
  test = await openTestApp();
  owner = await signUp(test.app);
  engine = new pg.Client({ connectionString: test.appUrl, application_name: 'email-manager import 7' });
  await engine.connect();
});
afterAll(async () => {
  await engine.end();
  await test.close();
});

async function call(method: 'POST' | 'DELETE', url: string, payload?: object) {
  const began = performance.now();
  const answer = await test.app.inject({
    method,
    url,
    headers: { cookie: owner.cookie },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json(), ms: performance.now() - began };
}
const add = async (email: string) => (await call('POST', '/api/emails', { email })).body.id as number;

it('a contact is deleted while an import holds the slot with the number of the workspace', async () => {
  expect(owner.workspaceId).toBe(1);
  const id = await add('ann@acme.co.uk');
  expect(await takeSlot(engine)).toBe(1);
  expect((await call('DELETE', `/api/emails/${id}`)).status).toBe(200);
});

it.each([
  ['an address', '/api/suppressions/email/manual', async () => ({ email: 'bob@acme.co.uk' })],
  ['a contact', '/api/suppressions/email', async () => ({ emailId: await add('cara@acme.co.uk') })],
  ['contacts', '/api/suppressions/emails', async () => ({ ids: [await add('dan@acme.co.uk')] })],
  ['a domain', '/api/suppressions/domain', async () => ({ domain: 'acme.co.uk' })],
] as const)(
  'putting %s on the suppression list waits a second at most, and says for what',
  async (_what, url, body) => {
    const payload = await body();
    await engine.query('begin');
    await engine.query(lockStatement(figuresLock, owner.workspaceId, 'shared'));
    const waited = await call('POST', url, payload);
    await engine.query('rollback');
    expect(waited).toMatchObject({
      status: 409,
      body: { message: 'An import is changing the database just now. Try again in a moment.' },
    });
    expect((await call('POST', url, payload)).status).toBeLessThan(300);
    // The machine may be busy. The wait itself is 0.8 s.
    expect(waited.ms).toBeLessThan(5_000);
  },
);
