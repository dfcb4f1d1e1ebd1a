import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { manyCalls, openPeopleBench, type PeopleBench, post, signIn } from '#test/support/people.ts';
import { signUp, testPassword } from '#test/support/sign-in.ts';

let bench: PeopleBench;
const system = () => bench.database.system;

beforeAll(async () => {
  bench = await openPeopleBench();
});
beforeEach(async () => {
  await sql`delete from rate_limits`.execute(system());
});
afterAll(() => bench?.close());

/** As if everything that is counted had happened so much earlier. */
const age = (seconds: number) =>
  sql`update rate_limits set last_request = last_request - ${seconds * 1000}`.execute(system());
const forgot = async (email: string) => (await post(bench.app, 'forgot-password', { email })).statusCode;
const mailsTo = async (recipient: string) => {
  const { rows } = await sql<{ kind: string }>`
    select kind from outbox where recipient = ${recipient} order by id`.execute(system());
  return rows.map(({ kind }) => kind);
};

describe('attempts', () => {
  it('of an hour stay counted while people sign in', async () => {
    const { email } = await signUp(bench.app);
    expect((await signIn(bench.app, email)).statusCode).toBe(200);
    const victim = 'someone.else@acme.co.uk';
    for (let count = 0; count < 5; count += 1) expect(await forgot(victim)).toBe(200);
    expect(await forgot(victim)).toBe(429);
    await age(65);
    expect((await signIn(bench.app, email)).statusCode).toBe(200);
    expect(await forgot(victim)).toBe(429);
    await age(3600);
    expect(await forgot(victim)).toBe(200);
  });

  it('of a minute are forgotten after it, also when there was never a pause', async () => {
    const { email } = await signUp(bench.app);
    const limited = await bench.start({}, { rateLimits: { ...manyCalls, signIns: 3 } });
    for (let count = 0; count < 3; count += 1) {
      expect((await signIn(limited, email)).statusCode).toBe(200);
      await age(25);
    }
    expect((await signIn(limited, email)).statusCode).toBe(200);
  });

  it('of sign-outs are limited by the network', async () => {
    const limited = await bench.start({}, { rateLimits: { ...manyCalls, signOuts: 1 } });
    expect((await post(limited, 'sign-out', {})).statusCode).toBe(200);
    expect((await post(limited, 'sign-out', {})).statusCode).toBe(429);
  });
});

describe('mails that somebody causes to a stranger', () => {
  it('leave them the link to a new password', async () => {
    const victim = await signUp(bench.app);
    const stranger = await signUp(bench.app);
    const ask = (url: string, payload: object) =>
      bench.app.inject({ method: 'POST', url, payload, headers: { cookie: stranger.cookie } });
    for (let count = 0; count < 6; count += 1) {
      await ask('/api/account/email', { email: victim.email, password: testPassword });
      await ask('/api/team/invitations', { email: victim.email, role: 'viewer' });
    }
    expect(await mailsTo(victim.email)).toEqual(Array.from({ length: 5 }, () => 'invitation'));
    expect(await forgot(victim.email)).toBe(200);
    await expect.poll(() => mailsTo(victim.email)).toContain('password_reset');
  });
});
