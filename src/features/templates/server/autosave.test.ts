import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#platform/shared/contract.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import { joinMinutes, mostVersions, type Template, type TemplateVersion } from '../contract.ts';
import { countUse } from './queries.ts';

let test: TestApp;
let ann: SignedIn;
let ben: SignedIn;
let stranger: SignedIn;
let one: Template;

beforeAll(async () => {
  test = await openTestApp();
  stranger = await signUp(test.app, { name: 'A Stranger' });
});
afterAll(() => test.close());
/** Each test gets its own workspace, and a template in version 1. */
beforeEach(async () => {
  ann = await signUp(test.app, { name: 'Ann Bell' });
  const { workspaceId } = ann;
  const join = (role: Role, name: string) =>
    signUpMember(test.app, test.database, { workspaceId, role, name });
  ben = await join('editor', 'Ben Reed');
  const made = { name: 'Autumn news', category: 'newsletter', htmlContent: '<p>0</p>' };
  one = (await call(ann, 'POST', '/api/templates', made)).body;
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
async function call(who: SignedIn, method: Method, url: string, payload?: object) {
  const headers = { cookie: who.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}
const at = (more = '') => `/api/templates/${one.id}${more}`;
const html = (text: number | string) => ({ htmlContent: `<p>${text}</p>` });
const change = (who: SignedIn, body: object) => call(who, 'PATCH', at(), body);
const auto = (who: SignedIn, body: object) => change(who, { ...body, autosave: true });
const versions = async (): Promise<TemplateVersion[]> => (await call(ann, 'GET', at('/versions'))).body.items;
const kept = async () => (await versions()).map(({ version }) => version);
const latest = async (who: SignedIn) => (await call(who, 'GET', at('/latest'))).body;
const shown = async (version: number) => (await call(ann, 'GET', at(`/versions/${version}`))).body;
const lines = async () => {
  const { rows } = await test.database.asTenant(ann.workspaceId, (tx) =>
    sql<{ details: { changedFields: string[]; name: unknown } }>`
      select details from audit_log where action = 'template.changed' order by id`.execute(tx),
  );
  return rows.map(({ details: { changedFields, name } }) => [changedFields, name]);
};
/** As if the saves so far had been this long ago. */
const age = (minutes: number) =>
  sql`update template_versions
    set saved_at = saved_at - make_interval(mins => ${minutes}), joins_until = joins_until - make_interval(mins => ${minutes})
    where template_id = ${one.id}`.execute(test.owner.system);

describe('automatic saves of a template', () => {
  it('are one version, which counts up with each of them', async () => {
    for (const n of [1, 2, 3]) expect((await auto(ann, { ...html(n), version: n })).body.version).toBe(n + 1);
    expect(await versions()).toMatchObject([
      { version: 4, isAutomatic: true, isCurrent: true, savedBy: 'Ann Bell' },
      { version: 1, isAutomatic: false },
    ]);
    expect((await call(ben, 'GET', at())).body).toMatchObject({ ...html(3), version: 4 });
    expect((await shown(1)).htmlContent).toBe('<p>0</p>');
  });

  it('refuse everybody who saw an earlier one of them', async () => {
    await auto(ann, { ...html('Ann'), version: 1 });
    // Ben opens it here.
    await auto(ann, { ...html('Ann again'), version: 2 });
    for (const save of [auto, change]) {
      const { status, body } = await save(ben, { ...html('Ben'), version: 2 });
      expect([status, body.code]).toEqual([409, 'changed_meanwhile']);
      expect(body.message).toMatch(/^Ann Bell has changed/);
    }
    const other = await auto(ann, { ...html('Other window'), version: 2 });
    expect(other.body.message).toMatch(/^You have changed “Autumn news” in another window/);
    const back = await call(ben, 'POST', at('/versions/1/restore'), { version: 2 });
    expect(back.body.code).toBe('changed_meanwhile');
    expect((await call(ben, 'GET', at())).body.htmlContent).toBe('<p>Ann again</p>');
  });

  it('begin another version after some minutes, however often somebody saves', async () => {
    await auto(ann, html(1));
    await age(joinMinutes - 1);
    await auto(ann, html(2));
    await age(2);
    await auto(ann, html(3));
    await auto(ann, html(4));
    expect(await kept()).toEqual([5, 3, 1]);
    expect((await shown(3)).htmlContent).toBe('<p>2</p>');
  });

  it('are not joined over what another person, a key or a program saved', async () => {
    await auto(ann, html('Ann'));
    await auto(ben, html('Ben'));
    await auto(ann, html('Ann again'));
    expect(await kept()).toEqual([4, 3, 2, 1]);
    const scopes = ['templates:read', 'templates:write'];
    const { key } = (await call(ann, 'POST', '/api/keys', { name: 'Shop', scopes })).body;
    const headers = { authorization: `Bearer ${key}` };
    const payload = { ...html('Shop'), autosave: true };
    await test.app.inject({ method: 'PATCH', url: at(), headers, payload });
    await auto(ann, html('Ann once more'));
    expect((await versions()).map(({ savedBy }) => savedBy)).toEqual([
      ...['Ann Bell', 'API key Shop', 'Ann Bell', 'Ben Reed', 'Ann Bell', 'Ann Bell'],
    ]);
  });

  it('leave each save alone that somebody asked for', async () => {
    await auto(ann, html(1));
    await change(ann, html(2));
    await auto(ann, html(3));
    await auto(ann, html(4));
    expect((await versions()).map(({ version, isAutomatic }) => [version, isAutomatic])).toEqual([
      [5, true],
      [3, false],
      [2, true],
      [1, false],
    ]);
    // Nothing has changed since: this is the version that somebody asked for.
    expect((await change(ann, { ...html(4), version: 5 })).body.version).toBe(5);
    await auto(ann, html(5));
    expect((await versions()).map(({ version, isAutomatic }) => [version, isAutomatic])).toEqual([
      [6, true],
      [5, false],
      [3, false],
      [2, true],
      [1, false],
    ]);
    // The same again, automatically: no trace.
    expect((await auto(ann, html(5))).body.version).toBe(6);
  });

  it('leave a version alone that was sent as a test, used, copied back or gone back from', async () => {
    await auto(ann, html('tested'));
    const { email } = (await call(ann, 'GET', '/api/team/members')).body[0];
    expect((await call(ann, 'POST', at('/test'), { to: [email] })).status).toBe(200);
    await auto(ann, html('used'));
    await test.database.asTenant(ann.workspaceId, (tx) => countUse(tx, ann.workspaceId, one.id));
    await auto(ann, html('gone back from'));
    await call(ann, 'POST', at('/versions/1/restore'), {});
    await auto(ann, html('later'));
    expect(await kept()).toEqual([6, 5, 4, 3, 2, 1]);
    expect(await shown(5)).toMatchObject(html(0));
    expect((await versions())[1]).toMatchObject({ restoredFrom: 1, isAutomatic: false });
    // What an automatic version held comes back as a version that stays.
    await call(ann, 'POST', at('/versions/4/restore'), {});
    await auto(ann, html('later still'));
    expect((await kept()).slice(0, 2)).toEqual([8, 7]);
  });

  it('are saved one by one where two come at once, and only one of those who saw the same', async () => {
    const two = await Promise.all([ann, ben].map((who) => auto(who, { ...html(who.userId), version: 1 })));
    expect(two.map(({ status }) => status).sort()).toEqual([200, 409]);
    const mine = await Promise.all([1, 2, 3].map((n) => auto(ann, { ...html(`at once ${n}`), version: 2 })));
    expect(mine.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const [saved] = mine.filter(({ status }) => status === 200);
    expect((await call(ben, 'GET', at())).body.htmlContent).toBe(saved?.body.htmlContent);
    // Without a version, all are let through, each over the one before it.
    const before = (await latest(ann)).version;
    const free = await Promise.all([1, 2, 3, 4, 5].map((n) => auto(ann, html(`free ${n}`))));
    expect(free.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await latest(ann)).version).toBe(before + 5);
  });

  it('keep what a test at the same moment has sent', async () => {
    const { email } = (await call(ann, 'GET', '/api/team/members')).body[0];
    const sends = [1, 2, 3].map((n) =>
      call(ann, 'POST', at('/test'), { to: [email], subject: `${one.id} ${n}` }),
    );
    const saves = [1, 2, 3, 4, 5, 6].map((n) => auto(ann, html(`save ${n}`)));
    for (const { status } of await Promise.all([...sends, ...saves])) expect(status).toBe(200);
    await auto(ann, html('later'));
    const { rows } = await sql<{ html: string }>`
      select body_html as html from outbox where subject like ${`[Test] ${one.id} %`}`.execute(
      test.database.system,
    );
    expect(rows).toHaveLength(3);
    const all = await Promise.all((await kept()).map(async (version) => (await shown(version)).htmlContent));
    for (const { html: sent } of rows) expect(all.some((content) => sent.includes(content))).toBe(true);
  });

  it('are found by the number of each of them, in the version that holds them', async () => {
    await auto(ann, html(1));
    await auto(ann, html(2));
    expect(await shown(2)).toMatchObject({ ...html(2), version: 3 });
    const page = (version: number) =>
      test.app.inject({ url: at(`/page?version=${version}`), headers: { cookie: ben.cookie } });
    expect((await page(2)).body).toContain('<p>2</p>');
    expect((await page(2)).headers['cache-control']).toBe('private, no-store');
    expect((await page(3)).headers['cache-control']).toContain('max-age');
    expect((await call(ann, 'GET', at('/versions/4'))).status).toBe(404);
    await change(ann, html(3));
    const back = await call(ann, 'POST', at('/versions/2/restore'), {});
    expect(back.body).toMatchObject({ ...html(2), version: 5 });
    expect((await versions())[0]).toMatchObject({ restoredFrom: 3 });
  });

  it('do not push older versions out', async () => {
    for (let n = 0; n < mostVersions + 5; n++) await auto(ann, html(`typing ${n}`));
    expect(await kept()).toEqual([mostVersions + 6, 1]);
    // A hundred are kept, whatever their numbers are.
    for (let n = 0; n < mostVersions - 1; n++) await change(ann, html(`asked ${n}`));
    const all = await kept();
    expect(all).toHaveLength(mostVersions);
    expect(all.at(-1)).toBe(mostVersions + 6);
    expect((await call(ann, 'GET', at('/versions/1'))).status).toBe(404);
  });

  it('tell the audit log what has changed, once, and every name', async () => {
    await auto(ann, html(1));
    await auto(ann, html(2));
    await auto(ann, { ...html(3), textContent: 'Three', name: 'Winter' });
    await auto(ann, { textContent: 'Four', name: 'Winter news' });
    await change(ann, html(5));
    expect(await lines()).toEqual([
      [['HTML'], 'Autumn news'],
      [['text version'], { from: 'Autumn news', to: 'Winter' }],
      [[], { from: 'Winter', to: 'Winter news' }],
      [['HTML'], 'Winter news'],
    ]);
  });

  it('are documents too, also in another mode', async () => {
    const document = (text: string) => ({
      version: 1,
      blocks: [
        { id: 'a', type: 'text', html: text },
        { id: 'b', type: 'footer' },
      ],
    });
    await auto(ann, { mode: 'visual', document: document('One') });
    const { body } = await auto(ann, { document: document('Two'), version: 2 });
    expect(body).toMatchObject({ mode: 'visual', version: 3 });
    expect(await kept()).toEqual([3, 1]);
    const refused = await auto(ann, { document: { version: 1, blocks: [] } });
    expect(refused.body.message).toMatch(/unsubscribe/);
    expect(await lines()).toEqual([[['way of writing', 'HTML'], 'Autumn news']]);
  });
});

describe('the latest version', () => {
  it('says who saved it, and whether it is your own', async () => {
    expect(await latest(ann)).toEqual({
      version: 1,
      savedAt: one.updatedAt,
      savedBy: 'Ann Bell',
      isYours: true,
    });
    await auto(ben, html(1));
    expect(await latest(ann)).toMatchObject({ version: 2, savedBy: 'Ben Reed', isYours: false });
    expect(await latest(ben)).toMatchObject({ version: 2, isYours: true });
  });

  it('is that of a template of one’s own workspace that is there', async () => {
    expect((await call(stranger, 'GET', at('/latest'))).status).toBe(404);
    await call(ann, 'DELETE', at());
    expect((await call(ann, 'GET', at('/latest'))).status).toBe(404);
  });
});
