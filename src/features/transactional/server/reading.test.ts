import { sql } from 'kysely';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Role } from '#platform/shared/contract.ts';
import { keyWith } from '#test/support/keys.ts';
import { openSendingApp } from '#test/support/sending-app.ts';
import { type SignedIn, signUpMember } from '#test/support/sign-in.ts';

// Who may read to whom transactional messages went, and what is in them.

const app = openSendingApp({ anew: 'owner', hasMailServer: false });

const secret = 'https://shop.example/reset?token=7f3a';
let id: number;

beforeEach(async () => {
  const { messages, batch } = await app.call('POST', '/api/send', {
    ...{ to: 'jane@shop.co.uk', subject: 'Your password', html: '<p><a href="{{ link }}">Reset</a></p>' },
    data: { link: secret },
  });
  id = messages[0].id;
  await vi.waitFor(
    async () => expect((await app.call('GET', `/api/send?batch=${batch}`)).items[0].state).toBe('sent'),
    { timeout: 20_000, interval: 50 },
  );
});

const get = async (url: string, headers: Record<string, string>) => {
  const answer = await app.test.app.inject({ url, headers });
  return { status: answer.statusCode, body: answer.body };
};
const member = (role: Role): Promise<SignedIn> =>
  signUpMember(app.test.app, app.test.database, { workspaceId: app.owner.workspaceId, role });
const key = (...scopes: string[]) => keyWith(app.test.app, app.owner, ...scopes);

it('a key that reads campaigns alone is told of nobody who was mailed', async () => {
  const campaigns = await key('campaigns:read');
  for (const url of ['/api/send', `/api/send/${id}`]) {
    const { status, body } = await get(url, campaigns);
    expect([url, status]).toEqual([url, 403]);
    expect(body).toContain('contacts:read');
  }
  const both = await key('campaigns:read', 'contacts:read');
  expect(await get('/api/send', both)).toMatchObject({
    status: 200,
    body: expect.stringContaining('jane@shop.co.uk'),
  });
});

it('what is in a message is read by keys that may send one', async () => {
  const readers = await get(`/api/send/${id}`, await key('campaigns:read', 'contacts:read'));
  expect(JSON.parse(readers.body)).toMatchObject({ to: 'jane@shop.co.uk', state: 'sent', html: null });
  expect(readers.body).not.toContain(secret);
  const sends = await key('campaigns:read', 'contacts:read', 'send');
  expect((await get(`/api/send/${id}`, sends)).body).toContain(secret);
});

it('what is in a message is read by editors, and viewers see where it stands', async () => {
  const shown = async (role: Role) => {
    const { body } = await get(`/api/send/${id}`, { cookie: (await member(role)).cookie });
    return JSON.parse(body);
  };
  expect(await shown('viewer')).toMatchObject({ to: 'jane@shop.co.uk', state: 'sent', html: null });
  expect((await shown('editor')).html).toContain(secret);
});

it('a key reads no more of a message than the person it acts for', async () => {
  const admin = await member('admin');
  const headers = await keyWith(app.test.app, admin, 'campaigns:read', 'contacts:read', 'send');
  expect((await get(`/api/send/${id}`, headers)).body).toContain(secret);
  const { owner } = app.test;
  await sql`update members set role = 'viewer' where user_id = ${Number(admin.userId)}
    and workspace_id = ${app.owner.workspaceId}`.execute(owner.system);
  const { status, body } = await get(`/api/send/${id}`, headers);
  expect([status, JSON.parse(body).html]).toEqual([200, null]);
});
