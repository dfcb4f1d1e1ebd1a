import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#platform/shared/contract.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import { mostTemplates, mostVersions, type Template } from '../contract.ts';

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
const news = { name: 'Autumn news', category: 'newsletter', htmlContent: '<p>Hello</p>' };
const write = (who: SignedIn, fields: object = {}) =>
  call(who, 'POST', '/api/templates', { ...news, ...fields });
const written = async (who: SignedIn, fields: object = {}): Promise<Template> => {
  const { status, body } = await write(who, fields);
  expect(status, JSON.stringify(body)).toBe(201);
  const { problems: _problems, warnings: _warnings, ...stored } = body;
  return stored;
};
const at = ({ id }: Template, more = '') => `/api/templates/${id}${more}`;
const change = (who: SignedIn, one: Template, body: object) => call(who, 'PATCH', at(one), body);
const remove = (who: SignedIn, one: Template) => call(who, 'DELETE', at(one));
const restore = (who: SignedIn, one: Template) => call(who, 'POST', at(one, '/restore'));
const list = async (who: SignedIn, query = '') => (await call(who, 'GET', `/api/templates${query}`)).body;
const names = async (who: SignedIn, query = '') =>
  (await list(who, query)).items.map(({ name }: Template) => name);
const goBack = (who: SignedIn, one: Template, version: number, body: object = {}) =>
  call(who, 'POST', at(one, `/versions/${version}/restore`), body);
const versions = async (who: SignedIn, one: Template) =>
  (await call(who, 'GET', at(one, '/versions'))).body.items;
const audited = async ({ id }: Template) => {
  const { rows } = await test.database.asTenant(owner.workspaceId, (tx) =>
    sql<{ action: string; details: object }>`
      select action, details from audit_log where subject = ${`template:${id}`} order by id`.execute(tx),
  );
  return rows;
};
const isThere = async () =>
  (await sql`select 1 from template_versions`.execute(test.owner.system)).rows.length;

describe('a template', () => {
  it('is created with what the form sends, and read again', async () => {
    const made = await written(editor, { description: ' Twice a year ', textContent: 'Hello' });
    expect(made).toEqual({
      id: made.id,
      name: 'Autumn news',
      description: 'Twice a year',
      category: 'newsletter',
      mode: 'html',
      mjml: null,
      document: null,
      htmlContent: '<p>Hello</p>',
      textContent: 'Hello',
      usageCount: 0,
      version: 1,
      createdAt: made.createdAt,
      updatedAt: made.updatedAt,
      updatedBy: 'Tom Reed',
    });
    expect((await call(viewer, 'GET', at(made))).body).toEqual(made);
    expect(await list(viewer)).toEqual({ items: [made], totalCount: 1, nextCursor: null });
    const blank = await written(editor, { description: '', textContent: ' ' });
    expect(blank).toMatchObject({ description: null, textContent: null });
    expect(await audited(made)).toEqual([{ action: 'template.created', details: { name: 'Autumn news' } }]);
  });

  it.each([
    ['name', { name: '' }, 'Template name is required'],
    ['name', { name: undefined }, 'Template name is required'],
    ['name', { name: ' \n' }, 'Template name is required'],
    ['name', { name: 'x'.repeat(121) }, 'The name of a template has at most 120 characters.'],
    ['name', { name: 'one\ntwo' }, 'A name is one line of plain text.'],
    ['category', { category: undefined }, 'Category is required'],
    ['category', { category: '' }, 'Category is required'],
    ['htmlContent', { htmlContent: undefined }, 'HTML content is required'],
    ['htmlContent', { htmlContent: ' ' }, 'HTML content is required'],
    ['htmlContent', { htmlContent: 'é'.repeat(500_001) }, /^The HTML is larger than 1 MB\./],
    ['textContent', { textContent: 'x'.repeat(200_001) }, 'The text version is larger than 200 kB.'],
    ['category', { category: 'spam' }, /“newsletter”.* or “custom”/],
    ['htmlContent', { name: '', htmlContent: undefined }, 'HTML content is required'],
    ['htmlContent', { mode: 'word', htmlContent: undefined }, 'HTML content is required'],
  ])('is refused with a sentence at its %s: %j', async (field, wrong, message) => {
    const { status, body } = await write(editor, wrong);
    expect(status).toBe(400);
    expect(body.fields[field]).toMatch(message instanceof RegExp ? message : new RegExp(`^${message}$`));
    expect(await names(owner)).toEqual([]);
  });

  it('takes a megabyte of HTML, also where it doubles on the way', async () => {
    const htmlContent = '"'.repeat(1_000_000);
    expect((await written(editor, { htmlContent })).htmlContent).toHaveLength(1_000_000);
    expect((await write(editor, { htmlContent: 'x'.repeat(5_000_000) })).status).toBe(413);
  });

  it('is changed part by part, and each change is a version', async () => {
    const made = await written(editor);
    const { body } = await change(owner, made, { category: 'custom', textContent: 'Hi', version: 1 });
    expect(body).toMatchObject({ ...news, category: 'custom', textContent: 'Hi', version: 2 });
    expect(body.updatedBy).toBe('Priya Shah');
    expect((await change(owner, made, { name: 'Winter news', version: 2 })).body.version).toBe(3);
    // Nothing else than it was: no version.
    expect((await change(owner, made, { name: 'Winter news', version: 1 })).body.version).toBe(3);
    expect((await change(owner, made, {})).status).toBe(400);
    expect((await change(owner, made, { mode: 'visual' })).status).toBe(400);
    expect((await audited(made)).map(({ action, details }) => [action, details])).toEqual([
      ['template.created', { name: 'Autumn news' }],
      ['template.changed', { name: 'Autumn news', changedFields: ['category', 'text version'], version: 2 }],
      [
        'template.changed',
        { name: { from: 'Autumn news', to: 'Winter news' }, changedFields: [], version: 3 },
      ],
    ]);
  });

  it('is not overwritten by who has not seen what another made of it', async () => {
    const made = await written(owner);
    const theirs = await change(editor, made, { htmlContent: '<p>Theirs</p>', version: 1 });
    expect(theirs.status).toBe(200);
    const refused = await change(owner, made, { htmlContent: '<p>Mine</p>', version: 1 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
    expect(refused.body.message).toBe(
      'Tom Reed has changed “Autumn news” since you opened it. Nothing was saved yet.',
    );
    expect((await call(owner, 'GET', at(made))).body.htmlContent).toBe('<p>Theirs</p>');
    const again = await change(editor, made, { name: 'Other', version: 1 });
    expect(again.body.message).toMatch(/^You have changed “Autumn news” in another window/);
    // Programs that send no version are let through.
    expect((await change(owner, made, { htmlContent: '<p>Mine</p>' })).body.version).toBe(3);
  });

  it('is saved by one of two who save at the same moment', async () => {
    const made = await written(owner);
    const answers = await Promise.all([
      change(owner, made, { htmlContent: '<p>Mine</p>', version: 1 }),
      change(editor, made, { htmlContent: '<p>Theirs</p>', version: 1 }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await versions(viewer, made)).toHaveLength(2);
  });

  it('is duplicated with another name, also where that is full', async () => {
    const made = await written(owner, { description: 'Twice', textContent: 'Hello', name: '🍂'.repeat(60) });
    const { status, body } = await call(editor, 'POST', at(made, '/duplicate'));
    expect(status).toBe(201);
    expect(body).toMatchObject({ description: 'Twice', textContent: 'Hello', version: 1, usageCount: 0 });
    expect(body.name).toBe(`${'🍂'.repeat(60)} (copy)`);
    const full = await written(owner, { name: 'x'.repeat(120) });
    expect((await call(editor, 'POST', at(full, '/duplicate'))).body.name).toBe(`${'x'.repeat(113)} (copy)`);
    expect((await audited(body))[0]).toMatchObject({
      action: 'template.created',
      details: { copyOf: made.id },
    });
  });

  it('is deleted, and brought back as it was within 30 days', async () => {
    const made = await written(editor);
    const kept = await written(editor, { name: 'Kept' });
    expect((await remove(editor, made)).body).toEqual({ deleted: 1 });
    for (const { status } of [
      await remove(editor, made),
      await call(editor, 'GET', at(made)),
      await change(editor, made, { name: 'Other' }),
      await call(editor, 'GET', at(made, '/versions')),
      await call(editor, 'POST', at(made, '/duplicate')),
      await goBack(editor, made, 1),
    ])
      expect(status).toBe(404);
    expect(await names(viewer)).toEqual(['Kept']);
    expect((await restore(owner, made)).body).toEqual(made);
    expect((await restore(owner, made)).body).toEqual(made);
    const did = (await audited(made)).map(({ action }) => action);
    expect(did).toEqual(['template.created', 'template.deleted', 'template.brought_back']);

    await remove(editor, made);
    const age = (days: number) =>
      sql`update templates set deleted_at = now() - make_interval(days => ${days}) where id = ${made.id}`.execute(
        test.owner.system,
      );
    await age(29);
    await test.nightly();
    expect((await restore(owner, made)).status).toBe(200);
    await remove(editor, made);
    await age(31);
    const before = await isThere();
    await test.nightly();
    expect((await restore(owner, made)).status).toBe(404);
    expect(await isThere()).toBe(before - 1);
    expect((await call(viewer, 'GET', at(kept))).status).toBe(200);
  });
});

describe('the versions of a template', () => {
  it('say who saved what and when, and one can go back to each', async () => {
    const made = await written(editor);
    await change(owner, made, { name: 'Winter news', htmlContent: '<p>Brr</p>', textContent: 'Brr' });
    expect(await versions(viewer, made)).toMatchObject([
      { version: 2, name: 'Winter news', isCurrent: true, savedBy: 'Priya Shah', htmlBytes: 10 },
      { version: 1, name: 'Autumn news', isCurrent: false, savedBy: 'Tom Reed', restoredFrom: null },
    ]);
    expect((await call(viewer, 'GET', at(made, '/versions/1'))).body).toEqual(made);
    const back = await goBack(editor, made, 1, { version: 2 });
    expect(back.body).toMatchObject({ ...news, textContent: null, version: 3, updatedBy: 'Tom Reed' });
    expect((await versions(viewer, made))[0]).toMatchObject({ version: 3, restoredFrom: 1 });
    // The current version is what it is already.
    expect((await goBack(editor, made, 3)).body.version).toBe(3);
    expect((await audited(made)).at(-1)).toEqual({
      action: 'template.version_restored',
      details: { name: 'Autumn news', version: 1 },
    });
    const refused = await goBack(owner, made, 2, { version: 2 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
    for (const version of [9, 2_147_483_647]) {
      expect((await goBack(editor, made, version)).status).toBe(404);
      expect((await call(viewer, 'GET', at(made, `/versions/${version}`))).status).toBe(404);
    }
  });

  it('are kept up to the newest hundred', async () => {
    const made = await written(editor);
    for (let n = 0; n <= mostVersions; n++) await change(editor, made, { htmlContent: `<p>${n}</p>` });
    const kept = await versions(viewer, made);
    expect(kept).toHaveLength(mostVersions);
    expect([kept[0].version, kept.at(-1).version]).toEqual([mostVersions + 2, 3]);
    expect((await goBack(editor, made, 2)).status).toBe(404);
  });
});

describe('the list', () => {
  it('is searched in names and descriptions, and narrowed to a category', async () => {
    await written(editor, { name: '100% Wool', description: 'For knitters' });
    await written(editor, { name: 'Sale', category: 'promotional' });
    await written(editor, { name: 'Straße' });
    expect(await names(viewer)).toEqual(['Straße', 'Sale', '100% Wool']);
    expect(await names(viewer, '?search=KNIT')).toEqual(['100% Wool']);
    expect(await names(viewer, '?search=%25')).toEqual(['100% Wool']);
    expect(await names(viewer, '?search=_')).toEqual([]);
    expect(await names(viewer, '?category=promotional')).toEqual(['Sale']);
    expect(await list(viewer, '?category=promotional&search=wool')).toMatchObject({ totalCount: 0 });
    expect((await call(viewer, 'GET', '/api/templates?category=spam')).status).toBe(400);
  });

  it('comes in pages by number and by cursor, with or without content', async () => {
    for (const name of ['A', 'B', 'C']) await written(editor, { name });
    const first = await list(viewer, '?limit=2&content=false');
    expect(first.items.map(({ name }: Template) => name)).toEqual(['C', 'B']);
    expect(first.items[0]).not.toHaveProperty('htmlContent');
    await written(editor, { name: 'D' });
    const cursor = encodeURIComponent(first.nextCursor);
    expect(await list(viewer, `?limit=2&cursor=${cursor}`)).toMatchObject({
      items: [{ name: 'A', htmlContent: '<p>Hello</p>' }],
      nextCursor: null,
    });
    expect(await names(viewer, '?limit=3&page=2')).toEqual(['A']);
    expect((await call(viewer, 'GET', `/api/templates?search=a&cursor=${cursor}`)).status).toBe(400);
    expect((await call(viewer, 'GET', '/api/templates?limit=21')).body.fields.limit).toContain(
      'content=false',
    );
    expect((await call(viewer, 'GET', '/api/templates?limit=100&content=false')).status).toBe(200);
  });

  it('ends at a thousand templates', async () => {
    await test.database.asTenant(owner.workspaceId, (tx) =>
      sql`
        with made as (
          insert into templates (workspace_id)
          select ${owner.workspaceId}::bigint from generate_series(1, ${mostTemplates - 1}::int) returning id)
        insert into template_versions (workspace_id, template_id, version, name, category, html_content, saved_by)
        select ${owner.workspaceId}::bigint, id, 1, 'One of many', 'custom', '<p></p>', ${Number(owner.userId)}::bigint
        from made`.execute(tx),
    );
    const last = await written(editor, { name: 'Last' });
    const refused = await write(editor);
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(refused.body.message).toBe('A workspace has at most 1,000 templates. Delete one first.');
    await remove(editor, last);
    await written(editor);
    expect((await restore(editor, last)).status).toBe(409);
  });
});

describe('a template as a page', () => {
  const show = (who: SignedIn, one: Template, query = '') =>
    test.app.inject({ url: at(one, `/page${query}`), headers: { cookie: who.cookie } });

  it('stands under a policy in which nothing runs, and only our own pages may frame it', async () => {
    const htmlContent =
      '<!DOCTYPE html><html lang="en"><body onload="alert(1)"><script>alert(1)</script>Hello';
    const made = await written(editor, { htmlContent });
    const { statusCode, headers, body } = await show(viewer, made);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining(['sandbox', "default-src 'none'", "frame-ancestors 'self'"]),
    );
    expect(policy.join()).not.toMatch(/script-src|allow-/);
    expect(body).toMatch(/^<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy"/);
    expect(body).toContain('Hello');
  });

  it('is that of the version asked for, which a browser may keep', async () => {
    const made = await written(editor);
    await change(editor, made, { htmlContent: '<p>Later</p>' });
    expect((await show(viewer, made)).body).toContain('Later');
    const first = await show(viewer, made, '?version=1');
    expect(first.body).toContain('<p>Hello</p>');
    expect(first.headers['cache-control']).toContain('max-age');
    expect((await show(viewer, made, '?version=3')).statusCode).toBe(404);
    expect((await show(stranger, made)).statusCode).toBe(404);
  });
});

it('viewers read and do not write', async () => {
  const made = await written(editor);
  for (const { status, body } of [
    await write(viewer),
    await change(viewer, made, { name: 'Mine' }),
    await remove(viewer, made),
    await restore(viewer, made),
    await call(viewer, 'POST', at(made, '/duplicate')),
    await goBack(viewer, made, 1),
  ]) {
    expect(status).toBe(403);
    expect(body.message).toContain('editor');
  }
  expect(await names(viewer)).toEqual(['Autumn news']);
});

it('a key writes in its own name', async () => {
  const scopes = ['templates:read', 'templates:write'];
  const { body } = await call(owner, 'POST', '/api/keys', { name: 'Shop', scopes });
  const headers = { authorization: `Bearer ${body.key}` };
  const answer = await test.app.inject({ method: 'POST', url: '/api/templates', headers, payload: news });
  expect(answer.json().updatedBy).toContain('Shop');
});

it('another workspace has no such template', async () => {
  const made = await written(owner);
  await change(owner, made, { name: 'Winter news' });
  const gone = await written(owner);
  await remove(owner, gone);
  for (const { status } of [
    await call(stranger, 'GET', at(made)),
    await change(stranger, made, { name: 'Mine' }),
    await remove(stranger, made),
    await restore(stranger, gone),
    await call(stranger, 'POST', at(made, '/duplicate')),
    await call(stranger, 'GET', at(made, '/versions')),
    await call(stranger, 'GET', at(made, '/versions/1')),
    await goBack(stranger, made, 1),
  ])
    expect(status).toBe(404);
  expect(await list(stranger)).toMatchObject({ items: [], totalCount: 0 });
  expect(await names(owner)).toEqual(['Winter news']);
});
