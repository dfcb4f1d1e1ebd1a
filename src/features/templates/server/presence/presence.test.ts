import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#platform/shared/contract.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import { hiddenSilentSeconds, silentSeconds } from '../../contract/presence.ts';
import { forgetSilent } from './presence.ts';

let test: TestApp;
let ann: SignedIn;
let ben: SignedIn;
let stranger: SignedIn;
let id: number;

beforeAll(async () => {
  test = await openTestApp();
  stranger = await signUp(test.app, { name: 'A Stranger' });
});
afterAll(() => test.close());
beforeEach(async () => {
  ann = await signUp(test.app, { name: 'Ann Lee' });
  ben = await join('Ben Reed', 'editor');
  id = await made(ann);
});
const join = (name: string, role: Role) =>
  signUpMember(test.app, test.database, { workspaceId: ann.workspaceId, role, name });

async function call(who: SignedIn, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
  const headers = { cookie: who.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}
const made = async (who: SignedIn): Promise<number> =>
  (
    await call(who, 'POST', '/api/templates', {
      name: 'News',
      category: 'custom',
      htmlContent: '<p>0</p>',
    })
  ).body.id;
const at = (window: string, template = id) => `/api/templates/${template}/presence/${window}`;
const windows = { ann: 'annannann1', ben: 'benbenben1' };
const open = (who: SignedIn, window: string, body: object = {}, template = id) =>
  call(who, 'PUT', at(window, template), body);
const others = async (who: SignedIn, window: string) => (await open(who, window)).body.people;
const rows = async (): Promise<number> => {
  const { rows: found } = await sql`
    select 1 from template_presence where workspace_id = ${ann.workspaceId}`.execute(test.owner.system);
  return found.length;
};
/** As if so many seconds had passed. */
const pass = (seconds: number) =>
  sql`update template_presence set expires_at = expires_at - make_interval(secs => ${seconds})
    where workspace_id = ${ann.workspaceId}`.execute(test.owner.system);

describe('who has a template open', () => {
  it('is told to everybody else who has, with the newest version', async () => {
    expect((await open(ann, windows.ann)).body).toEqual({
      people: [],
      ownWindows: 0,
      latest: expect.objectContaining({ version: 1, savedBy: 'Ann Lee', isYours: true }),
    });
    const shown = [{ userId: Number(ann.userId), name: 'Ann Lee', mayWrite: true, isHidden: false }];
    expect((await open(ben, windows.ben)).body).toMatchObject({ people: shown, latest: { isYours: false } });
    const cat = await join('Cat Moss', 'viewer');
    expect(await others(cat, 'catcatcat1')).toMatchObject([{ name: 'Ann Lee' }, { name: 'Ben Reed' }]);
    expect(await others(ann, windows.ann)).toMatchObject([
      { name: 'Ben Reed', mayWrite: true },
      { name: 'Cat Moss', mayWrite: false },
    ]);
  });

  it('counts one’s own other windows, and a person with several once', async () => {
    await open(ann, windows.ann);
    expect((await open(ann, 'annannann2', { isHidden: true })).body).toMatchObject({
      people: [],
      ownWindows: 1,
    });
    expect(await others(ben, windows.ben)).toMatchObject([{ name: 'Ann Lee', isHidden: false }]);
    await open(ann, windows.ann, { isHidden: true });
    expect(await others(ben, windows.ben)).toMatchObject([{ name: 'Ann Lee', isHidden: true }]);
  });

  it('is over when the window closes, or is silent', async () => {
    await open(ann, windows.ann);
    expect(await others(ben, windows.ben)).toHaveLength(1);
    expect((await call(ann, 'DELETE', at(windows.ann))).body).toEqual({ closed: true });
    expect((await call(ann, 'DELETE', at(windows.ann))).body).toEqual({ closed: false });
    expect(await others(ben, windows.ben)).toEqual([]);
    await open(ann, windows.ann);
    await pass(silentSeconds - 5);
    expect(await others(ben, windows.ben)).toHaveLength(1);
    await pass(5);
    expect(await others(ben, windows.ben)).toEqual([]);
    await open(ann, windows.ann, { isHidden: true });
    await pass(hiddenSilentSeconds - 5);
    expect(await others(ben, windows.ben)).toHaveLength(1);
    await pass(5);
    expect(await others(ben, windows.ben)).toEqual([]);
  });

  it('is nobody’s business outside the workspace', async () => {
    await open(ann, windows.ann);
    expect((await open(stranger, 'strange1')).status).toBe(404);
    const theirs = await made(stranger);
    expect((await open(stranger, 'strange1', {}, theirs)).body.people).toEqual([]);
    expect((await call(stranger, 'DELETE', at(windows.ann))).body).toEqual({ closed: false });
    expect(await others(ben, windows.ben)).toHaveLength(1);
    // Nor does somebody close another person's window.
    expect((await call(ben, 'DELETE', at(windows.ann))).body).toEqual({ closed: false });
    expect(await others(ben, windows.ben)).toHaveLength(1);
  });

  it.each([
    ['was removed from the team', sql`delete from members where user_id = `],
    ['was suspended', sql`update users set suspended_at = now() where id = `],
    ['was erased', sql`delete from users where id = `],
  ])('is not somebody who %s', async (_, statement) => {
    await open(ann, windows.ann);
    await open(ben, windows.ben);
    expect(await others(ann, windows.ann)).toHaveLength(1);
    await sql`${statement} ${ben.userId}`.execute(test.owner.system);
    expect(await others(ann, windows.ann)).toEqual([]);
    // Removed from the team, they are at work in their own workspace.
    expect([401, 403, 404]).toContain((await open(ben, windows.ben)).status);
  });

  it('is asked about templates that are there, by people, of windows with plain names', async () => {
    expect((await open(ann, 'A window')).status).toBe(400);
    expect((await open(ann, windows.ann, { isHidden: 'no' })).status).toBe(400);
    await call(ann, 'DELETE', `/api/templates/${id}`);
    expect((await open(ann, windows.ann)).status).toBe(404);
    expect(await rows()).toBe(0);
  });

  it('leaves no rows behind', async () => {
    for (const window of ['annannann1', 'annannann2', 'annannann3']) await open(ann, window);
    await open(ben, windows.ben);
    expect(await rows()).toBe(4);
    await pass(silentSeconds);
    await open(ann, windows.ann);
    expect(await rows()).toBe(2);
    await pass(3 * 3600);
    await test.database.asTenant(ann.workspaceId, (tx) => forgetSilent(tx, ann.workspaceId));
    expect(await rows()).toBe(0);
  });

  it('stays right when all windows speak at once after a pause', async () => {
    const many = Array.from({ length: 12 }, (_, n) => `window${String(n).padStart(4, '0')}`);
    await Promise.all(many.map((window) => open(ann, window)));
    await pass(silentSeconds);
    const answers = await Promise.all(many.map((window) => open(ann, window)));
    expect(answers.map(({ status }) => status)).toEqual(many.map(() => 200));
    expect((await open(ben, windows.ben)).body.people).toHaveLength(1);
    expect((await open(ann, windows.ann)).body.ownWindows).toBe(12);
  });
});
