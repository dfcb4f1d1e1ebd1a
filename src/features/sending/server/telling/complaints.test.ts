import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { insertMailing } from '../mailing-queries.ts';

// What readers complained of, by the domain that the mail came from.

let test: TestApp;
let owner: SignedIn;
beforeAll(async () => {
  test = await openTestApp();
  owner = await signUp(test.app);
});
afterAll(() => test.close());

const content = {
  ...{ name: 'News', fromName: 'Ann', replyTo: null, subject: 'News', preheader: '', html: '', text: '' },
  ...{ mergeData: {}, tracksOpens: false, tracksClicks: false, audience: null, createdBy: null },
};

async function mailing(fromAddress: string, daysAgo: number, kind: 'campaign' | 'test' = 'campaign') {
  const { workspaceId } = owner;
  const id = await test.database.asTenant(workspaceId, (tx) =>
    insertMailing(tx, workspaceId, { ...content, fromAddress, kind, needsServer: true }),
  );
  const { system } = test.owner;
  await sql`
    update mailings set status = 'completed', started_at = now() - ${daysAgo} * interval '1 day' where id = ${id}`.execute(
    system,
  );
  await sql`
    insert into send_parts (workspace_id, mailing_id, first_send, last_send, total, sent, status)
    values (${workspaceId}, ${id}, 1, 1000, 1000, 1000, 'done')`.execute(system);
  await sql`
    insert into mailing_bounces (workspace_id, mailing_id, complained) values (${workspaceId}, ${id}, 4)`.execute(
    system,
  );
}

it('counts the campaigns of the last 30 days of a sender domain and of those below it', async () => {
  const headers = { cookie: owner.cookie };
  for (const domain of ['acme.co.uk', 'news.acme.co.uk'])
    await test.app.inject({ method: 'POST', url: '/api/sender-domains', headers, payload: { domain } });
  await mailing('ann@acme.co.uk', 1);
  await mailing('ben@shop.acme.co.uk', 29);
  await mailing('cyd@news.acme.co.uk', 2);
  await mailing('dan@acme.co.uk', 31);
  await mailing('eve@acme.co.uk', 1, 'test');
  await mailing('fay@elsewhere.co.uk', 1);
  const { items } = (await test.app.inject({ url: '/api/sender-domains', headers })).json();
  const words = Object.fromEntries(
    items.map(({ domain, requirements }: { domain: string; requirements: { words: string }[] }) => [
      domain,
      requirements.at(-1)?.words,
    ]),
  );
  expect(words['acme.co.uk']).toMatch(/^8 of 2,000 in the last 30 days \(0\.4%\)/);
  expect(words['news.acme.co.uk']).toMatch(/^4 of 1,000/);
  const one = await test.app.inject({ url: `/api/sender-domains/${items[0].id}`, headers });
  expect(one.json().requirements).toEqual(items[0].requirements);
});
