// Tests of: apps
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';

/** The files of the web build, which lie there plain, in Brotli and in gzip. */
const page = '<!doctype html><title>The page</title>'.repeat(20);
const script = 'export const one = 1;\n'.repeat(500);
let folder: string;
let test: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'email-manager-web-'));
  await mkdir(join(folder, 'assets'));
  for (const [path, text] of [
    ['index.html', page],
    ['assets/start-abc.js', script],
  ] as const) {
    await writeFile(join(folder, path), text);
    await writeFile(join(folder, `${path}.br`), brotliCompressSync(text));
    await writeFile(join(folder, `${path}.gz`), gzipSync(text));
  }
  test = await openTestApp({}, { webFolder: folder });
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

const read = (url: string, encodings: string | undefined) =>
  test.app.inject({ url, headers: encodings === undefined ? {} : { 'accept-encoding': encodings } });

describe.each([
  ['/', page, 'no-cache', 'text/html; charset=utf-8'],
  // A screen's own address, which is the same page.
  ['/imports/17', page, 'no-cache', 'text/html; charset=utf-8'],
  [
    '/assets/start-abc.js',
    script,
    'public, max-age=31536000, immutable',
    'application/javascript; charset=utf-8',
  ],
])('%s', (url, text, caching, type) => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['identity', undefined],
    [undefined, undefined],
  ])('comes to who takes %s as %s', async (takes, sent) => {
    const answer = await read(url, takes);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-encoding']).toBe(sent);
    expect(answer.headers['cache-control']).toBe(caching);
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.headers.vary).toMatch(/accept-encoding/i);
    if (sent === 'gzip') expect(gunzipSync(answer.rawPayload).toString()).toBe(text);
    else if (sent === 'br') expect(answer.rawPayload.length).toBeLessThan(text.length / 4);
    else expect(answer.body).toBe(text);
  });
});

it('is still told to be unchanged', async () => {
  const first = await read('/assets/start-abc.js', 'gzip');
  const again = await test.app.inject({
    url: '/assets/start-abc.js',
    headers: { 'accept-encoding': 'gzip', 'if-none-match': String(first.headers.etag) },
  });
  expect(again.statusCode).toBe(304);
});
