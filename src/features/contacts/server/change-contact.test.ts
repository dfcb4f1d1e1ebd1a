import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkBooks } from '#features/rollups/server/index.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';

let app: TestApp;
let person: SignedIn;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  person = await signUp(app.app, { name: 'Hannah Pine' });
});
afterEach(async () => {
  const { workspaceId } = person;
  expect(await app.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
});

type Method = 'GET' | 'POST' | 'PATCH';
async function call(method: Method, url: string, payload?: object, by: SignedIn = person) {
  const answer = await app.app.inject({
    method,
    url,
    headers: { cookie: by.cookie },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json() };
}
const get = async (url: string) => (await call('GET', url)).body;
async function add(email = 'jo@acme.co.uk', more: object = {}): Promise<number> {
  return (await call('POST', '/api/emails', { email, ...more })).body.id;
}
const change = (id: number, body: object, by?: SignedIn) => call('PATCH', `/api/emails/${id}`, body, by);
const linesAbout = async (id: number) =>
  (await get(`/api/audit?subject=contact:${id}`)).items.filter(
    ({ action }: { action: string }) => action === 'contact.changed',
  );

describe('changing a contact', () => {
  it('changes what is named and leaves the rest', async () => {
    const id = await add('jo@acme.co.uk', { name: 'Jane Smith', notes: 'met in York' });
    const before = await get(`/api/emails/${id}`);
    const steps: [object, object][] = [
      [{ lastName: ' Jones ' }, { name: 'Jane Jones', lastName: 'Jones' }],
      [{ attributes: { phone: '0113', town: 'Leeds' } }, { attributes: { phone: '0113', town: 'Leeds' } }],
      [{ attributes: { phone: null, fax: '1' } }, { attributes: { town: 'Leeds', fax: '1' } }],
      [{ notes: 'two\nlines' }, { notes: 'two\nlines' }],
      [{ notes: '' }, { notes: null }],
      [{ name: 'Acme Ltd' }, { name: 'Acme Ltd', firstName: null, lastName: null }],
      [
        { firstName: 'Jo', attributes: { town: null, fax: '' } },
        { firstName: 'Jo', attributes: {} },
      ],
      [
        { name: null, firstName: null },
        { name: null, firstName: null },
      ],
    ];
    let shown = before;
    for (const [body, after] of steps) {
      const answer = await change(id, body);
      shown = { ...shown, ...after };
      expect(answer).toEqual({ status: 200, body: shown });
      expect(await get(`/api/emails/${id}`)).toEqual(shown);
    }
  });

  it('leaves a line in the audit log without the values, one on the dashboard, and one event each', async () => {
    const id = await add();
    await change(id, { firstName: 'Jane', lastName: 'Smith', attributes: { phone: '0113' } });
    await change(id, { notes: 'a secret' });
    const lines = await linesAbout(id);
    expect(lines.map(({ details }: { details: object }) => details)).toEqual([
      { email: 'jo@acme.co.uk', fields: ['notes'] },
      { email: 'jo@acme.co.uk', fields: ['name', 'firstName', 'lastName', 'attributes.phone'] },
    ]);
    expect(JSON.stringify(await get('/api/audit'))).not.toMatch(/secret|0113|Smith/);
    const activities = (await get('/api/activities')).filter(
      ({ action }: { action: string }) => action === 'Email Changed',
    );
    expect(activities).toEqual([
      expect.objectContaining({ details: 'jo@acme.co.uk: notes', status: 'completed' }),
    ]);
    const { items } = await get(`/api/emails/${id}/timeline`);
    expect(items.filter(({ kind }: { kind: string }) => kind === 'changed')).toEqual([
      expect.objectContaining({
        fields: ['name', 'firstName', 'lastName', 'attributes.phone', 'notes'],
        by: 'Hannah Pine',
      }),
    ]);
  });

  it('offers the extra fields that it gave as columns', async () => {
    const id = await add();
    await change(id, { attributes: { town: 'York', fax: '1' } });
    await change(id, { attributes: { town: null } });
    expect((await get('/api/emails/fields')).items).toEqual(['fax', 'town']);
    const stranger = await signUp(app.app);
    expect((await call('GET', '/api/emails/fields', undefined, stranger)).body.items).toEqual([]);
  });

  it('leaves no trace when nothing differs', async () => {
    const id = await add('jo@acme.co.uk', { name: 'Jane Smith', notes: 'n' });
    for (const body of [
      { name: ' Jane  Smith ', firstName: 'Jane', notes: 'n', attributes: {} },
      { attributes: { phone: null } },
      { lastName: 'Smith', expected: { notes: 'something else' } },
    ])
      expect((await change(id, body)).status).toBe(200);
    expect(await linesAbout(id)).toEqual([]);
    const { workspaceId } = person;
    const { rows } = await app.database.asTenant(workspaceId, (tx) =>
      sql`select changed_at from contacts where workspace_id = ${workspaceId} and id = ${id}`.execute(tx),
    );
    expect(rows).toEqual([{ changed_at: null }]);
  });

  it.each<[string, object, string]>([
    ['nothing', {}, ''],
    ['only what was seen', { expected: { notes: 'n' } }, ''],
    ['an unknown field', { email: 'x@y.uk' }, ''],
    ['a first name that is too long', { firstName: 'x'.repeat(201) }, 'firstName'],
    ['notes that are too long', { notes: 'x'.repeat(10_001) }, 'notes'],
    ['a value that is too long', { attributes: { phone: 'x'.repeat(10_001) } }, 'attributes.phone'],
    ['a value that is no text', { attributes: { phone: 5 } }, 'attributes.phone'],
    ['a name of an extra field that is too long', { attributes: { ['x'.repeat(101)]: '1' } }, ''],
    ['a name of a field that every contact has', { attributes: { email: '1' } }, 'attributes'],
    ['a name with a blank at its end', { attributes: { 'phone ': '1' } }, 'attributes'],
    ['NUL', { notes: 'a\0b' }, ''],
    ['NUL in an extra field', { attributes: { phone: 'a\0b' } }, ''],
    ['half a pair in a value', { attributes: { a: 'b\udc00' } }, 'attributes.a'],
    ['half a pair in a name', { attributes: { 'a\ud800': 'b' } }, ''],
  ])('refuses %s', async (_what, body, field) => {
    const id = await add();
    const before = await get(`/api/emails/${id}`);
    const answer = await change(id, body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.any(String)]);
    if (field !== '') expect(answer.body.fields[field]).toEqual(expect.any(String));
    expect(await get(`/api/emails/${id}`)).toEqual(before);
    expect(await linesAbout(id)).toEqual([]);
  });

  it('refuses a change when a field is not as it was seen, and only then', async () => {
    const id = await add('jo@acme.co.uk', { name: 'Jane Smith', notes: 'first' });
    await change(id, { notes: 'second', attributes: { phone: '1' } });
    const refused = await change(id, { notes: 'third', expected: { notes: 'first' } });
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'changed_meanwhile', fields: { notes: expect.any(String) } },
    });
    expect(
      (await change(id, { attributes: { phone: null }, expected: { attributes: { phone: '2' } } })).status,
    ).toBe(409);
    expect(
      (await change(id, { attributes: { fax: '1' }, expected: { attributes: { phone: null } } })).status,
    ).toBe(409);
    expect(await get(`/api/emails/${id}`)).toMatchObject({ notes: 'second', attributes: { phone: '1' } });
    // Somebody else's change of another field does not matter.
    const taken = await change(id, { firstName: 'Janet', expected: { firstName: 'Jane' } });
    expect([taken.status, taken.body.name]).toEqual([200, 'Janet Smith']);
  });

  it('loses nothing of changes that come at once', async () => {
    const id = await add('jo@acme.co.uk', { name: 'Jane Smith' });
    const names = Array.from({ length: 12 }, (_, index) => `field ${index}`);
    const answers = await Promise.all([
      ...names.map((name) => change(id, { attributes: { [name]: name } })),
      change(id, { firstName: 'Janet' }),
      change(id, { lastName: 'Jones' }),
      change(id, { notes: 'noted' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await get(`/api/emails/${id}`)).toMatchObject({
      name: 'Janet Jones',
      notes: 'noted',
      attributes: Object.fromEntries(names.map((name) => [name, name])),
    });
    // Several people saw the same text. The change of one is taken, and the others are told.
    const rivals = await Promise.all(
      names.map((name) => change(id, { notes: name, expected: { notes: 'noted' } })),
    );
    expect(rivals.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(rivals.filter(({ status }) => status === 409)).toHaveLength(names.length - 1);
  });

  it('is for editors of the workspace alone', async () => {
    const id = await add();
    const viewer = await signUpMember(app.app, app.database, {
      workspaceId: person.workspaceId,
      role: 'viewer',
    });
    expect((await change(id, { notes: 'n' }, viewer)).status).toBe(403);
    const stranger = await signUp(app.app);
    expect((await change(id, { notes: 'n' }, stranger)).status).toBe(404);
    expect((await change(999_999_999, { notes: 'n' })).status).toBe(404);
    expect((await get(`/api/emails/${id}`)).notes).toBeNull();
  });

  it('keeps an imported contact when its import is undone', async () => {
    const csv = 'email,name\njo@acme.co.uk,Jane Smith\nann@acme.co.uk,Ann Ash\n';
    const imported = (await importCsv(app.app, person.cookie, csv)).json();
    const { emails } = await get('/api/emails?search=jo@');
    await change(emails[0].id, { notes: 'n' });
    expect((await call('POST', `/api/imports/${imported.id}/undo`)).status).toBe(200);
    expect((await get('/api/emails')).emails).toEqual([
      expect.objectContaining({ address: 'jo@acme.co.uk', notes: 'n' }),
    ]);
  });

  it('is told of a contact of a file as well, beside its import', async () => {
    await importCsv(app.app, person.cookie, 'email\njo@acme.co.uk\n', { fileName: 'fair.csv' });
    const [{ id }] = (await get('/api/emails')).emails;
    await change(id, { notes: 'n' });
    const { items } = await get(`/api/emails/${id}/timeline`);
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(['changed', 'added']);
  });
});
