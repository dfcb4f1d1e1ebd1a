import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ServerFeature } from '#platform/server/feature.ts';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { features } from '#test/support/sample-calls.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { templatesPort } from './index.ts';

// A feature that sends. Templates know nothing of it.
const post = endpoint({
  method: 'POST',
  path: '/api/letters/:id',
  access: access.member('sender'),
  summary: 'Posts a letter that is written as a template.',
  tag: 'Letters',
  params: idParams,
  body: z.object({ isLost: z.boolean().default(false) }),
  response: z.object({ isPosted: z.boolean() }),
});
const letters: ServerFeature = {
  name: 'letters',
  contract: { post },
  create: ({ db, use }) => {
    const templates = use(templatesPort);
    return {
      routes: (router) =>
        router.handle(post, ({ workspaceId, params, body }) =>
          db.asTenant(workspaceId, async (tx) => {
            await templates.used(tx, workspaceId, params.id);
            if (body.isLost) throw new AppError('conflict', 'The letter was lost.');
            return { isPosted: true };
          }),
        ),
    };
  },
};

let test: TestApp;
let owner: SignedIn;
let id: number;

beforeAll(async () => {
  test = await openTestApp({}, { features: [...features, letters] });
});
afterAll(() => test.close());
beforeEach(async () => {
  owner = await signUp(test.app);
  const news = { name: 'News', category: 'custom', htmlContent: '<p>1</p>' };
  id = (await call('POST', '/api/templates', news)).body.id;
});

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) {
  const headers = { cookie: owner.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}
const send = (isLost = false) => call('POST', `/api/letters/${id}`, { isLost });
const used = async () => (await call('GET', `/api/templates/${id}`)).body.usageCount;

describe('the uses of a template', () => {
  it('are counted by features that send, also by two at once', async () => {
    expect(await used()).toBe(0);
    await Promise.all([send(), send(), send()]);
    expect(await used()).toBe(3);
    const { items } = (await call('GET', '/api/templates')).body;
    expect(items[0].usageCount).toBe(3);
    // A copy is another template, and going back to a version is none of its uses.
    expect((await call('POST', `/api/templates/${id}/duplicate`)).body.usageCount).toBe(0);
  });

  it('are none when what used it did not happen', async () => {
    expect((await send(true)).status).toBe(409);
    expect(await used()).toBe(0);
  });

  it('keep the version that was used from automatic saves', async () => {
    const auto = (text: string) =>
      call('PATCH', `/api/templates/${id}`, { htmlContent: `<p>${text}</p>`, autosave: true });
    await auto('2');
    await send();
    await auto('3');
    await auto('4');
    const { items } = (await call('GET', `/api/templates/${id}/versions`)).body;
    expect(items.map(({ version }: { version: number }) => version)).toEqual([4, 2, 1]);
  });

  it('are not counted for templates of others, or that are not there', async () => {
    const theirs = id;
    const first = owner;
    owner = await signUp(test.app);
    id = theirs;
    expect((await send()).status).toBe(200);
    id = 999_999_999;
    expect((await send()).status).toBe(200);
    owner = first;
    id = theirs;
    expect(await used()).toBe(0);
  });
});
