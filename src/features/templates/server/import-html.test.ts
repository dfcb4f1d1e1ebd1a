import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';

let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
  owner = await signUp(test.app, { name: 'Priya Shah' });
});
afterAll(() => test.close());

async function post(who: SignedIn, url: string, payload: object) {
  const answer = await test.app.inject({ method: 'POST', url, headers: { cookie: who.cookie }, payload });
  return { status: answer.statusCode, body: answer.json() };
}

it('a template of Mailchimp comes in clean, with its tags and its text, and can be kept', async () => {
  const html = readFileSync('test/fixtures/templates/mailchimp-newsletter.html', 'utf8');
  const { status, body } = await post(owner, '/api/templates/import', { html });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({
    htmlContent: expect.stringContaining('<h1>Hello {{ first_name }}</h1>'),
    textContent: expect.stringContaining('Hello {{ first_name }}'),
    leftOut: expect.arrayContaining([{ what: 'a script', count: 1, line: 23 }]),
    fonts: ['https://fonts.googleapis.com/css?family=Lato:400,700'],
    turnedTags: 21,
    turnedFields: expect.arrayContaining([
      { name: 'first_name', tag: '*|FNAME|*', line: 39 },
      { name: 'unsubscribe_link', tag: '*|UNSUB|*', line: 52 },
    ]),
    leftTags: [],
  });
  expect(body.htmlContent).not.toMatch(/<script|onclick/);
  const { htmlContent, textContent } = body;
  const kept = await post(owner, '/api/templates', {
    name: 'From Mailchimp',
    category: 'newsletter',
    htmlContent,
    textContent,
  });
  expect(kept).toMatchObject({ status: 201, body: { htmlContent, textContent } });
});

it('names the tags that stay', async () => {
  const { body } = await post(owner, '/api/templates/import', { html: '<p>\n*|RSSITEM:TITLE|*</p>' });
  expect(body.leftTags).toEqual([
    { tag: '*|RSSITEM:TITLE|*', line: 2, words: 'Feeds are not read into mails.' },
  ]);
});

it.each([[' '], ['x'.repeat(1_000_001)]])('refuses HTML that is empty or too long', async (html) => {
  expect((await post(owner, '/api/templates/import', { html })).status).toBe(400);
});

it('is not for those who only read', async () => {
  const { workspaceId } = owner;
  const viewer = await signUpMember(test.app, test.database, {
    workspaceId,
    role: 'viewer',
    name: 'Ann Bell',
  });
  expect((await post(viewer, '/api/templates/import', { html: '<p>a</p>' })).status).toBe(403);
});
