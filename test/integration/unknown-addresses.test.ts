// Tests of: apps
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';

/**
 * The answer at an address with nothing there: programs get an error they can read, people get the
 * page that says so.
 */
let folder: string;
let withPages: TestApp;
let apiAlone: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'email-manager-web-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>The page</title>');
  withPages = await openTestApp({}, { webFolder: folder });
  apiAlone = await openTestApp();
});
afterAll(async () => {
  await withPages.close();
  await apiAlone.close();
  await rm(folder, { recursive: true });
});

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const unknown = [
  '/api',
  '/api?x=1',
  '/api/',
  '/api/nothing',
  '/api/emails/1/nothing',
  '/api/auth/nothing/at/all',
];

describe.each(unknown)('%s', (url) => {
  it.each(methods)('answers %s with an error in JSON', async (method) => {
    for (const { app } of [withPages, apiAlone]) {
      const answer = await app.inject({ method, url });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([
        404,
        'application/json; charset=utf-8',
      ]);
      if (method !== 'HEAD')
        expect(answer.json()).toMatchObject({
          code: 'not_found',
          message: expect.stringMatching(/nothing/i),
        });
    }
  });
});

it('answers a method that a call does not have, and a body that nobody reads, with those that it has', async () => {
  for (const [method, url] of [
    ['DELETE', '/api/health'],
    ['PUT', '/api/emails'],
    ['PATCH', '/api/imports'],
  ] as const) {
    const answer = await withPages.app.inject({ method, url, payload: { any: 'thing' } });
    expect([url, answer.statusCode, answer.json().code]).toEqual([url, 405, 'method_not_allowed']);
    expect(answer.headers.allow).toMatch(/^GET, HEAD/);
  }
});

it('shows people the page, which knows routes of its own', async () => {
  for (const url of ['/', '/nothing', '/apiary', '/imports/7']) {
    const answer = await withPages.app.inject(url);
    expect([url, answer.statusCode, answer.headers['content-type']]).toEqual([
      url,
      200,
      'text/html; charset=utf-8',
    ]);
    expect((await apiAlone.app.inject(url)).statusCode).toBe(404);
  }
  expect((await withPages.app.inject('/assets/nothing.js')).statusCode).toBe(404);
  expect((await withPages.app.inject({ method: 'POST', url: '/nothing' })).statusCode).toBe(404);
});
