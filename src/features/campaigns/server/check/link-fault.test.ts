import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultOf } from './link-fault.ts';

let server: Server;
let here: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const status = Number(request.url?.match(/\d+/)?.[0] ?? 200);
    const isFussy = request.url?.startsWith('/fussy') && request.method === 'HEAD';
    response.writeHead(isFussy ? 404 : status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const guard = { lookup: undefined, refuseLiteral: () => undefined };

it.each([
  ['/', null],
  ['/fussy', null],
  ['/403', null],
  ['/429', null],
  ['/404', 'answers 404.'],
  ['/500', 'answers 500.'],
])('a link to %s', async (path, fault) => {
  expect(await faultOf(here + path, guard)).toBe(fault && `${here}${path} ${fault}`);
});

it('is not tried where it leads into the network of the installation', async () => {
  expect(await faultOf(`${here}/`)).toMatch(/127\.0\.0\.1 is not on the public internet\.$/);
});
