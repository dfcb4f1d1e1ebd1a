import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#platform/shared/contract.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import { mostViews, type View } from '../contract.ts';

let test: TestApp;
let owner: SignedIn;
let editor: SignedIn;
let viewer: SignedIn;
let stranger: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
  stranger = await signUp(test.app, { name: 'A Stranger' });
});
afterAll(() => test.close());
/** Each test gets its own workspace. */
beforeEach(async () => {
  owner = await signUp(test.app, { name: 'Priya Shah' });
  const { workspaceId } = owner;
  const join = (role: Role, name: string) =>
    signUpMember(test.app, test.database, { workspaceId, role, name });
  editor = await join('editor', 'Tom Reed');
  viewer = await join('viewer', 'Ann Bell');
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
async function call(who: SignedIn, method: Method, url: string, payload?: object) {
  const headers = { cookie: who.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}
const list = async (who: SignedIn) => (await call(who, 'GET', '/api/views')).body;
const names = async (who: SignedIn) => (await list(who)).items.map(({ name }: View) => name);
const save = (who: SignedIn, name: string, more: object = {}) =>
  call(who, 'POST', '/api/views', { name, state: { status: 'active' }, ...more });
const saved = async (who: SignedIn, name: string, more: object = {}): Promise<View> => {
  const { status, body } = await save(who, name, more);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};
const change = (who: SignedIn, { id }: View, body: object) => call(who, 'PATCH', `/api/views/${id}`, body);
const remove = (who: SignedIn, { id }: View) => call(who, 'DELETE', `/api/views/${id}`);
const restore = (who: SignedIn, { id }: View) => call(who, 'POST', `/api/views/${id}/restore`);
const choose = (who: SignedIn, body: object) => call(who, 'PATCH', '/api/view-choices', body);
const audited = async (view: View) => {
  const { rows } = await test.database.asTenant(owner.workspaceId, (tx) =>
    sql<{ action: string; actor: string }>`
      select action, actor from audit_log where subject = ${`view:${view.id}`} order by id`.execute(tx),
  );
  return rows.map(({ action }) => action);
};

describe('a saved view', () => {
  it('is there for who saved it, A to Z, with what goes without saying left out', async () => {
    await saved(viewer, 'york', {});
    const state = { search: ' .sch.uk ', sort: 'createdAt', riskFrom: 40, columns: ['address', 'name'] };
    const view = await saved(viewer, ' Kent schools ', { state });
    expect(view).toMatchObject({ name: 'Kent schools', shared: false, isOwn: true, madeBy: 'Ann Bell' });
    expect(view.state).toEqual({ search: '.sch.uk', riskFrom: 40, columns: ['name'] });
    expect(await names(viewer)).toEqual(['Kent schools', 'york']);
    expect(await names(owner)).toEqual([]);
    expect(await names(stranger)).toEqual([]);
  });

  it('is renamed and saved again, and each change is in the audit log', async () => {
    const view = await saved(viewer, 'Kent');
    expect((await change(viewer, view, { name: 'Kent schools' })).body.name).toBe('Kent schools');
    const { body } = await change(viewer, view, { state: { verdict: 'risky' } });
    expect(body).toMatchObject({ name: 'Kent schools', state: { verdict: 'risky' } });
    await change(viewer, view, { state: { verdict: 'risky', sort: 'createdAt' } });
    expect(await audited(view)).toEqual(['view.created', 'view.changed', 'view.changed']);
  });

  it('is deleted, and brought back as it was within a day', async () => {
    const view = await saved(viewer, 'Kent');
    await choose(viewer, { defaultId: view.id });
    expect((await remove(viewer, view)).body).toEqual({ deleted: 1 });
    expect(await list(viewer)).toEqual({ items: [], defaultId: null, columns: null });
    expect((await remove(viewer, view)).status).toBe(404);
    expect((await change(viewer, view, { name: 'Essex' })).status).toBe(404);
    expect((await restore(viewer, view)).body).toEqual(view);
    expect((await restore(viewer, view)).body).toEqual(view);
    expect((await list(viewer)).defaultId).toBe(view.id);
    expect(await audited(view)).toEqual(['view.created', 'view.deleted', 'view.restored']);

    await remove(viewer, view);
    await sql`update saved_views set deleted_at = now() - interval '25 hours' where id = ${view.id}`.execute(
      test.owner.system,
    );
    await remove(viewer, await saved(viewer, 'Another'));
    expect((await restore(viewer, view)).status).toBe(404);
  });

  const store = ({ id }: View, state: object) =>
    sql`update saved_views set state = ${JSON.stringify(state)}::jsonb where id = ${id}`.execute(
      test.owner.system,
    );

  it('is read beside columns of another release', async () => {
    const view = await saved(viewer, 'Kent');
    await store(view, { status: 'active', columns: 'name' });
    expect((await list(viewer)).items[0]).toMatchObject({ state: { status: 'active' }, problem: null });
  });

  it('with a condition of a newer version says so, is not overwritten, and can be renamed and deleted', async () => {
    const view = await saved(viewer, 'Kent');
    const strange = { status: 'active', segment: 7 };
    await store(view, strange);
    const problem = expect.stringContaining('newer version');
    expect((await list(viewer)).items[0]).toMatchObject({ state: {}, problem });
    const refused = await change(viewer, view, { state: { status: 'active' } });
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', message: problem } });
    expect((await change(viewer, view, { name: 'Kent schools' })).body).toMatchObject({ problem });
    const { rows } = await sql<{ state: unknown }>`
      select state from saved_views where id = ${view.id}`.execute(test.owner.system);
    expect(rows).toEqual([{ state: strange }]);
    expect((await remove(viewer, view)).status).toBe(200);
  });
});

describe('a shared view', () => {
  it('is seen by everybody, and changed by editors alone', async () => {
    const view = await saved(owner, 'Kent', { shared: true });
    expect(await list(viewer)).toMatchObject({
      items: [{ name: 'Kent', isOwn: false, madeBy: 'Priya Shah' }],
    });
    for (const answer of [
      await change(viewer, view, { name: 'Essex' }),
      await remove(viewer, view),
      await save(viewer, 'Mine', { shared: true }),
      await change(viewer, await saved(viewer, 'Own'), { shared: true }),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.body.message).toContain('need the editor role; yours is viewer');
    }
    expect((await change(editor, view, { name: 'Essex' })).body).toMatchObject({
      ...{ name: 'Essex', isOwn: false, shared: true },
    });
    expect((await remove(editor, view)).status).toBe(200);
    expect((await restore(viewer, view)).status).toBe(403);
    expect((await restore(owner, view)).body.name).toBe('Essex');
  });

  it('is not overwritten by who has not seen what another made of it', async () => {
    const opened = await saved(owner, 'Kent', { shared: true });
    const { updatedAt } = opened;
    const theirs = await change(editor, opened, { state: { verdict: 'risky' }, updatedAt });
    expect(theirs.status).toBe(200);
    for (const wanted of [{ state: { status: 'invalid' } }, { name: 'Essex' }, { shared: false }]) {
      const refused = await change(owner, opened, { ...wanted, updatedAt });
      expect(refused).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
      expect(refused.body.message).toBe(
        'Tom Reed has changed “Kent” since you opened it. Nothing was saved yet.',
      );
    }
    expect((await list(owner)).items[0]).toMatchObject({ name: 'Kent', state: { verdict: 'risky' } });
    expect(await audited(opened)).toEqual(['view.created', 'view.changed']);
    // Writing the same state again overwrites nothing.
    expect((await change(owner, opened, { state: { verdict: 'risky' }, updatedAt })).status).toBe(200);
    const mine = { state: { status: 'invalid' } };
    expect((await change(owner, opened, { ...mine, updatedAt: theirs.body.updatedAt })).status).toBe(200);
    const stale = await change(owner, opened, { name: 'Essex', updatedAt: theirs.body.updatedAt });
    expect(stale.body.message).toMatch(/^You have changed “Kent” in another window/);
    // Programs that send no version, like older ones, are let through.
    expect((await change(editor, opened, { name: 'Essex' })).body.name).toBe('Essex');
    expect((await change(editor, opened, { updatedAt })).status).toBe(400);
  });

  it('is saved by one of two who save at the same moment', async () => {
    const opened = await saved(owner, 'Kent', { shared: true });
    const { updatedAt } = opened;
    const answers = await Promise.all([
      change(owner, opened, { state: { verdict: 'risky' }, updatedAt }),
      change(editor, opened, { state: { status: 'invalid' }, updatedAt }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('becomes private again by who made it alone', async () => {
    const view = await saved(editor, 'Kent', { shared: true });
    const refused = await change(owner, view, { shared: false });
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('Tom Reed') } });
    expect((await change(editor, view, { shared: false })).body.shared).toBe(false);
    expect(await names(owner)).toEqual([]);
    expect((await change(owner, view, { name: 'Mine now' })).status).toBe(404);
  });

  it('is told of in the activities, a private one is not', async () => {
    const view = await saved(editor, 'Private');
    await change(editor, view, { shared: true });
    await saved(editor, 'Whispered');
    const { body } = await call(owner, 'GET', '/api/activities');
    expect(body.map(({ details }: { details: string }) => details).join()).toContain('“Private”');
    const told = body.find(({ action }: { action: string }) => action === 'View Shared');
    const link = new URL(told.link, 'http://x');
    expect(link.pathname).toBe('/email-database');
    expect(link.searchParams.get('view')).toBe(String(view.id));
    expect(JSON.stringify(body)).not.toContain('Whispered');
  });
});

describe('names', () => {
  it('are one’s own once, whatever their case, and the workspace’s once where shared', async () => {
    await saved(viewer, 'Kent');
    await saved(editor, 'Kent');
    await saved(editor, 'Kent', { shared: true });
    const taken = await save(viewer, 'KENT');
    expect(taken).toMatchObject({ status: 409, body: { code: 'already_exists' } });
    expect(taken.body.fields.name).toBe('A view of yours is already called “KENT”. Give another name.');
    expect((await save(owner, 'kent', { shared: true })).status).toBe(409);
    const other = await saved(owner, 'Essex', { shared: true });
    expect((await change(owner, other, { name: 'Kent' })).status).toBe(409);
    expect(await names(owner)).toEqual(['Essex', 'Kent']);
  });

  it('are free again once a view is deleted, which then cannot come back under it', async () => {
    const view = await saved(viewer, 'Kent');
    await remove(viewer, view);
    await saved(viewer, 'Kent');
    const refused = await restore(viewer, view);
    expect(refused).toMatchObject({ status: 409, body: { code: 'already_exists' } });
    expect((await list(viewer)).items).toHaveLength(1);
  });

  it.each(['', '  ', 'x'.repeat(81), 'a\nb'])('are refused in words: %j', async (name) => {
    const { status, body } = await save(viewer, name);
    expect(status).toBe(400);
    expect(body.fields.name).toMatch(/name/i);
    expect(await names(viewer)).toEqual([]);
  });
});

it('what no screen shows is refused, and nothing kept', async () => {
  for (const state of [{ segment: 7 }, { status: 'archived' }, { columns: [] }, { riskFrom: 101 }]) {
    expect((await save(viewer, 'Kent', { state })).status).toBe(400);
  }
  const view = await saved(viewer, 'Kent');
  expect((await change(viewer, view, {})).status).toBe(400);
  expect((await list(viewer)).items).toEqual([view]);
});

it('a person has a hundred views, however many are saved at once', async () => {
  await test.database.asTenant(owner.workspaceId, (tx) =>
    sql`
      insert into saved_views (workspace_id, screen, owner_id, name, state)
      select ${owner.workspaceId}::bigint, 'contacts', ${Number(viewer.userId)}::bigint, 'View ' || n, '{}'::jsonb
      from generate_series(1, ${mostViews - 1}::int) n`.execute(tx),
  );
  const answers = await Promise.all([1, 2, 3, 4].map((n) => save(viewer, `At once ${n}`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  expect((await list(viewer)).items).toHaveLength(mostViews);
  await saved(editor, 'Still room for others');
});

describe('own choices', () => {
  it('are kept for one person, one at a time', async () => {
    const view = await saved(viewer, 'Kent', { isDefault: true });
    expect((await choose(viewer, { columns: ['risk', 'address', 'risk'] })).body).toEqual({
      ...{ defaultId: view.id, columns: ['risk'] },
    });
    expect((await choose(viewer, { defaultId: null })).body).toEqual({ defaultId: null, columns: ['risk'] });
    expect(await list(editor)).toMatchObject({ defaultId: null, columns: null });
    expect((await choose(viewer, { columns: null })).body.columns).toBeNull();
  });

  it('take no view that one cannot see', async () => {
    const theirs = await saved(editor, 'Kent');
    expect((await choose(viewer, { defaultId: theirs.id })).status).toBe(404);
    await change(editor, theirs, { shared: true });
    expect((await choose(viewer, { defaultId: theirs.id })).body.defaultId).toBe(theirs.id);
    await change(editor, theirs, { shared: false });
    expect((await list(viewer)).defaultId).toBeNull();
  });
});

it('another workspace has no such view', async () => {
  const view = await saved(owner, 'Kent', { shared: true });
  const gone = await saved(owner, 'Gone', { shared: true });
  await remove(owner, gone);
  for (const { status } of [
    await change(stranger, view, { name: 'Mine' }),
    await remove(stranger, view),
    await restore(stranger, gone),
    await choose(stranger, { defaultId: view.id }),
  ]) {
    expect(status).toBe(404);
  }
  expect(await names(owner)).toEqual(['Kent']);
});
