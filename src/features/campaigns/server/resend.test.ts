import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { migrateJobs } from '#platform/server/jobs.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

// Audiences by what people did with earlier campaigns, by a filter, and without those on a break.

let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
  await migrateJobs(test.ownerUrl);
  await test.startWork();
});
beforeEach(async () => {
  owner = await signUp(test.app);
  const people = ['ann', 'bob', 'tom', 'zoe'].map((name) => `${name}@acme.co.uk`);
  await importCsv(test.app, owner.cookie, `email\n${people.join('\n')}\njane@harbour.co.uk\n`);
});
afterAll(() => test?.close());

type Method = 'GET' | 'POST' | 'PUT';
// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
async function call(method: Method, url: string, payload?: object, who = owner): Promise<any> {
  const headers = { cookie: who.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, ...answer.json() };
}

const written = { name: 'News', subject: 'News', content: 'Hello', template: 'simple' };
const acme = { include: [{ filter: { domain: 'acme.co.uk' } }] };

async function send(body: object): Promise<number> {
  const { id } = await call('POST', '/api/campaigns', { ...written, ...body });
  await call('POST', `/api/campaigns/${id}/send`);
  await vi.waitFor(
    async () => expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({ status: 'completed' }),
    { timeout: 20_000, interval: 50 },
  );
  return id;
}

const recipients = async (id: number): Promise<string[]> => {
  const { items } = await call('GET', `/api/campaigns/${id}/recipients?state=sent`);
  return items.map(({ address }: { address: string }) => address.split('@')[0]).sort();
};

const opened = (id: number, who: string, { byMachine = false } = {}) =>
  sql`
    insert into tracked_sends (workspace_id, mailing_id, send_id, contact_id, opened_at, human_opened_at)
    select m.workspace_id, m.id, c.id, c.id, now(), case when ${!byMachine} then now() end
    from mailings m join contacts c on c.workspace_id = m.workspace_id and c.local = ${who}
    where m.campaign_id = ${id}`.execute(test.owner.system);

describe('an audience', () => {
  it('of those who got a campaign and did not open it gets the same once more', async () => {
    const id = await send({ audience: acme });
    expect(await recipients(id)).toEqual(['ann', 'bob', 'tom', 'zoe']);
    await opened(id, 'ann');
    await opened(id, 'bob', { byMachine: true });
    const draft = await call('POST', `/api/campaigns/${id}/resend`, { subject: 'Did you see it?' });
    expect(draft).toMatchObject({
      ...{ name: 'News (again)', subject: 'Did you see it?', content: 'Hello', status: 'draft' },
      audience: { include: [{ notOpened: id }], exclude: [] },
    });
    const count = () => call('POST', '/api/campaigns/audience', draft.audience);
    expect(await count()).toMatchObject({ recipients: 3 });
    // Whoever opens it before it leaves does not get it.
    await opened(id, 'zoe');
    expect(await count()).toMatchObject({ recipients: 2 });
    await call('POST', `/api/campaigns/${draft.id}/send`);
    await vi.waitFor(async () => expect(await recipients(draft.id)).toEqual(['bob', 'tom']), 20_000);
    const others = await call('POST', '/api/campaigns/audience', {
      include: [{ opened: id }, { filter: { domain: 'harbour.co.uk' } }],
      exclude: [{ filter: { search: 'zoe' } }],
    });
    expect(others).toMatchObject({ recipients: 2 });
  });

  it('names only campaigns of the workspace that were sent, and filters that are understood', async () => {
    const draft = await call('POST', '/api/campaigns', written);
    expect(await call('POST', `/api/campaigns/${draft.id}/resend`, {})).toMatchObject({ status: 409 });
    const uncounted = await send({ trackOpens: false, audience: acme });
    expect(await call('POST', `/api/campaigns/${uncounted}/resend`, {})).toMatchObject({ status: 409 });
    const stranger = await signUp(test.app, { email: 'stranger@elsewhere.co.uk' });
    for (const [audience, who] of [
      [{ include: [], exclude: [{ opened: draft.id }] }, owner],
      [{ include: [{ sent: uncounted }] }, stranger],
      [{ include: [{ filter: { colour: 'red' } }] }, owner],
      [{ include: [{ filter: {} }] }, owner],
    ] as const) {
      expect(await call('POST', '/api/campaigns/audience', audience, who)).toMatchObject({ status: 400 });
      expect(await call('POST', '/api/campaigns', { ...written, audience }, who)).toMatchObject({
        status: 400,
      });
      if (who === owner)
        expect(await call('PUT', `/api/campaigns/${draft.id}`, { audience })).toMatchObject({ status: 400 });
    }
    expect(await call('POST', `/api/campaigns/${uncounted}/resend`, {}, stranger)).toMatchObject({
      status: 404,
    });
  });

  it('does not count or mail those who take a break, and says so', async () => {
    await sql`
      insert into mailing_pauses (workspace_id, domain, local, until)
      values (${owner.workspaceId}, 'acme.co.uk', 'tom', now() + interval '1 month')`.execute(
      test.owner.system,
    );
    const counted = await call('POST', '/api/campaigns/audience', acme);
    expect(counted).toMatchObject({ recipients: 3, leftOut: { paused: 1 } });
    const id = await send({ audience: acme });
    expect(await recipients(id)).toEqual(['ann', 'bob', 'zoe']);
    expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({
      ...{ totalRecipients: 3, leftOut: { paused: 1 } },
    });
  });
});
