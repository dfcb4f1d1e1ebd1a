import { beforeEach, expect, it, vi } from 'vitest';
import type { Role } from '#platform/shared/contract.ts';
import { keyWith } from '#test/support/keys.ts';
import { openSendingApp } from '#test/support/sending-app.ts';
import { signUpMember } from '#test/support/sign-in.ts';

// Who may read the messages that are kept where no mail server is set.

const app = openSendingApp({ people: 1, anew: 'owner', hasMailServer: false });

const secret = 'https://shop.example/reset?token=7f3a';
/** One of a campaign, and one that a program sent. */
let kept: { campaign: number; reset: number };

beforeEach(async () => {
  await app.stands(await app.send(), { status: 'completed' });
  await app.call('POST', '/api/send', {
    ...{ to: 'jane@shop.co.uk', subject: 'Your password', html: `<p><a href="${secret}">Reset</a></p>` },
  });
  kept = await vi.waitFor(
    async () => {
      const { items } = await app.call('GET', '/api/outbox/messages');
      const idOf = (subject: string) =>
        items.find((one: { subject: string; id: number }) => one.subject === subject).id;
      return { campaign: idOf('News'), reset: idOf('Your password') };
    },
    { timeout: 20_000, interval: 50 },
  );
});

const get = async (url: string, headers: Record<string, string>) => {
  const answer = await app.test.app.inject({ url: `/api/outbox/messages${url}`, headers });
  return { status: answer.statusCode, body: answer.body };
};
const key = (...scopes: string[]) => keyWith(app.test.app, app.owner, ...scopes);
/** How the message and its source are answered. */
const contents = async (id: number, headers: Record<string, string>) => {
  const answers = [await get(`/${id}`, headers), await get(`/${id}/source`, headers)];
  return answers.map(({ status }) => status);
};
const shown = [200, 200];
const refused = [403, 403];

it('a key that reads campaigns alone is told of nobody and reads no message', async () => {
  const headers = await key('campaigns:read');
  expect(await get('', headers)).toMatchObject({
    status: 403,
    body: expect.stringContaining('contacts:read'),
  });
  for (const id of Object.values(kept)) expect(await contents(id, headers)).toEqual(refused);
});

it('a message of a campaign is read by keys that may send campaigns', async () => {
  const reads = await key('campaigns:read', 'contacts:read');
  expect((await get('', reads)).status).toBe(200);
  expect(await contents(kept.campaign, reads)).toEqual(refused);
  expect((await get(`/${kept.campaign}`, reads)).body).toContain('campaigns:send');
  const sends = await key('campaigns:read', 'contacts:read', 'campaigns:send');
  expect(await contents(kept.campaign, sends)).toEqual(shown);
  expect(await contents(kept.reset, sends)).toEqual(refused);
});

it('a transactional message is read by keys that may send one', async () => {
  const sends = await key('campaigns:read', 'contacts:read', 'send');
  expect(await contents(kept.reset, sends)).toEqual(shown);
  expect((await get(`/${kept.reset}`, sends)).body).toContain(secret);
  expect(await contents(kept.campaign, sends)).toEqual(refused);
});

it('a message is read by editors, and viewers see to whom it went', async () => {
  const as = async (role: Role) => {
    const { workspaceId } = app.owner;
    return { cookie: (await signUpMember(app.test.app, app.test.database, { workspaceId, role })).cookie };
  };
  const viewer = await as('viewer');
  expect(await get('', viewer)).toMatchObject({
    status: 200,
    body: expect.stringContaining('jane@shop.co.uk'),
  });
  const editor = await as('editor');
  for (const id of Object.values(kept)) {
    expect(await contents(id, viewer)).toEqual(refused);
    expect(await contents(id, editor)).toEqual(shown);
  }
});
