import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkBooks } from '#features/rollups/server/index.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import { purge } from './purge.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let app: TestApp;
let person: SignedIn;

beforeAll(async () => {
  app = await openTestApp();
  app.tasks.startWork();
});
afterAll(() => app.close());
beforeEach(async () => {
  person = await signUp(app.app, { name: 'Hannah Pine' });
});
afterEach(async () => {
  const { workspaceId } = person;
  expect(await app.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
async function call(
  method: Method,
  url: string,
  payload?: object,
  { by = person, headers = {} }: { by?: SignedIn; headers?: Record<string, string> } = {},
) {
  const answer = await app.app.inject({
    method,
    url,
    headers: { cookie: by.cookie, ...headers },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json() };
}
async function done(method: Method, url: string, payload?: object) {
  const { status, body } = await call(method, url, payload);
  if (status >= 300) throw new Error(`${method} ${url}: ${status} ${JSON.stringify(body)}`);
  return body;
}
const setFields = (body: object) => done('POST', '/api/field-changes', body);
const undo = (id: number) => done('POST', `/api/field-changes/${id}/undo`);
const changes = async () => (await done('GET', '/api/field-changes')).items;
const add = async (email: string, more: object = {}): Promise<number> =>
  (await done('POST', '/api/emails', { email, ...more })).id;
const contactOf = (id: number) => done('GET', `/api/emails/${id}`);
const raw = async <T>(query: ReturnType<typeof sql<T>>) =>
  (await app.database.asTenant(person.workspaceId, (tx) => query.execute(tx))).rows;

const exactly = (contacts: number, filled: number) => ({
  contacts,
  contactsIsEstimate: false,
  filled,
  filledIsEstimate: false,
});

describe('setting a field of many contacts', () => {
  it('changes those named, tells how many, and gives the old values back', async () => {
    const jane = await add('jane@acme.co.uk', { name: 'Jane Smith', notes: 'old' });
    const bob = await add('bob@acme.co.uk', { notes: 'new' });
    const ann = await add('ann@acme.co.uk');
    const before = await Promise.all([jane, bob, ann].map(contactOf));
    const body = { ids: [jane, bob, ann, 999_999], set: { notes: 'new' } };
    expect(await done('POST', '/api/field-changes/preview', body)).toEqual(exactly(3, 1));
    const set = await setFields(body);
    expect(set).toEqual({ changed: 2, leftOut: 0, changeId: expect.any(Number) });
    expect((await Promise.all([jane, bob, ann].map(contactOf))).map(({ notes }) => notes)).toEqual([
      'new',
      'new',
      'new',
    ]);
    expect(await changes()).toEqual([
      expect.objectContaining({
        id: set.changeId,
        what: { set: { notes: 'new' } },
        contacts: 2,
        state: 'done',
      }),
    ]);
    expect(await undo(set.changeId)).toEqual({ undone: 2, leftAsIs: 0 });
    expect(await Promise.all([jane, bob, ann].map(contactOf))).toEqual(before);
    expect(await changes()).toEqual([expect.objectContaining({ state: 'undone', undone: 2 })]);
    expect((await call('POST', `/api/field-changes/${set.changeId}/undo`)).status).toBe(409);
  });

  it('follows a filter, and each name its own contact', async () => {
    await add('a@acme.co.uk', { firstName: 'Ann', lastName: 'Old' });
    await add('b@acme.co.uk', { name: 'Bob' });
    await add('c@shop.co.uk', { name: 'Acme Ltd' });
    await add('d@acme.co.uk', { name: 'Acme Ltd' });
    const { changed } = await setFields({ filter: { domain: 'acme.co.uk' }, set: { lastName: 'Smith' } });
    expect(changed).toBe(3);
    const { emails } = await done('GET', '/api/emails?sort=address');
    expect(emails.map(({ name, lastName }: Record<string, unknown>) => [name, lastName])).toEqual([
      ['Ann Smith', 'Smith'],
      ['Bob', 'Smith'],
      ['Acme Ltd', 'Smith'],
      ['Acme Ltd', null],
    ]);
  });

  it('sets and removes an extra field, only where it is empty if asked', async () => {
    const one = await add('a@acme.co.uk');
    const two = await add('b@acme.co.uk');
    await done('PATCH', `/api/emails/${one}`, { attributes: { Town: 'Leeds', fax: '1' } });
    const body = { filter: {}, set: { attributes: { town: 'York' } }, onlyEmpty: true };
    expect((await setFields(body)).changed).toBe(1);
    expect([(await contactOf(one)).attributes, (await contactOf(two)).attributes]).toEqual([
      { Town: 'Leeds', fax: '1' },
      { town: 'York' },
    ]);
    expect((await done('GET', '/api/emails/fields')).items).toContain('town');
    const cleared = await setFields({ filter: {}, set: { attributes: { town: null } } });
    expect(cleared.changed).toBe(2);
    expect((await contactOf(one)).attributes).toEqual({ fax: '1' });
    await undo(cleared.changeId);
    expect((await contactOf(one)).attributes).toEqual({ Town: 'Leeds', fax: '1' });
  });

  it('reads first and last names from the names that contacts have had all along', async () => {
    const csv = 'email,name\na@acme.co.uk,"Smith, Jane"\nb@acme.co.uk,Acme Ltd\nc@acme.co.uk,Bob\n';
    await importCsv(app.app, person.cookie, csv);
    // As contacts of earlier versions are: with a name alone.
    const { workspaceId } = person;
    await raw(
      sql`update contacts set first_name = null, last_name = null where workspace_id = ${workspaceId}`,
    );
    const body = { filter: {}, splitNames: true };
    expect(await done('POST', '/api/field-changes/preview', body)).toEqual(exactly(3, 0));
    const { changed, changeId } = await setFields(body);
    expect(changed).toBe(1);
    const namesNow = async () =>
      (await done('GET', '/api/emails?sort=address')).emails.map(
        ({ name, firstName, lastName }: Record<string, unknown>) => [name, firstName, lastName],
      );
    const others = [
      ['Acme Ltd', null, null],
      ['Bob', null, null],
    ];
    expect(await namesNow()).toEqual([['Smith, Jane', 'Jane', 'Smith'], ...others]);
    await undo(changeId);
    expect(await namesNow()).toEqual([['Smith, Jane', null, null], ...others]);
  });

  it('leaves alone what was changed since, and what is not there any more', async () => {
    const [a, b, c, d] = await Promise.all(
      ['a', 'b', 'c', 'd'].map((local) => add(`${local}@acme.co.uk`, { notes: 'old', firstName: 'Jo' })),
    );
    const { changeId } = await setFields({ filter: {}, set: { notes: 'new', firstName: 'Jane' } });
    await done('PATCH', `/api/emails/${a}`, { notes: 'mine' });
    await done('PATCH', `/api/emails/${b}`, { notes: 'mine', lastName: 'Ash' });
    await done('DELETE', `/api/emails/${c}`);
    expect(await undo(changeId)).toEqual({ undone: 2, leftAsIs: 2 });
    expect(await contactOf(a as number)).toMatchObject({ notes: 'mine', firstName: 'Jo', name: 'Jo' });
    expect(await contactOf(b as number)).toMatchObject({
      notes: 'mine',
      firstName: 'Jane',
      name: 'Jane Ash',
    });
    expect(await contactOf(d as number)).toMatchObject({ notes: 'old', firstName: 'Jo' });
  });

  it('does not stand between an import and its undo once it was undone itself', async () => {
    const imported = (await importCsv(app.app, person.cookie, 'email\na@acme.co.uk\nb@acme.co.uk\n')).json();
    const [first] = (await done('GET', '/api/emails')).emails;
    await done('PATCH', `/api/emails/${first.id}`, { notes: 'mine' });
    const { changeId } = await setFields({ filter: {}, set: { attributes: { town: 'York' } } });
    await undo(changeId);
    await done('POST', `/api/imports/${imported.id}/undo`);
    expect((await done('GET', '/api/emails')).emails.map(({ id }: { id: number }) => id)).toEqual([first.id]);
  });

  it('keeps an imported contact that was changed when its import is undone', async () => {
    const imported = (await importCsv(app.app, person.cookie, 'email\na@acme.co.uk\n')).json();
    await setFields({ filter: {}, set: { notes: 'n' } });
    await done('POST', `/api/imports/${imported.id}/undo`);
    expect((await done('GET', '/api/emails')).totalCount).toBe(1);
  });

  it('is told in the audit log without the values, on the dashboard and on each timeline', async () => {
    const id = await add('a@acme.co.uk');
    await add('b@acme.co.uk');
    const { changeId } = await setFields({ filter: { domain: 'acme.co.uk' }, set: { notes: 'secret' } });
    const audit = (await done('GET', `/api/audit?subject=field-change:${changeId}`)).items;
    expect(audit).toEqual([
      expect.objectContaining({
        action: 'contacts.changed',
        details: expect.objectContaining({ changed: 2, fields: ['notes'], filter: { domain: 'acme.co.uk' } }),
      }),
    ]);
    expect(JSON.stringify(audit)).not.toContain('secret');
    const [activity] = await done('GET', '/api/activities');
    expect(activity).toMatchObject({ action: 'Emails Changed', details: 'Set notes of 2 contacts' });
    const events = async () =>
      (await done('GET', `/api/emails/${id}/timeline`)).items.filter(
        ({ kind }: { kind: string }) => kind === 'changed_with_others',
      );
    expect(await events()).toEqual([
      expect.objectContaining({ fields: ['notes'], contacts: 2, by: 'Hannah Pine' }),
    ]);
    await undo(changeId);
    expect(await events()).toEqual([]);
  });

  it('leaves no trace when nothing differs', async () => {
    const id = await add('a@acme.co.uk', { notes: 'n' });
    expect(await setFields({ ids: [id], set: { notes: 'n' } })).toEqual({
      changed: 0,
      leftOut: 0,
      changeId: null,
    });
    expect(await changes()).toEqual([]);
    expect((await done('GET', '/api/audit')).items[0].action).not.toBe('contacts.changed');
  });

  it.each<[string, object]>([
    ['nothing to set', {}],
    ['an empty change', { set: {} }],
    ['both', { set: { notes: 'x' }, splitNames: true }],
    ['a reserved name', { set: { attributes: { email: 'x' } } }],
    ['an unknown field', { set: { source: 'x' } }],
    ['an unknown option', { set: { notes: 'x' }, onlyFull: true }],
    ['text that is too long', { set: { notes: 'x'.repeat(10_001) } }],
    ['NUL', { set: { notes: 'a\0' } }],
  ])('refuses %s', async (_what, what) => {
    const id = await add('a@acme.co.uk');
    for (const selection of [{ ids: [id] }, { filter: {} }])
      for (const path of ['', '/preview']) {
        const { status, body } = await call('POST', `/api/field-changes${path}`, { ...selection, ...what });
        expect([status, typeof body.message]).toEqual([400, 'string']);
      }
    expect(await changes()).toEqual([]);
  });

  it('is for editors of the workspace alone', async () => {
    const id = await add('a@acme.co.uk');
    const { changeId } = await setFields({ ids: [id], set: { notes: 'n' } });
    const { workspaceId } = person;
    const viewer = await signUpMember(app.app, app.database, { workspaceId, role: 'viewer' });
    const body = { ids: [id], set: { notes: 'x' } };
    expect((await call('POST', '/api/field-changes', body, { by: viewer })).status).toBe(403);
    expect(
      (await call('POST', `/api/field-changes/${changeId}/undo`, undefined, { by: viewer })).status,
    ).toBe(403);
    expect((await call('GET', '/api/field-changes', undefined, { by: viewer })).body.totalCount).toBe(1);
    const stranger = await signUp(app.app);
    expect((await call('POST', '/api/field-changes', body, { by: stranger })).body).toMatchObject({
      changed: 0,
    });
    expect(
      (await call('POST', `/api/field-changes/${changeId}/undo`, undefined, { by: stranger })).status,
    ).toBe(404);
    expect((await call('GET', '/api/field-changes', undefined, { by: stranger })).body.totalCount).toBe(0);
    expect((await contactOf(id)).notes).toBe('n');
  });

  it('runs once when it is sent twice with the same key', async () => {
    const id = await add('a@acme.co.uk', { notes: 'old' });
    const headers = { 'idempotency-key': 'once' };
    const body = { ids: [id], set: { notes: 'new' } };
    const first = await call('POST', '/api/field-changes', body, { headers });
    await done('PATCH', `/api/emails/${id}`, { notes: 'mine' });
    const second = await call('POST', '/api/field-changes', body, { headers });
    expect(second.body).toEqual(first.body);
    expect((await contactOf(id)).notes).toBe('mine');
  });

  it('loses nothing of changes that come at once', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, (_, n) => add(`a${n}@acme.co.uk`)));
    await Promise.all([
      ...ids.map((id) => done('PATCH', `/api/emails/${id}`, { attributes: { own: String(id) } })),
      setFields({ ids, set: { attributes: { one: '1' } } }),
      setFields({ ids: ids.toReversed(), set: { attributes: { two: '2' }, notes: 'n' } }),
    ]);
    for (const id of ids)
      expect(await contactOf(id)).toMatchObject({
        notes: 'n',
        attributes: { own: String(id), one: '1', two: '2' },
      });
  });

  it('forgets the old values after thirty days, and says so', async () => {
    const id = await add('a@acme.co.uk', { notes: 'old' });
    const old = await setFields({ ids: [id], set: { notes: 'new' } });
    const { workspaceId } = person;
    const age = (days: string) =>
      raw(
        sql`update field_changes set created_at = now() - ${days}::interval where workspace_id = ${workspaceId}`,
      );
    await age('30 days 1 hour');
    // An undo that began before that hour may still be under way.
    await purge(app.database, workspaceId, undefined);
    expect(await raw(sql`select from changed_contacts where workspace_id = ${workspaceId}`)).toHaveLength(1);
    await age('31 days 1 hour');
    const kept = await setFields({ ids: [id], set: { notes: 'newer' } });
    const refused = await call('POST', `/api/field-changes/${old.changeId}/undo`);
    expect([refused.status, refused.body.message]).toEqual([410, expect.stringContaining('30 days')]);
    expect((await changes()).map(({ state }: { state: string }) => state)).toEqual(['done', 'expired']);
    await purge(app.database, workspaceId, undefined);
    expect((await changes()).map((change: { id: number }) => change.id)).toEqual([kept.changeId]);
    const rows = await raw(sql`select change_id from changed_contacts where workspace_id = ${workspaceId}`);
    expect(rows).toEqual([{ change_id: kept.changeId }]);
  });
});

describe('undoing one of several changes of the same field', () => {
  const townOf = async (id: number) => (await contactOf(id)).attributes.town ?? null;
  const setTown = (town: string | null, ids: number[]) => setFields({ ids, set: { attributes: { town } } });
  const linesLeft = () => raw(sql`select from changed_contacts where workspace_id = ${person.workspaceId}`);

  it.each([
    ['the first before the second', ['b', 'c'], [0, 1], ['c', 'a']],
    ['the second before the first', ['b', 'c'], [1, 0], ['b', 'a']],
    ['the first of two that set the same', ['b', 'b'], [0, 1], ['b', 'a']],
    ['the second of two that set the same', ['b', 'b'], [1, 0], ['b', 'a']],
    ['one that was changed back', ['b', 'a'], [0, 1], ['a', 'a']],
    ['three from the first on', ['b', 'c', 'd'], [0, 1, 2], ['d', 'd', 'a']],
    ['three from the middle on', ['b', 'c', 'd'], [1, 0, 2], ['d', 'd', 'a']],
    ['three, the last in between', ['b', 'c', 'd'], [0, 2, 1], ['d', 'c', 'a']],
    ['three that set the same', ['b', 'b', 'b'], [1, 0, 2], ['b', 'b', 'a']],
    ['three, of which two clear', [null, null, 'b'], [0, 2, 1], ['b', null, 'a']],
  ])('%s', async (_what, towns, order, expected) => {
    const id = await add('a@acme.co.uk', { attributes: { town: 'a' } });
    const before = await contactOf(id);
    const made: number[] = [];
    for (const [n, town] of towns.entries()) {
      // Each also changes a contact of its own, so that all stand in the history.
      const other = await add(`other${n}@acme.co.uk`);
      await done('PATCH', `/api/emails/${other}`, { attributes: { town: 'z' } });
      made.push((await setTown(town, [id, other])).changeId);
    }
    const seen: (string | null)[] = [];
    for (const one of order) {
      await undo(made[one] as number);
      seen.push(await townOf(id));
    }
    expect(seen).toEqual(expected);
    expect((await contactOf(id)).attributes).toEqual(before.attributes);
    expect(await linesLeft()).toEqual([]);
  });

  it('knows the later one also where that began earlier and waited', async () => {
    const id = await add('a@acme.co.uk', { attributes: { town: 'a' } });
    const [first, second] = [await setTown('b', [id]), await setTown('c', [id])];
    await raw(sql`
      update changed_contacts set changed_at = changed_at - interval '1 hour'
      where workspace_id = ${person.workspaceId} and change_id = ${second.changeId}`);
    await undo(first.changeId);
    await undo(second.changeId);
    expect(await townOf(id)).toBe('a');
  });

  it('is a task where very many had the value already', async () => {
    const id = await add('a@acme.co.uk', { attributes: { town: 'a' } });
    const { changeId } = await setTown('b', [id]);
    await raw(sql`
      insert into changed_contacts (workspace_id, change_id, contact_id, before, after)
      select ${person.workspaceId}::bigint, ${changeId}::bigint, ${id}::bigint + n, '{}', '{}'
      from generate_series(1, 50_000) n`);
    const { status } = await call('POST', `/api/field-changes/${changeId}/undo`, undefined, {
      headers: { prefer: 'respond-async' },
    });
    expect(status).toBe(202);
    await expect.poll(() => townOf(id), { timeout: 60_000 }).toBe('a');
    await expect.poll(linesLeft, { timeout: 60_000 }).toEqual([]);
  });

  it('leaves a contact that had the value already to the change that set it again', async () => {
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((local) => add(`${local}@acme.co.uk`)));
    const first = await setTown('North', [a, b] as number[]);
    const changedAt = (await contactOf(b as number)).changedAt;
    const second = await setTown('North', [b, c] as number[]);
    expect(second.changed).toBe(1);
    expect((await contactOf(b as number)).changedAt).toBe(changedAt);
    const events = (await done('GET', `/api/emails/${b}/timeline`)).items.filter(
      ({ kind }: { kind: string }) => kind === 'changed_with_others',
    );
    expect(events).toHaveLength(1);
    expect(await undo(first.changeId)).toEqual({ undone: 1, leftAsIs: 1 });
    expect(await Promise.all([a, b, c].map((id) => townOf(id as number)))).toEqual([null, 'North', 'North']);
    // From now on it is the second that set it.
    expect((await changes())[0]).toMatchObject({ id: second.changeId, contacts: 2 });
    expect(await undo(second.changeId)).toEqual({ undone: 2, leftAsIs: 0 });
    expect(await Promise.all([a, b, c].map((id) => townOf(id as number)))).toEqual([null, null, null]);
  });

  it('says nothing of contacts that had the value already when only the second is undone', async () => {
    const [a, b] = await Promise.all(['a', 'b'].map((local) => add(`${local}@acme.co.uk`)));
    await setTown('North', [a] as number[]);
    const second = await setTown('North', [a, b] as number[]);
    expect(await undo(second.changeId)).toEqual({ undone: 1, leftAsIs: 0 });
    expect(await townOf(a as number)).toBe('North');
    expect(await linesLeft()).toHaveLength(1);
  });

  it('keeps nothing of a change that changed none', async () => {
    const id = await add('a@acme.co.uk');
    const { changeId } = await setTown('North', [id]);
    expect(await setTown('North', [id])).toMatchObject({ changed: 0, changeId: null });
    expect(await linesLeft()).toHaveLength(1);
    expect(await undo(changeId)).toEqual({ undone: 1, leftAsIs: 0 });
  });

  it('leaves no trace once both are undone', async () => {
    const id = await add('a@acme.co.uk', { firstName: 'Ann' });
    const before = await contactOf(id);
    const first = await setFields({ ids: [id], set: { firstName: 'Bea' } });
    const second = await setFields({ ids: [id], set: { lastName: 'Ash', notes: 'n' } });
    expect(await undo(first.changeId)).toEqual({ undone: 0, leftAsIs: 1 });
    expect(await undo(second.changeId)).toEqual({ undone: 1, leftAsIs: 0 });
    expect(await contactOf(id)).toEqual(before);
  });

  it('hands on what was kept of a contact in the bin as well', async () => {
    const id = await add('a@acme.co.uk', { attributes: { town: 'a' } });
    const first = await setTown('b', [id]);
    const second = await setTown('c', [id]);
    await done('DELETE', `/api/emails/${id}`);
    await undo(first.changeId);
    const [removal] = (await done('GET', '/api/removals')).items;
    await done('POST', `/api/removals/${removal.id}/restore`);
    await undo(second.changeId);
    expect(await townOf(id)).toBe('a');
  });
});

describe('setting a field of very many contacts', () => {
  const many = 12_000;
  const bring = () =>
    importCsv(
      app.app,
      person.cookie,
      `email,name\n${Array.from({ length: many }, (_, n) => `p${n}@shop${n % 90}.co.uk,Jane Smith`).join('\n')}\n`,
    );
  const valuesOf = async () => {
    const [row] = await raw(
      sql<{ set: number; changed: number }>`
        select count(*) filter (where attributes ->> 'town' = 'York') as set,
               count(*) filter (where changed_at is not null) as changed
        from contacts where workspace_id = ${person.workspaceId}`,
    );
    return row;
  };

  it('is a task, and so is its undo', async () => {
    await bring();
    const set = await setFields({ filter: {}, set: { attributes: { town: 'York' } } });
    expect(set).toMatchObject({ changed: many, leftOut: 0 });
    expect(await valuesOf()).toEqual({ set: many, changed: many });
    const [task] = (await done('GET', '/api/tasks')).items;
    expect(task).toMatchObject({
      kind: 'contacts.set_fields',
      title: 'Set town of 12,000 contacts',
      summary: 'Set town of 12,000 contacts.',
      link: '/field-changes',
    });
    expect(await undo(set.changeId)).toEqual({ undone: many, leftAsIs: 0 });
    expect(await valuesOf()).toEqual({ set: 0, changed: 0 });
  });

  it('leaves all to the change that set them again, until that is undone', async () => {
    await bring();
    const body = { filter: {}, set: { attributes: { town: 'York' } } };
    const first = await setFields(body);
    const [one] = (await done('GET', '/api/emails')).emails;
    await done('PATCH', `/api/emails/${one.id}`, { attributes: { town: 'Leeds' } });
    const second = await setFields(body);
    expect(second.changed).toBe(1);
    expect(await undo(first.changeId)).toEqual({ undone: 0, leftAsIs: many });
    expect((await valuesOf())?.set).toBe(many);
    expect(await undo(second.changeId)).toEqual({ undone: many, leftAsIs: 0 });
    expect((await valuesOf())?.set).toBe(0);
    expect((await contactOf(one.id)).attributes).toEqual({ town: 'Leeds' });
  });

  it('can be cancelled; what was done stays and can be undone', async () => {
    await bring();
    const prefer = { prefer: 'respond-async' };
    const { body } = await call(
      'POST',
      '/api/field-changes',
      { filter: {}, set: { attributes: { town: 'York' } } },
      { headers: prefer },
    );
    await call('POST', `/api/tasks/${body.taskId}/cancel`);
    for (;;) {
      const task = await done('GET', `/api/tasks/${body.taskId}`);
      if (!['waiting', 'running'].includes(task.status)) break;
      await sleep(20);
    }
    for (const change of await changes()) {
      expect(change.state).toBe('done');
      expect((await valuesOf())?.set).toBe(change.contacts);
      expect(await undo(change.id)).toEqual({ undone: change.contacts, leftAsIs: 0 });
    }
    expect(await valuesOf()).toEqual({ set: 0, changed: 0 });
  });
});
