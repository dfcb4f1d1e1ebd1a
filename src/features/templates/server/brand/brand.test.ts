import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import { mostBlocksKept } from '../../contract/brand.ts';

let test: TestApp;
let owner: SignedIn;
let viewer: SignedIn;
let stranger: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
});
beforeEach(async () => {
  owner = await signUp(test.app, { name: 'Priya Shah' });
  const { workspaceId } = owner;
  viewer = await signUpMember(test.app, test.database, { workspaceId, role: 'viewer', name: 'Ann Bell' });
  stranger = await signUp(test.app);
});
afterAll(() => test.close());

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
async function call(who: SignedIn, method: Method, url: string, payload?: object) {
  const headers = { cookie: who.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}
const brandAt = '/api/templates/brand';
const blocksAt = '/api/templates/blocks';
const document = (look: object = {}) => ({
  version: 1,
  look,
  blocks: [
    { id: 'b', type: 'button', label: 'Go', href: 'https://a.example' },
    { id: 'f', type: 'footer' },
  ],
});
const made = async (look: object = {}) =>
  (
    await call(owner, 'POST', '/api/templates', {
      name: 'News',
      category: 'custom',
      document: document(look),
    })
  ).body;
const audited = async (action: string) => {
  const { rows } = await test.database.asTenant(owner.workspaceId, (tx) =>
    sql<{ details: object }>`select details from audit_log where action = ${action} order by id`.execute(tx),
  );
  return rows.map(({ details }) => details);
};

it('a brand is what documents take where they say nothing', async () => {
  expect((await call(owner, 'GET', brandAt)).body).toMatchObject({ brand: {}, updatedAt: null });
  expect((await made()).htmlContent).not.toContain('#123456');
  const sender = { company: 'Tea Ltd', postalAddress: '1 Mill Lane, York YO1 1AA' };
  expect((await call(owner, 'PATCH', '/api/settings', { sender })).status).toBe(200);
  const brand = {
    button: '#123456',
    font: 'Georgia',
    corner: 0,
    logo: 'https://a.example/logo.png',
    logoAlt: 'Tea',
  };
  const put = await call(owner, 'PUT', brandAt, brand);
  expect(put).toMatchObject({ status: 200, body: { brand, ...sender } });
  expect((await call(viewer, 'GET', brandAt)).body).toEqual(put.body);
  expect((await call(stranger, 'GET', brandAt)).body.brand).toEqual({});

  const { htmlContent, document: kept } = await made();
  expect(htmlContent).toContain('#123456');
  expect(htmlContent).toContain('Georgia, serif');
  // The document is stored whole, so it stays as it is when the brand changes.
  expect(kept.look).toMatchObject({ button: '#123456', font: 'Georgia', corner: 0, paper: '#ffffff' });
  const own = (await made({ button: '#654321' })).htmlContent;
  expect(own).toContain('#654321');
  expect(own).not.toContain('#123456');
  expect(own).toContain('Georgia, serif');
  const shown = (await call(viewer, 'POST', '/api/templates/preview', { document: document() })).body;
  expect(shown.html).toContain('#123456');

  await call(owner, 'PUT', brandAt, brand);
  await call(owner, 'PUT', brandAt, { ...brand, corner: 3 });
  expect(await audited('template_brand.changed')).toEqual([
    { changedFields: ['buttons', 'font', 'corners', 'logo', 'what the logo shows'] },
    { changedFields: ['corners'] },
  ]);
});

it.each([{ button: 'red' }, { font: 'Comic' }, { corner: 99 }, { colour: '#123456' }])(
  'a brand is refused: %j',
  async (brand) => {
    expect((await call(owner, 'PUT', brandAt, brand)).status).toBe(400);
  },
);

it('is applied to all templates of blocks, each with a version to go back to', async () => {
  const person = await signUp(test.app);
  const logo = (src: string) => ({ id: `logo-${src.length}`, type: 'logo', src, alt: 'Old' });
  const blocks = [
    { id: 'c', type: 'columns', columns: [[logo('https://a.example/old.png')]] },
    { id: 'f', type: 'footer' },
  ];
  const write = async (body: object) =>
    (await call(person, 'POST', '/api/templates', { name: 'News', category: 'custom', ...body })).body.id;
  const ids: number[] = [];
  for (let n = 0; n < 22; n++)
    ids.push(await write({ document: { version: 1, look: { button: '#654321' }, blocks } }));
  const html = await write({ htmlContent: '<p>Hello</p>' });
  const deleted = ids.shift();
  await call(person, 'DELETE', `/api/templates/${deleted}`);
  await call(person, 'PUT', brandAt, {
    button: '#123456',
    logo: 'https://a.example/new.png',
    logoAlt: 'New',
  });
  const apply = async (after?: number) => (await call(person, 'POST', `${brandAt}/apply`, { after })).body;
  expect((await call(viewer, 'POST', `${brandAt}/apply`, {})).status).toBe(403);
  const first = await apply();
  expect(first).toEqual({ changed: 20, unchanged: 0, skipped: 0, next: ids[19] });
  expect(await apply(first.next)).toEqual({ changed: 1, unchanged: 0, skipped: 0, next: null });
  const one = (await call(person, 'GET', `/api/templates/${ids[3]}`)).body;
  expect(one).toMatchObject({
    version: 2,
    document: {
      look: { button: '#123456' },
      blocks: [{ columns: [[{ src: 'https://a.example/new.png', alt: 'New' }]] }, {}],
    },
  });
  expect(one.htmlContent).toContain('https://a.example/new.png');
  expect(one.htmlContent).not.toContain('old.png');
  expect((await call(person, 'GET', `/api/templates/${html}`)).body.version).toBe(1);
  expect(await apply()).toEqual({ changed: 0, unchanged: 20, skipped: 0, next: ids[19] });
  await call(person, 'POST', `/api/templates/${ids[3]}/versions/1/restore`);
  expect((await call(person, 'GET', `/api/templates/${ids[3]}`)).body.document.look.button).toBe('#654321');
  await call(person, 'POST', `/api/templates/${deleted}/restore`);
  expect((await call(person, 'GET', `/api/templates/${deleted}`)).body.version).toBe(1);
});

it('blocks are kept by name, and only by those who write', async () => {
  const block = { id: 'a', type: 'text', html: '<p>Open daily</p>', align: 'left' };
  const two = { id: 'c', type: 'columns', columns: [[block], []], stacks: true };
  const one = (await call(owner, 'POST', blocksAt, { name: ' Opening hours ', block })).body;
  expect(one).toMatchObject({ name: 'Opening hours', block, savedBy: 'Priya Shah' });
  await call(owner, 'POST', blocksAt, { name: 'Address', block: two });
  const { items } = (await call(viewer, 'GET', blocksAt)).body;
  const { block: _, ...summary } = one;
  expect(items).toEqual([expect.objectContaining({ name: 'Address', type: 'columns' }), summary]);
  expect(items[0]).not.toHaveProperty('block');
  expect((await call(viewer, 'GET', `${blocksAt}/${items[0].id}`)).body.block).toEqual(two);
  expect((await call(stranger, 'GET', `${blocksAt}/${one.id}`)).status).toBe(404);
  expect((await call(stranger, 'GET', blocksAt)).body.items).toEqual([]);

  expect((await call(viewer, 'POST', blocksAt, { name: 'x', block })).status).toBe(403);
  expect((await call(viewer, 'PUT', brandAt, {})).status).toBe(403);
  expect((await call(stranger, 'DELETE', `${blocksAt}/${one.id}`)).status).toBe(404);
  for (const wrong of [
    { name: '', block },
    { name: 'x', block: { ...block, type: 'script' } },
    { name: 'x', block: { id: 'a', type: 'html', html: 'x'.repeat(100_001) } },
  ])
    expect((await call(owner, 'POST', blocksAt, wrong)).status).toBe(400);
  expect((await call(owner, 'DELETE', `${blocksAt}/${one.id}`)).body).toEqual({ deleted: 1 });
  expect((await call(owner, 'DELETE', `${blocksAt}/${one.id}`)).status).toBe(404);
  expect(await audited('template_block.kept')).toEqual([{ name: 'Opening hours' }, { name: 'Address' }]);
  expect(await audited('template_block.deleted')).toEqual([{ name: 'Opening hours' }]);
});

it('a workspace keeps at most 200 blocks', async () => {
  await test.database.asTenant(stranger.workspaceId, (tx) =>
    sql`insert into template_blocks (workspace_id, name, block, saved_by)
        select ${stranger.workspaceId}, 'Block ' || n, '{"id":"a","type":"divider"}', 1
        from generate_series(1, ${mostBlocksKept - 1}) n`.execute(tx),
  );
  const body = { name: 'Last', block: { id: 'a', type: 'divider' } };
  const both = await Promise.all([1, 2].map(() => call(stranger, 'POST', blocksAt, body)));
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
});

it('colours the presets, each with the HTML of its document', async () => {
  await call(owner, 'PUT', brandAt, {
    button: '#7a1f5c',
    logo: 'https://a.example/logo.png',
    logoAlt: 'Tea',
  });
  const { items } = (await call(viewer, 'GET', '/api/templates/presets')).body;
  expect(items.length).toBeGreaterThanOrEqual(15);
  for (const { document: shown, htmlContent, textContent } of items) {
    expect(shown.look.button).toBe('#7a1f5c');
    expect(shown.blocks[0].type).toBe('logo');
    expect(htmlContent).toContain('https://a.example/logo.png');
    expect(textContent).toContain('{{ unsubscribe_link }}');
  }
  const theirs = (await call(stranger, 'GET', '/api/templates/presets')).body.items;
  expect(theirs[0].htmlContent).not.toContain('#7a1f5c');
  const { id: _, kind: __, htmlContent: ___, ...first } = items[0];
  const stored = await call(owner, 'POST', '/api/templates', first);
  expect(stored).toMatchObject({ status: 201, body: { mode: 'visual', document: first.document } });
  expect(stored.body.htmlContent).toBe(items[0].htmlContent);
});
