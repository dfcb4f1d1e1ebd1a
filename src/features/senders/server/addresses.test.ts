import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import type { SenderAddress } from '../contract.ts';

let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
});
beforeEach(async () => {
  owner = await signUp(test.app);
});
afterAll(() => test?.close());

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
async function call(method: Method, url: string, payload?: object, who = owner) {
  const answer = await test.app.inject({
    method,
    url,
    headers: { cookie: who.cookie },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json() };
}
const anna = { name: 'Anna at Acme', address: 'Anna@News.Acme.co.uk', replyTo: '' };
const add = async (written: object = anna): Promise<SenderAddress & { id: number }> => {
  const { status, body } = await call('POST', '/api/senders', written);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};
const listed = async (who = owner): Promise<SenderAddress[]> =>
  (await call('GET', '/api/senders', undefined, who)).body.items;

it('lists the default sender first, each with the domain that signs', async () => {
  expect(await listed()).toEqual([]);
  await call('PATCH', '/api/settings', { sender: { fromName: 'Acme', fromAddress: 'hello@other.co.uk' } });
  await add();
  const { body: domain } = await call('POST', '/api/sender-domains', { domain: 'acme.co.uk' });
  expect(await listed()).toEqual([
    {
      ...{ id: null, name: 'Acme', address: 'hello@other.co.uk', replyTo: '' },
      domain: { id: null, name: 'other.co.uk', state: 'none' },
    },
    {
      ...{ id: expect.any(Number), ...anna },
      domain: { id: domain.id, name: 'acme.co.uk', state: 'unchecked' },
    },
  ]);
});

it('changes what is given, and refuses the same sender twice', async () => {
  const { id } = await add();
  const { id: other } = await add({ name: 'Sales', address: 'anna@news.acme.co.uk' });
  expect((await call('POST', '/api/senders', { ...anna, address: 'ANNA@news.acme.co.uk' })).status).toBe(409);
  expect((await call('PATCH', `/api/senders/${other}`, { name: anna.name })).status).toBe(409);
  expect((await call('PATCH', `/api/senders/${id}`, {})).status).toBe(400);
  const { body } = await call('PATCH', `/api/senders/${id}`, { replyTo: 'team@acme.co.uk' });
  expect(body).toMatchObject({ ...anna, replyTo: 'team@acme.co.uk' });
  expect((await call('PATCH', `/api/senders/${id}`, { replyTo: '' })).body.replyTo).toBe('');
  expect((await call('DELETE', `/api/senders/${id}`)).status).toBe(200);
  expect((await call('DELETE', `/api/senders/${id}`)).status).toBe(404);
  expect((await listed()).map(({ name }) => name)).toEqual(['Sales']);
});

it('refuses what would add to the head of a message', async () => {
  const addresses = ['anna', 'a@b@acme.co.uk', 'a b@acme.co.uk', '<a@acme.co.uk', 'a,b@acme.co.uk'];
  for (const address of [...addresses, 'a@acme.co.uk\r\nBcc: b@acme.co.uk'])
    expect((await call('POST', '/api/senders', { ...anna, address })).status, address).toBe(400);
  for (const wrong of [{ name: '' }, { name: 'A\r\nBcc: b@acme.co.uk' }, { replyTo: 'team' }])
    expect((await call('POST', '/api/senders', { ...anna, ...wrong })).status).toBe(400);
  expect(await listed()).toEqual([]);
});

it('is for admins of its own workspace to change', async () => {
  const { id } = await add();
  const editor = await signUpMember(test.app, test.owner, { workspaceId: owner.workspaceId, role: 'editor' });
  expect((await call('POST', '/api/senders', anna, editor)).status).toBe(403);
  expect(await listed(editor)).toHaveLength(1);
  const stranger = await signUp(test.app);
  expect((await call('PATCH', `/api/senders/${id}`, { name: 'Mine' }, stranger)).status).toBe(404);
  expect((await call('DELETE', `/api/senders/${id}`, undefined, stranger)).status).toBe(404);
  expect(await listed(stranger)).toEqual([]);
});
