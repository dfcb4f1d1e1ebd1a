import { zstdDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { migrateJobs } from '#platform/server/jobs.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { keyWith } from '#test/support/keys.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';

// A campaign with a design of its own, from the template to the mail.

let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
  await migrateJobs(test.ownerUrl);
  await test.startWork();
});
beforeEach(async () => {
  owner = await signUp(test.app);
  await importCsv(test.app, owner.cookie, 'email,first name\nann@reader.co.uk,Ann\n');
});
afterAll(() => test.close());

// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
async function call(method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, payload?: object): Promise<any> {
  const headers = { cookie: owner.cookie };
  return (await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })).json();
}

const document = {
  version: 1,
  preheader: 'Tea for {{ first_name }}',
  look: {},
  blocks: [
    { id: 'a', type: 'text', html: '<p>See <a href="https://shop.example/tea?a=1#top">the tea</a></p>' },
    { id: 'b', type: 'footer' },
  ],
};
const utm = { source: 'news', medium: 'email', campaign: 'tea' };
const template = (fields: object) =>
  call('POST', '/api/templates', { name: 'Tea', category: 'newsletter', ...fields });
const begunWith = async (fields: object) =>
  call('POST', '/api/campaigns', {
    name: 'Tea',
    subject: 'Tea',
    templateId: (await template(fields)).id,
  });

describe('a design of its own', () => {
  it('is a copy of a template, which is changed without the template', async () => {
    const campaign = await begunWith({ document });
    expect(campaign).toMatchObject({
      template: 'custom',
      mjml: null,
      document: { preheader: document.preheader },
    });
    const changed = { ...campaign.document, preheader: undefined };
    changed.blocks[0].html = '<p>Coffee</p>';
    const after = await call('PUT', `/api/campaigns/${campaign.id}`, { document: changed });
    expect(after.content).toContain('Coffee');
    expect(after.preheader).toBe('');
    const stored = await call('GET', `/api/templates/${campaign.templateId}`);
    expect(stored.htmlContent).toContain('the tea');
    // Content that is sent alone is made from nothing.
    const plain = await call('PUT', `/api/campaigns/${campaign.id}`, {
      content: 'Hello',
      template: 'simple',
    });
    expect(plain).toMatchObject({ document: null, mjml: null, template: 'simple' });
  });

  it('may be MJML, and refuses what cannot be made into HTML', async () => {
    const mjml = '<mjml><mj-body><mj-raw><p>Tea</p></mj-raw></mj-body></mjml>';
    const { id } = await begunWith({ mjml });
    const after = await call('PUT', `/api/campaigns/${id}`, { mjml: mjml.replace('Tea', 'Coffee') });
    expect(after).toMatchObject({ document: null, mjml: expect.stringContaining('Coffee') });
    expect(after.content).toContain('<p>Coffee</p>');
    expect(await call('PUT', `/api/campaigns/${id}`, { mjml: '<mjml><mj-body>' })).toMatchObject({
      code: 'invalid_input',
    });
    expect(await call('PUT', `/api/campaigns/${id}`, { mjml, content: 'x' })).toMatchObject({
      message: 'Send one of content, document and mjml.',
    });
  });

  it('arrives with its preheader once, with tags on each link, and uncounted where nothing is counted', async () => {
    const { id } = await begunWith({ document });
    await call('PUT', `/api/campaigns/${id}`, { document, utm, trackClicks: false, trackOpens: false });
    await call('POST', `/api/campaigns/${id}/send`);
    await vi.waitFor(
      async () => expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({ sent: 1 }),
      20_000,
    );
    const { rows } = await sql<{ source: Buffer }>`
      select source from outbox_messages where workspace_id = ${owner.workspaceId}`.execute(
      test.owner.system,
    );
    const mail = await PostalMime.parse(zstdDecompressSync(rows[0]?.source ?? Buffer.alloc(0)));
    const html = mail.html ?? '';
    expect(html.split('Tea for Ann')).toHaveLength(2);
    const tagged = 'https://shop.example/tea?a=1&utm_source=news&utm_medium=email&utm_campaign=tea#top';
    expect(html.replaceAll('&amp;', '&')).toContain(`href="${tagged}"`);
    expect(mail.text).toContain(tagged);
    expect(html).not.toMatch(/\/[co]\/[\w-]+"/);
    expect(html).not.toMatch(/\/u\/[\w-]+\?utm/);
  });

  it('goes to the team as a test that counts nothing', async () => {
    const { id } = await begunWith({ document });
    const {
      emails: [ann],
    } = await call('GET', '/api/emails?search=ann@reader.co.uk');
    expect(await call('POST', `/api/campaigns/${id}/test`, { contactId: ann.id })).toEqual({
      sent: 1,
      isKept: true,
    });
    const stranger = await call('POST', `/api/campaigns/${id}/test`, { to: ['ann@reader.co.uk'] });
    expect(stranger.fields.to).toContain('is not a member of this workspace');
    const kept = await vi.waitFor(async () => {
      const { rows } = await sql<{ source: Buffer }>`
        select source from outbox_messages where recipient = ${owner.email}`.execute(test.owner.system);
      expect(rows).toHaveLength(1);
      return rows[0];
    }, 20_000);
    const mail = await PostalMime.parse(zstdDecompressSync(kept?.source ?? Buffer.alloc(0)));
    expect(mail.subject).toBe('[Test] Tea');
    expect(mail.html).toContain('Tea for Ann');
    expect(mail.html).toContain('href="https://shop.example/tea?a=1#top"');
    expect(mail.html).not.toMatch(/\/[co]\/[\w-]{16,}/);
    const link = /\/u\/[\w-]+/.exec(mail.html ?? '')?.[0] ?? '';
    const pressed = await test.app.inject({ method: 'POST', url: link });
    expect([pressed.statusCode, pressed.body]).toEqual([200, expect.stringContaining('This was a test')]);
    expect((await call('GET', '/api/suppressions/emails')).totalCount).toBe(0);
    expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({ status: 'draft', opened: 0 });
  });
});

describe('a change of a draft that somebody has scheduled', () => {
  it('is refused where only a draft is meant, and taken from whoever knows or asks for less', async () => {
    const { id, updatedAt } = await begunWith({ document });
    const put = (body: object) => call('PUT', `/api/campaigns/${id}`, body);
    const saved = await put({ subject: 'Green tea', updatedAt, onlyDraft: true });
    expect(saved).toMatchObject({ status: 'draft', subject: 'Green tea' });
    await call('POST', `/api/campaigns/${id}/schedule`, { sendAt: '2098-06-30T12:00:00Z' });
    const half = { subject: 'Green tea from the sl', updatedAt: saved.updatedAt };
    expect(await put({ ...half, onlyDraft: true })).toMatchObject({ code: 'campaign_scheduled' });
    expect(await put({ ...half, updatedAt: undefined, onlyDraft: true })).toMatchObject({
      code: 'campaign_scheduled',
    });
    expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({
      ...{ status: 'scheduled', subject: 'Green tea', updatedAt: saved.updatedAt },
    });
    expect(await put({ ...half, onlyDraft: false })).toMatchObject({
      status: 'scheduled',
      ...half,
      updatedAt: expect.any(String),
    });
    expect(await put({ subject: 'Tea' })).toMatchObject({ status: 'scheduled', subject: 'Tea' });
    await call('POST', `/api/campaigns/${id}/cancel`);
    expect(await put({ subject: 'Oolong', onlyDraft: true })).toMatchObject({ subject: 'Oolong' });
  });
});

describe('a scheduled campaign', () => {
  const needsSender = {
    code: 'forbidden',
    message:
      'This campaign is scheduled, and only somebody who may send can change it. Ask one of them, or have the schedule taken back first.',
  };
  const changes: [string, object][] = [
    ['name', { name: 'Coffee' }],
    ['subject', { subject: 'Coffee' }],
    ['preheader', { preheader: 'Coffee' }],
    ['content', { content: 'Coffee', template: 'simple' }],
    ['design', { document: { ...document, preheader: 'Coffee' } }],
    ['text', { textContent: 'Coffee' }],
    ['sender', { fromAddress: 'ann@coffee.co.uk' }],
    ['address for answers', { replyTo: 'ann@coffee.co.uk' }],
    ['links', { utm }],
    ['counting', { trackOpens: false }],
    ['audience', { audience: { include: [], exclude: [], notMailedDays: 3 } }],
    ['test', { abTest: { differs: 'subject', variants: [{ subject: 'Coffee' }] } }],
    ['spread', { spreadHours: 4 }],
  ];
  const member = (role: 'editor' | 'sender' | 'admin') =>
    signUpMember(test.app, test.database, { workspaceId: owner.workspaceId, role });
  const putAs = async (headers: Record<string, string>, id: number, payload: object) =>
    (await test.app.inject({ method: 'PUT', url: `/api/campaigns/${id}`, headers, payload })).json();
  const putBy = (who: SignedIn, id: number, payload: object) => putAs({ cookie: who.cookie }, id, payload);
  const scheduled = async (): Promise<number> => {
    const { id } = await begunWith({ document });
    await call('POST', `/api/campaigns/${id}/schedule`, { sendAt: '2098-06-30T12:00:00Z' });
    return id;
  };
  it('is changed in nothing by an editor, who may change it again once it is a draft', async () => {
    const id = await scheduled();
    const editor = await member('editor');
    const before = await call('GET', `/api/campaigns/${id}`);
    for (const [what, change] of changes)
      expect([what, await putBy(editor, id, change)]).toEqual([what, expect.objectContaining(needsSender)]);
    // A save by itself is told first that it is no draft.
    expect(await putBy(editor, id, { subject: 'Coffee', onlyDraft: true })).toMatchObject({
      code: 'campaign_scheduled',
    });
    // One whose answer was lost is stored already.
    expect(await putBy(editor, id, { subject: before.subject })).toEqual(before);
    expect(await call('GET', `/api/campaigns/${id}`)).toEqual(before);
    await call('POST', `/api/campaigns/${id}/cancel`);
    for (const [what, change] of changes)
      expect([what, await putBy(editor, id, change)]).toEqual([what, expect.objectContaining({ id })]);
  });

  it('is changed by whoever may send', async () => {
    const id = await scheduled();
    const sender = await member('sender');
    for (const [what, change] of changes) {
      const wanted = [what, expect.objectContaining({ id, status: 'scheduled' })];
      expect([what, await putBy(sender, id, change)]).toEqual(wanted);
    }
  });

  it('is not changed by an editor while it waits for a decision about its time', async () => {
    const id = await scheduled();
    await sql`update campaigns set send_at = now() - interval '3 hours', notice = 'It is late.' where id = ${id}`.execute(
      test.owner.system,
    );
    expect(await putBy(await member('editor'), id, { subject: 'Coffee' })).toMatchObject(needsSender);
  });

  it('is changed by a key with the scope for sending, while the person it acts for may send', async () => {
    const id = await scheduled();
    const admin = await member('admin');
    const writer = await keyWith(test.app, admin, 'campaigns:read', 'campaigns:write');
    expect(await putAs(writer, id, { subject: 'Coffee' })).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('campaigns:send'),
    });
    const sender = await keyWith(test.app, admin, 'campaigns:write', 'campaigns:send');
    expect(await putAs(sender, id, { subject: 'Coffee' })).toMatchObject({ subject: 'Coffee' });
    const give = (role: string) =>
      sql`update members set role = ${role} where workspace_id = ${owner.workspaceId} and user_id = ${admin.userId}`.execute(
        test.owner.system,
      );
    await give('editor');
    expect(await putAs(sender, id, { subject: 'Cocoa' })).toMatchObject({ code: 'forbidden' });
    await give('sender');
    expect(await putAs(sender, id, { subject: 'Cocoa' })).toMatchObject({ subject: 'Cocoa' });
    await call('POST', `/api/campaigns/${id}/cancel`);
    expect(await putAs(writer, id, { subject: 'Oolong' })).toMatchObject({ subject: 'Oolong' });
  });
});

it('a change that is sent again passes, and leaves no trace', async () => {
  const { id, updatedAt } = await begunWith({ document });
  const list = await call('POST', '/api/lists', { name: 'Trade' });
  const change = {
    ...{ name: 'Tea', subject: 'Green tea', textContent: null, fromName: null, utm, document },
    audience: { include: [{ list: list.id }], exclude: [], notMailedDays: 3 },
    abTest: { differs: 'subject', variants: [{ subject: 'Tea?' }], share: 20, decideBy: 'clicks', hours: 4 },
    ...{ updatedAt, onlyDraft: true },
  };
  const put = (body: object) => call('PUT', `/api/campaigns/${id}`, body);
  const lines = async () =>
    (await call('GET', '/api/audit')).items.filter(
      ({ action }: { action: string }) => action === 'campaign.changed',
    );
  const saved = await put(change);
  expect(saved).toMatchObject({ subject: 'Green tea', status: 'draft' });
  expect(saved.updatedAt).not.toBe(updatedAt);
  const told = await lines();
  expect(told).toHaveLength(1);
  expect(await put(change)).toEqual(saved);
  expect(await lines()).toEqual(told);
  // Something newer over it is still refused.
  expect(await put({ ...change, subject: 'Oolong' })).toMatchObject({ code: 'changed_meanwhile' });
  // Whoever hears only now that it was stored hears that it was scheduled, too.
  await call('POST', `/api/campaigns/${id}/schedule`, { sendAt: '2098-06-30T12:00:00Z' });
  expect(await put(change)).toMatchObject({ status: 'scheduled', updatedAt: saved.updatedAt });
});

it('recipients are exported by state, as CSV that no spreadsheet runs', async () => {
  await call('POST', '/api/emails', { email: '=cmd@reader.co.uk' });
  await call('POST', '/api/suppressions/email/manual', { email: 'left@reader.co.uk' });
  const { id } = await begunWith({ document });
  await call('POST', `/api/campaigns/${id}/send`);
  await vi.waitFor(
    async () => expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({ status: 'completed' }),
    20_000,
  );
  const file = async (query = '') => {
    const url = `/api/campaigns/${id}/recipients/export${query}`;
    return (await test.app.inject({ method: 'GET', url, headers: { cookie: owner.cookie } })).body;
  };
  const lines = (await file('?state=sent')).trimEnd().split('\r\n');
  expect(lines[0]).toBe(
    'address,state,why,reply,attempts,handed_at,ended_at,opened_at,clicked_at,left_at,bounced_at,complained_at',
  );
  expect(lines.map((line) => line.split(',')[0]).sort()).toEqual([
    "'=cmd@reader.co.uk",
    'address',
    'ann@reader.co.uk',
  ]);
  expect((await file('?state=failed')).trimEnd().split('\r\n')).toHaveLength(1);
});

it('recipients are shown to keys that may read contacts', async () => {
  const { id } = await begunWith({ document });
  await call('POST', `/api/campaigns/${id}/send`);
  await vi.waitFor(
    async () => expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({ status: 'completed' }),
    20_000,
  );
  const campaigns = await keyWith(test.app, owner, 'campaigns:read');
  const both = await keyWith(test.app, owner, 'campaigns:read', 'contacts:read');
  const get = (what: string, headers: Record<string, string>) =>
    test.app.inject({ url: `/api/campaigns/${id}/${what}`, headers });
  for (const what of ['recipients', 'recipients/export']) {
    const refused = await get(what, campaigns);
    expect([what, refused.statusCode]).toEqual([what, 403]);
    expect(refused.json().message).toContain('contacts:read');
    expect((await get(what, both)).body).toContain('ann@reader.co.uk');
  }
  // Figures name nobody.
  expect((await get('report', campaigns)).statusCode).toBe(200);
});

describe('the list of campaigns', () => {
  it('leaves out every content, and says what is different in variants all the same', async () => {
    const variants = [{ content: 'Coffee '.repeat(1000) }, { subject: 'Cocoa', content: 'Cocoa' }];
    const { id } = await call('POST', '/api/campaigns', {
      ...{ name: 'Drinks', subject: 'Tea', content: 'Tea', template: 'simple' },
      abTest: { differs: 'content', variants },
    });
    const [listed] = await call('GET', '/api/campaigns?limit=1');
    expect(listed).toMatchObject({ id, content: '', abTest: { differs: 'content' } });
    expect(listed.abTest.variants).toEqual([{ content: '' }, { subject: 'Cocoa', content: '' }]);
    const { abTest } = await call('GET', `/api/campaigns/${id}`);
    expect(abTest.variants[1]).toEqual(variants[1]);
  });

  it('is walked in pages, also of a status', async () => {
    const made: number[] = [];
    for (const name of ['Page 1', 'Page 2', 'Page 3'])
      made.push(
        (await call('POST', '/api/campaigns', { name, subject: 'P', content: 'P', template: 'simple' })).id,
      );
    const page = async (more: string) =>
      (await call('GET', `/api/campaigns?search=Page&status=draft&limit=2${more}`)).map(
        ({ id }: { id: number }) => id,
      );
    expect(await page('')).toEqual([made[2], made[1]]);
    expect(await page(`&before=${made[1]}`)).toEqual([made[0]]);
    expect(await call('GET', '/api/campaigns?search=Page&status=scheduled')).toEqual([]);
    expect(await call('GET', '/api/campaigns?search=Page&sent=true')).toEqual([]);
    expect(await call('GET', '/api/campaigns?search=Page&sent=false')).toHaveLength(3);
    expect(await call('GET', '/api/campaigns?limit=5001')).toMatchObject({ code: 'invalid_input' });
  });
});

it('campaigns are found by the days of London on which they leave', async () => {
  const scheduledFor = async (name: string, sendAt: string, spreadHours: number | null) => {
    const body = { name, subject: 'Tea', content: 'Tea', template: 'simple', spreadHours };
    const { id } = await call('POST', '/api/campaigns', body);
    await call('POST', `/api/campaigns/${id}/schedule`, { sendAt });
    return id;
  };
  // The clocks show half past midnight of the next day.
  const night = await scheduledFor('Night', '2098-06-30T23:30:00Z', null);
  const long = await scheduledFor('Long', '2098-06-30T12:00:00Z', 20);
  const draft = await call('POST', '/api/campaigns', {
    name: 'D',
    subject: 'D',
    content: 'D',
    template: 'simple',
  });
  const on = async (from: string, to = from, more = '') =>
    (await call('GET', `/api/campaigns?from=${from}&to=${to}${more}`)).map(({ id }: { id: number }) => id);
  expect(await on('2098-06-30')).toEqual([long]);
  expect(await on('2098-07-01')).toEqual([long, night]);
  expect(await on('2098-07-02', '2098-12-31')).toEqual([]);
  expect(await on('2098-06-01', '2098-07-31', '&search=night')).toEqual([night]);
  const { id: now } = await begunWith({ document });
  await call('POST', `/api/campaigns/${now}/send`);
  await vi.waitFor(
    async () => expect(await call('GET', `/api/campaigns/${now}`)).toMatchObject({ status: 'completed' }),
    20_000,
  );
  const today = new Date();
  const dayBefore = new Date(today.getTime() - 86_400_000).toISOString().slice(0, 10);
  const sent = await on(dayBefore, new Date(today.getTime() + 86_400_000).toISOString().slice(0, 10));
  expect(sent).toEqual([now]);
  const listed = (await call('GET', '/api/campaigns?sent=true')).map(({ id }: { id: number }) => id);
  expect(listed).toEqual(expect.arrayContaining(sent));
  for (const id of [draft.id, night, long]) expect(listed).not.toContain(id);
  expect(await call('GET', '/api/campaigns?from=2098-02-30')).toMatchObject({ code: 'invalid_input' });
});
