import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { purgeBin } from '#features/bin/server/index.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import type { PastDecision } from '../../contract.ts';

let app: TestApp;
let person: SignedIn;

beforeAll(async () => {
  app = await openTestApp();
  app.tasks.startWork();
});
afterAll(() => app?.close());
beforeEach(async () => {
  person = await signUp(app.app);
});

async function call(method: 'GET' | 'POST', url: string, payload?: object, who: SignedIn = person) {
  const headers = { cookie: who.cookie };
  const answer = await app.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}
const get = async (url: string) => (await call('GET', url)).body;
const post = async (url: string, payload?: object) => (await call('POST', url, payload)).body;
const history = async (query = ''): Promise<{ items: PastDecision[]; totalCount: number }> =>
  get(`/api/review/history${query}`);

async function fill(addresses: string[]): Promise<void> {
  const options = { filterNonUk: false };
  const answer = await importCsv(app.app, person.cookie, `email\n${addresses.join('\n')}\n`, { options });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  await post('/api/verifications');
}
const idOf = async (address: string): Promise<number> =>
  (await get(`/api/emails?search=${encodeURIComponent(address)}`)).emails[0].id;

const gmial = { pattern: { from: 'gmial.com', to: 'gmail.com' } };

describe('past decisions', () => {
  it('begin empty, and list corrections and merges, newest first, with who and how many', async () => {
    expect(await history()).toEqual({ items: [], totalCount: 0 });
    await fill(['ann@gmial.com', 'jo@gmial.com', 'sam@hotmial.com', 'a.b@gmail.com', 'ab@gmail.com']);
    await post('/api/review/corrections/accept', gmial);
    const keepId = await idOf('a.b@gmail.com');
    const merged = await post('/api/review/duplicates/merge', {
      keepId,
      otherIds: [await idOf('ab@gmail.com')],
    });
    const listed = await history();
    expect(listed.totalCount).toBe(2);
    expect(listed.items).toMatchObject([
      {
        kind: 'merge',
        id: merged.mergeId,
        contacts: 1,
        pattern: null,
        kept: { id: keepId, address: 'a.b@gmail.com' },
        samples: [{ before: 'ab@gmail.com', after: 'a.b@gmail.com' }],
        by: person.email,
        undoneAt: null,
        canUndo: true,
      },
      {
        kind: 'correction',
        contacts: 2,
        pattern: gmial.pattern,
        kept: null,
        by: person.email,
        canUndo: true,
        samples: [
          { before: 'ann@gmial.com', after: 'ann@gmail.com' },
          { before: 'jo@gmial.com', after: 'jo@gmail.com' },
        ],
      },
    ]);
    expect(await history('?limit=1&page=2')).toMatchObject({
      totalCount: 2,
      items: [{ kind: 'correction' }],
    });
    expect((await history('?limit=1&page=3')).items).toEqual([]);
  });

  it('have no pattern where contacts of several were corrected together', async () => {
    await fill(['jo@gmial.com', 'sam@hotmial.com']);
    const ids = [await idOf('jo@gmial.com'), await idOf('sam@hotmial.com')];
    expect(await post('/api/review/corrections/accept', { ids })).toMatchObject({ corrected: 2 });
    expect((await history()).items).toMatchObject([{ contacts: 2, pattern: null }]);
  });

  it('are undone, which is said of them, and only once', async () => {
    await fill(['jo@gmial.com', 'a.b@gmail.com', 'ab@gmail.com']);
    await post('/api/review/corrections/accept', gmial);
    const keepId = await idOf('a.b@gmail.com');
    await post('/api/review/duplicates/merge', { keepId, otherIds: [await idOf('ab@gmail.com')] });
    const [merge, correction] = (await history()).items;
    expect((await call('POST', `/api/corrections/${correction?.id}/undo`)).body).toEqual({
      restored: 1,
      leftOut: 0,
    });
    expect((await call('POST', `/api/merges/${merge?.id}/undo`)).body).toEqual({ restored: 1 });
    expect((await history()).items).toMatchObject([
      { kind: 'merge', undoneAt: expect.any(String), canUndo: false, contacts: 1, samples: [] },
      { kind: 'correction', undoneAt: expect.any(String), canUndo: false, contacts: 1 },
    ]);
    expect((await call('POST', `/api/merges/${merge?.id}/undo`)).status).toBe(409);
  });

  it('of a merge whose contacts have left the bin cannot be undone', async () => {
    await fill(['a.b@gmail.com', 'ab@gmail.com']);
    const keepId = await idOf('a.b@gmail.com');
    const merge = await post('/api/review/duplicates/merge', {
      keepId,
      otherIds: [await idOf('ab@gmail.com')],
    });
    await sql`
      update removals set created_at = now() - interval '400 days'
      where workspace_id = ${person.workspaceId} and kind = 'merge'`.execute(app.owner.system);
    expect((await history()).items).toMatchObject([{ canUndo: false, undoneAt: null }]);
    expect((await call('POST', `/api/merges/${merge.mergeId}/undo`)).status).toBe(410);
  });

  it('of a merge whose contacts the bin has forgotten cannot be undone, however long it keeps others', async () => {
    await fill(['a.b@gmail.com']);
    const keepId = await idOf('a.b@gmail.com');
    const other = await post('/api/emails', { email: 'ab@gmail.com', notes: 'Rang twice' });
    const { mergeId } = await post('/api/review/duplicates/merge', { keepId, otherIds: [other.id] });
    expect(await purgeBin(app.database, person.workspaceId, 0)).toBe(1);
    expect((await history()).items).toMatchObject([{ canUndo: false, undoneAt: null }]);
    expect(await call('POST', `/api/merges/${mergeId}/undo`)).toMatchObject({
      status: 410,
      body: { code: 'gone' },
    });
    expect(await get(`/api/emails/${keepId}`)).toMatchObject({ notes: 'Rang twice' });
  });

  it('of a merge that was restored from the bin can be undone', async () => {
    await fill(['a.b@gmail.com']);
    const keepId = await idOf('a.b@gmail.com');
    const other = await post('/api/emails', { email: 'ab@gmail.com', notes: 'Rang twice' });
    const { mergeId } = await post('/api/review/duplicates/merge', { keepId, otherIds: [other.id] });
    await post(`/api/removals/${(await get('/api/removals')).items[0].id}/restore`);
    expect((await history()).items).toMatchObject([{ canUndo: true }]);
    expect((await call('POST', `/api/merges/${mergeId}/undo`)).body).toEqual({ restored: 0 });
    expect(await get(`/api/emails/${keepId}`)).toMatchObject({ notes: null });
  });

  it('show the contacts of a correction as they were, became and are', async () => {
    await fill(['ann@gmial.com', 'jo@gmial.com']);
    const { correctionId } = await post('/api/review/corrections/accept', gmial);
    const ann = await idOf('ann@gmail.com');
    await app.app.inject({
      method: 'DELETE',
      url: `/api/emails/${ann}`,
      headers: { cookie: person.cookie },
    });
    const url = `/api/corrections/${correctionId}/contacts`;
    expect(await get(url)).toEqual({
      totalCount: 2,
      items: [
        { id: ann, before: 'ann@gmial.com', after: 'ann@gmail.com', now: null },
        {
          id: expect.any(Number),
          before: 'jo@gmial.com',
          after: 'jo@gmail.com',
          now: 'jo@gmail.com',
        },
      ],
    });
    await post(`/api/corrections/${correctionId}/undo`);
    expect((await get(`${url}?limit=1&page=2`)).items).toMatchObject([{ now: 'jo@gmial.com' }]);
  });

  it('are for members to read, for editors to undo, and never of another workspace', async () => {
    await fill(['jo@gmial.com']);
    const { correctionId } = await post('/api/review/corrections/accept', gmial);
    const viewer = await signUpMember(app.app, app.database, {
      workspaceId: person.workspaceId,
      role: 'viewer',
    });
    expect((await call('GET', '/api/review/history', undefined, viewer)).body.totalCount).toBe(1);
    expect((await call('POST', `/api/corrections/${correctionId}/undo`, undefined, viewer)).status).toBe(403);
    const stranger = await signUp(app.app);
    expect((await call('GET', '/api/review/history', undefined, stranger)).body).toEqual({
      items: [],
      totalCount: 0,
    });
    const contacts = `/api/corrections/${correctionId}/contacts`;
    expect((await call('GET', contacts, undefined, stranger)).status).toBe(404);
    expect((await call('POST', `/api/corrections/${correctionId}/undo`, undefined, stranger)).status).toBe(
      404,
    );
  });
});
