import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callPublic } from './public-request.ts';

// A server of one's own is never public, so the guard lets this port through and nothing else.
let server: Server;
let here: string;
let port: number;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    const to = request.url?.match(/^\/to\/(.+)$/)?.[1];
    if (to) return response.writeHead(302, { location: decodeURIComponent(to) }).end();
    if (request.url === '/round') return response.writeHead(301, { location: '/round' }).end();
    if (request.url === '/silent') return;
    if (request.url === '/broken') return request.socket.destroy();
    if (request.url === '/long') return response.end('x'.repeat(5_000));
    response.writeHead(request.url === '/gone' ? 410 : 200).end('hello');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  here = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const guard = {
  lookup: undefined,
  refuseLiteral(host: string) {
    if (host !== '127.0.0.1') throw new Error(`${host} refused`);
  },
};

describe('a call to what a user named', () => {
  it('answers with the status, and follows as many redirects as it may', async () => {
    expect(await callPublic(`${here}/gone`, { guard })).toMatchObject({ status: 410 });
    const hop = `${here}/to/${encodeURIComponent('/to/%2Fend')}`;
    expect(await callPublic(hop, { guard })).toMatchObject({ status: 302 });
    expect(await callPublic(hop, { guard, redirects: 3 })).toMatchObject({ status: 200, url: `${here}/end` });
    await expect(callPublic(`${here}/round`, { guard, redirects: 3 })).rejects.toThrow('without end');
  });

  it('looks at every redirect anew', async () => {
    for (const bad of ['http://10.0.0.1/', 'http://169.254.169.254/latest', 'http://[::1]/']) {
      const hop = `${here}/to/${encodeURIComponent(bad)}`;
      await expect(callPublic(hop, { guard, redirects: 3 })).rejects.toThrow('refused');
    }
    const file = `${here}/to/${encodeURIComponent('file:///etc/passwd')}`;
    await expect(callPublic(file, { guard, redirects: 3 })).rejects.toThrow('begins with file:');
  });

  it('never calls what is not public', async () => {
    const before = asked.length;
    for (const url of [
      here,
      `http://localhost:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://2130706433:${port}/`,
    ])
      await expect(callPublic(url), url).rejects.toMatchObject({ code: 'ENOTPUBLIC' });
    await expect(callPublic('ftp://shop.co.uk/')).rejects.toThrow('begins with ftp:');
    await expect(callPublic('no address')).rejects.toThrow('no address');
    expect(asked.length).toBe(before);
  });

  it('says what went wrong, and sends no password along', async () => {
    await expect(callPublic(`${here}/silent`, { guard, timeoutMs: 100 })).rejects.toThrow(
      'did not answer in time',
    );
    await expect(callPublic(`${here}/broken`, { guard })).rejects.toThrow('broke the connection');
    await expect(callPublic('http://127.0.0.1:1/', { guard })).rejects.toThrow('refused the connection');
    await callPublic(`http://jane:secret@127.0.0.1:${port}/`, { guard });
    expect(asked.at(-1)).toBe('GET /');
  });

  it('reads as much of the answer as it was told to', async () => {
    expect((await callPublic(here, { guard })).body).toHaveLength(0);
    expect((await callPublic(here, { guard, bodyBytes: 100 })).body.toString()).toBe('hello');
    await expect(callPublic(`${here}/long`, { guard, bodyBytes: 100 })).rejects.toThrow('too long');
  });
});
