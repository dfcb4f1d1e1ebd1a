import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AdminAction, NotedJob, QueueState } from '#features/admin/contract.ts';
import { migrateJobs, startJobs } from '#platform/server/jobs.ts';
import { createLogger } from '#platform/server/logging.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

// The product with its own job queue running, as in production.

const adminEmail = 'boss@harrowgatefoods.co.uk';
const job = 'mail.forget';
const patiently = { timeout: 30_000, interval: 100 };

let test: TestApp;
let boss: SignedIn;
let appRole: string;

beforeAll(async () => {
  test = await openTestApp({ ADMIN_EMAIL: adminEmail });
  await migrateJobs(test.ownerUrl);
  boss = await signUp(test.app, { email: adminEmail });
  const { rows } = await sql<{ role: string }>`select current_user as role`.execute(test.database.system);
  appRole = rows[0]?.role ?? '';
  await test.startWork();
}, 60_000);
afterAll(() => test?.close());

const call = (method: 'GET' | 'POST', url: string, who = boss) =>
  test.app.inject({ method, url, headers: { cookie: who.cookie } });
const jobs = async (): Promise<{ queues: QueueState[]; jobs: NotedJob[] }> =>
  (await call('GET', '/api/admin/jobs')).json();
const failed = async (): Promise<NotedJob[]> =>
  (await jobs()).jobs.filter(({ name, state }) => name === job && state === 'failed');

/** Sends the job with a single attempt, as another process would that only sends. */
async function send(): Promise<void> {
  const log = createLogger('silent');
  const handler = async () => undefined;
  const sender = await startJobs({
    url: test.appUrl,
    log,
    jobs: [{ name: job, retries: 0, handler }],
    work: false,
  });
  await sender.send(job);
  await sender.stop();
}

describe('a background job that fails', () => {
  it('is listed with what went wrong, tried again by the administrator, and then done', async () => {
    await sql`revoke delete on outbox from ${sql.id(appRole)}`.execute(test.owner.system);
    await send();
    const [broken] = await vi.waitFor(async () => {
      const found = await failed();
      expect(found).toHaveLength(1);
      return found;
    }, patiently);
    expect(broken).toMatchObject({
      attempts: 1,
      error: 'permission denied for table outbox',
      failedAt: expect.any(String),
    });
    const before = (await jobs()).queues.find(({ name }) => name === job);
    expect(before).toMatchObject({ failed: 1, running: 0 });

    const stranger = await signUp(test.app);
    const retry = `/api/admin/jobs/${job}/${broken?.id}/retry`;
    expect((await call('POST', retry, stranger)).statusCode).toBe(403);
    expect(await failed()).toHaveLength(1);

    // Nothing is done that cannot be recorded.
    await sql`revoke insert on admin_actions from ${sql.id(appRole)}`.execute(test.owner.system);
    expect((await call('POST', retry)).statusCode).toBe(500);
    expect(await failed()).toHaveLength(1);
    await sql`grant insert on admin_actions to ${sql.id(appRole)}`.execute(test.owner.system);

    await sql`grant delete on outbox to ${sql.id(appRole)}`.execute(test.owner.system);
    const answer = await call('POST', retry);
    expect(answer.statusCode, answer.body).toBe(200);
    await vi.waitFor(async () => {
      expect(await failed()).toEqual([]);
      const after = (await jobs()).queues.find(({ name }) => name === job);
      expect(after).toMatchObject({
        failed: 0,
        retrying: 0,
        running: 0,
        lastCompletedAt: expect.any(String),
      });
    }, patiently);
    expect((await call('POST', retry)).statusCode).toBe(404);
    const { items } = (await call('GET', '/api/admin/actions')).json() as { items: AdminAction[] };
    expect(items[0]).toMatchObject({ action: 'job.retried', subject: `job:${job}`, actor: adminEmail });
  }, 90_000);
});
