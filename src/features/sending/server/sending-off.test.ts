import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { migrateJobs } from '#platform/server/jobs.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { plainCampaign } from '#test/support/sending-app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { openSmtpPeer, type SmtpPeer } from '#test/support/smtp-peer.ts';

// What came back from a backup must not be sent a second time.

let peer: SmtpPeer;
let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  peer = await openSmtpPeer();
  test = await openTestApp({ SMTP_URL: peer.url, SENDING: 'off', ADMIN_EMAIL: 'boss@shop.co.uk' });
  await migrateJobs(test.ownerUrl);
  await test.startWork();
  owner = await signUp(test.app, { email: 'boss@shop.co.uk' });
});
afterAll(async () => {
  await test?.close();
  await peer?.close();
});

async function call(method: 'GET' | 'POST', url: string, payload?: object) {
  const headers = { cookie: owner.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.json();
}

/** Runs a job now, and waits for its end. */
async function run(name: string): Promise<void> {
  const { system } = test.owner;
  await sql`insert into pgboss.job (name) values (${name})`.execute(system);
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ open: number }>`
        select count(*) as open from pgboss.job where name = ${name} and state < 'completed'`.execute(system);
      expect(rows[0]?.open).toBe(0);
    },
    { timeout: 60_000, interval: 100 },
  );
}

it('SENDING=off lets no campaign, no single message and no mail of the product leave', async () => {
  await importCsv(test.app, owner.cookie, 'email\nann@shop.co.uk\n');
  const campaign = async () => (await call('POST', '/api/campaigns', plainCampaign)).id as number;
  const [sent, due] = [await campaign(), await campaign()];
  await call('POST', `/api/campaigns/${sent}/send`);
  await call('POST', '/api/send', { to: 'bob@shop.co.uk', subject: 'Receipt', html: '<p>Thank you</p>' });
  await call('POST', `/api/campaigns/${due}/schedule`, {
    sendAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await sql`update campaigns set send_at = now() - interval '1 minute' where id = ${due}`.execute(
    test.owner.system,
  );
  for (const job of ['campaigns.send-due', 'mail.deliver']) await run(job);

  expect(await call('GET', `/api/campaigns/${due}`)).toMatchObject({ status: 'scheduled' });
  const { rows } = await sql<{ state: string }>`select distinct state from sends`.execute(test.owner.system);
  expect(rows).toEqual([{ state: 'pending' }]);
  expect(peer.asked).toBe(0);
  await sql`update users set email_verified = true`.execute(test.owner.system);
  expect(await call('GET', '/api/admin/system')).toMatchObject({ sending: 'off', mailServer: true });
  // What must not go out can be taken back meanwhile.
  await call('POST', `/api/campaigns/${sent}/cancel`);
});
