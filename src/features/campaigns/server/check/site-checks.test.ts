import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLinkKeys } from '#features/links/server/index.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { siteChecks } from './site-checks.ts';

// Whether readers could leave, asked over the network as their providers do.

const secretKey = 'a secret of at least thirty-two characters';
let test: TestApp;
let site: string;
let asked = 0;
const server = createServer(async ({ method, url }, response) => {
  asked += 1;
  const call = { method: method as 'GET', url: url ?? '/' };
  const { statusCode, body } = await test.app.inject(call);
  response.writeHead(statusCode).end(body);
});
beforeAll(async () => {
  test = await openTestApp({ SECRET_KEY: secretKey });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((done) => server.close(done));
  await test.close();
});

const oneClick = async (at: string, secret: string, publicUrl = at) =>
  (await siteChecks(at, { workspaceId: 1, keys: createLinkKeys([secret]), publicUrl })).find(
    ({ key }) => key === 'one_click',
  );

it('takes the page of this installation for an answer, and no other', async () => {
  expect(await oneClick(site, secretKey)).toMatchObject({
    ...{ result: 'advice', words: expect.stringContaining('works over https alone') },
  });
  const words = expect.stringContaining('does not answer at');
  expect(await oneClick(site, 'another secret of thirty-two characters')).toMatchObject({ words });
  expect(await oneClick('http://127.0.0.1:1', secretKey)).toMatchObject({ words });
});

it('asks no host of this network that a workspace has named', async () => {
  const before = asked;
  const port = (server.address() as AddressInfo).port;
  for (const own of [site, `http://localhost:${port}`])
    expect(await oneClick(own, secretKey, 'https://mail.app.co.uk')).toMatchObject({
      words: expect.stringContaining('does not answer at'),
    });
  expect(asked).toBe(before);
});
