import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkBooks } from '#features/rollups/server/index.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

// These corrections are too large for one transaction. On a busy machine, filling a workspace alone
// takes a while.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let app: TestApp;
let person: SignedIn;

beforeAll(async () => {
  app = await openTestApp();
  app.tasks.startWork();
});
afterAll(() => app.close());
beforeEach(async () => {
  person = await signUp(app.app);
});
afterEach(async () => {
  const { workspaceId } = person;
  expect(await app.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
});

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, headers: object = {}) {
  const answer = await app.app.inject({
    method,
    url,
    headers: { cookie: person.cookie, ...headers },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json() };
}
const get = async (url: string) => (await call('GET', url)).body;
const post = async (url: string, payload?: object) => (await call('POST', url, payload)).body;

async function fill(addresses: string[]): Promise<void> {
  const options = { filterNonUk: false };
  const answer = await importCsv(app.app, person.cookie, `email\n${addresses.join('\n')}\n`, { options });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  await post('/api/verifications');
}
const total = async (search: string) => (await get(`/api/emails?search=${search}`)).totalCount;
const gmial = { pattern: { from: 'gmial.com', to: 'gmail.com' } };

describe('a correction of more than a transaction takes', () => {
  const slips = 11_000;

  beforeEach(async () => {
    const everyone = Array.from({ length: slips }, (_, n) => `person.${n}@gmial.com`);
    // Two of the addresses exist already, one at either end.
    await fill([...everyone, 'person.7@gmail.com', `person.${slips - 3}@gmail.com`]);
    await post('/api/suppressions/email/manual', { email: `person.${slips - 1}@gmial.com` });
  });

  it('is a task of several pieces and one correction, which is taken back as a whole', async () => {
    const begun = await call('POST', '/api/review/corrections/accept', gmial, { prefer: 'respond-async' });
    expect(begun.status).toBe(202);
    const done = await vi.waitFor(
      async () => {
        const task = await get(`/api/tasks/${begun.body.taskId}`);
        expect(task.status).toBe('completed');
        return task;
      },
      { timeout: 90_000, interval: 100 },
    );
    expect(done).toMatchObject({
      kind: 'verification.correct',
      title: 'Correct 11,000 addresses: gmial.com to gmail.com',
      done: slips,
      total: slips,
      summary:
        '10,998 addresses corrected. 1 of them is suppressed. 2 have an address that exists already: merge them.',
    });
    const { correctionId, ...counts } = done.result;
    expect(counts).toEqual({ corrected: slips - 2, needMerge: 2, suppressed: 1 });
    expect(await total('gmial.com')).toBe(2);
    expect((await get('/api/emails?domain=gmail.com')).totalCount).toBe(slips);
    expect((await get(`/api/emails?search=person.${slips - 1}@gmail.com`)).emails[0].status).toBe(
      'suppressed',
    );
    expect((await get('/api/review/corrections')).contacts).toBe(2);
    const told = (await get('/api/activities')).filter(
      ({ action }: { action: string }) => action === 'Addresses Corrected',
    );
    expect(told).toMatchObject([{ details: '10,998 addresses: gmial.com to gmail.com' }]);

    const gone = (await get(`/api/emails?search=person.5000@gmail.com`)).emails[0].id;
    await call('DELETE', `/api/emails/${gone}`);
    const undone = await call('POST', `/api/corrections/${correctionId}/undo`);
    expect(undone.body).toEqual({ restored: slips - 3, leftOut: 1 });
    expect((await get('/api/emails?domain=gmial.com')).totalCount).toBe(slips - 1);
    expect((await get('/api/review/corrections')).contacts).toBe(slips - 1);
    expect((await call('POST', `/api/corrections/${correctionId}/undo`)).status).toBe(409);
  });
});

describe('a verdict', () => {
  it('is given to a contact that is added by hand, at once', async () => {
    const added = await post('/api/emails', { email: 'jo@gmial.com' });
    expect(added.verification).toMatchObject({ verdict: 'risky', suggestion: 'jo@gmail.com' });
    expect((await get('/api/review/corrections')).contacts).toBe(1);
    expect((await get('/api/verifications/summary')).contacts).toBe(1);
    const good = await post('/api/emails', { email: 'ann@acme.co.uk' });
    expect(good.verification).toMatchObject({ verdict: 'valid', uk: 'uk' });
  });

  it('is given again to contacts that come back from the bin', async () => {
    await fill(['jo@gmial.com', 'ann@acme.co.uk', 'sam@acme.co.uk']);
    const { removalId } = (await call('DELETE', '/api/emails/bulk', { filter: { domain: 'acme.co.uk' } }))
      .body;
    expect((await get('/api/verifications/summary')).contacts).toBe(1);
    await post(`/api/removals/${removalId}/restore`);
    expect(await get('/api/verifications/summary')).toMatchObject({ contacts: 3, verdicts: { valid: 2 } });
    const { emails } = await get('/api/emails?domain=acme.co.uk');
    expect(
      emails.map((one: { verification: { verdict: string } | null }) => one.verification?.verdict),
    ).toEqual(['valid', 'valid']);
  });

  it('is not made for contacts that come back to a workspace where nothing was verified', async () => {
    const options = { filterNonUk: false };
    await importCsv(app.app, person.cookie, 'email\nann@acme.co.uk\n', { options });
    const { removalId } = (await call('DELETE', '/api/emails/bulk', { filter: { domain: 'acme.co.uk' } }))
      .body;
    expect(await post(`/api/removals/${removalId}/restore`)).toEqual({ restored: 1, leftOut: 0 });
    expect((await get('/api/verifications/summary')).contacts).toBe(0);
  });
});

describe('several patterns at once', () => {
  const patterns = [
    { from: 'gmial.com', to: 'gmail.com' },
    { from: 'hotmial.co.uk', to: 'hotmail.co.uk' },
  ];

  it('are one correction within the call, which leaves the other patterns and is undone as a whole', async () => {
    await fill([
      'anna.lee@gmial.com',
      'bob.lee@gmial.com',
      'cat.lee@hotmial.co.uk',
      'dan.lee@yaho.co.uk',
      'bob.lee@gmail.com',
    ]);
    const done = await post('/api/review/corrections/accept', { patterns });
    expect(done).toMatchObject({
      corrected: 2,
      needMerge: 1,
      suppressed: 0,
      correctionId: expect.any(Number),
    });
    expect(await total('cat.lee@hotmail.co.uk')).toBe(1);
    expect(await total('dan.lee@yaho.co.uk')).toBe(1);
    const { items } = await get('/api/review/history');
    expect(items).toMatchObject([{ kind: 'correction', contacts: 2, pattern: null }]);
    expect(await post(`/api/corrections/${done.correctionId}/undo`)).toMatchObject({
      restored: 2,
      leftOut: 0,
    });
    expect(await total('cat.lee@hotmial.co.uk')).toBe(1);
  });

  it('are a task when they are many, over the end of one pattern and into the next', async () => {
    const of = (domain: string, count: number) =>
      Array.from({ length: count }, (_, n) => `person.${n}@${domain}`);
    await fill([...of('gmial.com', 5_200), ...of('hotmial.co.uk', 300)]);
    const begun = await call(
      'POST',
      '/api/review/corrections/accept',
      { patterns },
      { prefer: 'respond-async' },
    );
    expect(begun.status).toBe(202);
    const task = await vi.waitFor(
      async () => {
        const found = await get(`/api/tasks/${begun.body.taskId}`);
        expect(found.status).toBe('completed');
        return found;
      },
      { timeout: 60_000, interval: 200 },
    );
    expect(task.title).toBe('Correct 5,500 addresses: 2 patterns');
    expect(task.result).toMatchObject({ corrected: 5_500, needMerge: 0 });
    expect((await get('/api/review/corrections')).contacts).toBe(0);
  });

  it('are at least one and at most a hundred, and nothing besides', async () => {
    const accept = async (body: object) =>
      (await call('POST', '/api/review/corrections/accept', body)).status;
    expect(await accept({ patterns: [] })).toBe(400);
    expect(await accept({ patterns: Array.from({ length: 101 }, () => patterns[0]) })).toBe(400);
    expect(await accept({ patterns, ids: [1] })).toBe(400);
  });
});
