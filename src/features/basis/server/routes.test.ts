import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Basis, bases } from '#features/contacts/contract.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import { codeOf } from '../rules.ts';
import { selectBasisCounts } from './count-queries.ts';
import { mayBeMailed, mayBeMailedNow } from './may-be-mailed.ts';
import { purge } from './purge.ts';
import { changeMailable } from './settings.ts';

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
// Whatever happened, the counts are those of the rows, and only of contacts that are there.
afterEach(async () => {
  const { workspaceId } = person;
  const counted = await app.database.asTenant(workspaceId, (tx) => selectBasisCounts(tx, workspaceId));
  const found = await raw(sql<{ basis: number; contacts: number }>`
    select b.basis, count(*) as contacts from contact_bases b join contacts c using (workspace_id)
    where b.workspace_id = ${workspaceId} and c.id = b.contact_id group by b.basis`);
  const rows = await raw(
    sql<{ rows: number }>`select count(*) as rows from contact_bases where workspace_id = ${workspaceId}`,
  );
  const of = (basis: Basis) => found.find((row) => row.basis === codeOf(basis))?.contacts ?? 0;
  expect(counted).toEqual({
    consent: of('consent'),
    soft_opt_in: of('soft_opt_in'),
    corporate_subscriber: of('corporate_subscriber'),
    none: of('none'),
  });
  expect(rows[0]?.rows).toBe(found.reduce((sum, { contacts }) => sum + contacts, 0));
});

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
async function call(method: Method, url: string, payload?: object, { by = person, headers = {} } = {}) {
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
const add = async (email: string): Promise<number> => (await done('POST', '/api/emails', { email })).id;
const addAll = (...locals: string[]) => Promise.all(locals.map((local) => add(`${local}@acme.co.uk`)));
const say = (id: number, said: object) => done('PUT', `/api/emails/${id}/basis`, said);
const sayMany = (body: object) => done('POST', '/api/basis-changes', body);
const undo = (id: number) => done('POST', `/api/basis-changes/${id}/undo`);
const merge = async (keepId: number, otherId: number): Promise<number> =>
  (await done('POST', '/api/review/duplicates/merge', { keepId, otherIds: [otherId] })).mergeId;
const unmerge = (id: number) => done('POST', `/api/merges/${id}/undo`);
const said = async (id: number) => (await done('GET', `/api/emails/${id}`)).marketing;
const basisOfAll = async (ids: readonly number[]) =>
  Promise.all(ids.map(async (id) => (await said(id)).basis));
const found = async (query: string): Promise<number[]> =>
  (await done('GET', `/api/emails?limit=200&${query}`)).emails
    .map(({ id }: { id: number }) => id)
    .sort((one: number, other: number) => one - other);
const events = async (id: number) =>
  (await done('GET', `/api/emails/${id}/timeline`)).items.filter(
    ({ kind }: { kind: string }) => kind === 'basis_said',
  );
const raw = async <T>(query: ReturnType<typeof sql<T>>) =>
  (await app.database.asTenant(person.workspaceId, (tx) => query.execute(tx))).rows;

const unknown = { basis: 'unknown', source: null, givenOn: null, recordedAt: null };
const fair = { basis: 'consent', source: 'Spring fair 2024 sign-up sheet', givenOn: '2024-04-20' };

describe('the basis of one contact', () => {
  it('is unknown at first, then what somebody says, with source and day', async () => {
    const [id = 0, other = 0] = await addAll('a', 'b');
    expect(await said(id)).toEqual(unknown);
    expect((await say(id, fair)).marketing).toEqual({ ...fair, recordedAt: expect.any(String) });
    expect((await done('GET', '/api/emails?basis=consent')).emails[0].marketing).toMatchObject(fair);
    expect(await said(other)).toEqual(unknown);
    await say(id, { basis: 'none' });
    expect(await said(id)).toMatchObject({ basis: 'none', source: null, givenOn: null });
    expect(
      (await events(id)).map(({ basis, source, how, by }: Record<string, unknown>) => [
        basis,
        source,
        how,
        by,
      ]),
    ).toEqual([
      ['none', null, 'hand', 'Hannah Pine'],
      ['consent', fair.source, 'hand', 'Hannah Pine'],
    ]);
  });

  it('leaves a trace in the audit log without the source, and none when the same is said again', async () => {
    const id = await add('a@acme.co.uk');
    await say(id, fair);
    await say(id, fair);
    const lines = (await done('GET', `/api/audit?subject=contact:${id}`)).items.filter(
      ({ action }: { action: string }) => action === 'contact.basis_set',
    );
    expect(lines).toEqual([
      expect.objectContaining({ details: { email: 'a@acme.co.uk', marketingBasis: 'consent' } }),
    ]);
    expect(await events(id)).toHaveLength(1);
    await say(id, { ...fair, source: 'Autumn fair' });
    expect((await said(id)).source).toBe('Autumn fair');
    expect(await events(id)).toHaveLength(2);
  });

  it('is told apart when a program says it', async () => {
    const id = await add('a@acme.co.uk');
    const { key } = await done('POST', '/api/keys', { name: 'CRM', scopes: ['contacts:write'] });
    const headers = { authorization: `Bearer ${key}`, cookie: '' };
    expect((await call('PUT', `/api/emails/${id}/basis`, fair, { headers })).status).toBe(200);
    expect(await events(id)).toEqual([expect.objectContaining({ how: 'api' })]);
  });

  it.each<[string, object]>([
    ['a day that has not come', { basis: 'consent', givenOn: '2999-01-01' }],
    ['a day that does not exist', { basis: 'consent', givenOn: '2024-02-30' }],
    ['an unknown basis', { basis: 'legitimate_interest' }],
    ['no basis', { source: 'Fair' }],
    ['two lines', { basis: 'consent', source: 'a\nb' }],
    ['NUL', { basis: 'consent', source: 'a\0' }],
    ['too long a source', { basis: 'consent', source: 'x'.repeat(301) }],
    ['a source of what is unknown', { basis: 'unknown', source: 'Fair' }],
    ['an unknown field', { basis: 'consent', on: '2024-01-01' }],
  ])('refuses %s', async (_what, body) => {
    const id = await add('a@acme.co.uk');
    const one = await call('PUT', `/api/emails/${id}/basis`, body);
    const many = await call('POST', '/api/basis-changes', { filter: {}, ...body });
    expect([one.status, typeof one.body.message, many.status]).toEqual([400, 'string', 400]);
    expect(await said(id)).toEqual(unknown);
  });
});

describe('the basis of many contacts', () => {
  it('is said of those named or found, and taken back', async () => {
    const [a = 0, b = 0, c = 0] = await addAll('a', 'b', 'c');
    await say(a, { basis: 'none' });
    const { changed, changeId } = await sayMany({ filter: { domain: 'acme.co.uk' }, ...fair });
    expect(changed).toBe(3);
    expect(await basisOfAll([a, b, c])).toEqual(['consent', 'consent', 'consent']);
    expect(await events(b)).toEqual([
      expect.objectContaining({ ...fair, how: 'bulk', contacts: 3, import: null, by: 'Hannah Pine' }),
    ]);
    const [line] = (await done('GET', `/api/audit?subject=basis-change:${changeId}`)).items;
    expect(line).toMatchObject({
      action: 'contacts.basis_set',
      details: { changed: 3, marketingBasis: 'consent', filter: { domain: 'acme.co.uk' } },
    });
    expect((await done('GET', '/api/basis-changes')).items).toEqual([
      expect.objectContaining({ id: changeId, ...fair, contacts: 3, state: 'done' }),
    ]);
    expect(await undo(changeId)).toEqual({ undone: 3, leftAsIs: 0 });
    expect(await basisOfAll([a, b, c])).toEqual(['none', 'unknown', 'unknown']);
    expect(await said(b)).toEqual(unknown);
    expect(await events(b)).toEqual([]);
    expect((await call('POST', `/api/basis-changes/${changeId}/undo`)).status).toBe(409);
  });

  it('leaves alone what is the same, and what is known if asked', async () => {
    const [a = 0, b = 0, c = 0] = await addAll('a', 'b', 'c');
    await say(a, fair);
    await say(b, { basis: 'none' });
    // A source that is not given stays where the basis is the same.
    expect(await sayMany({ ids: [a], basis: 'consent' })).toEqual({ changed: 0, changeId: null });
    expect(await said(a)).toMatchObject(fair);
    expect((await sayMany({ filter: {}, basis: 'corporate_subscriber', onlyUnknown: true })).changed).toBe(1);
    expect(await basisOfAll([a, b, c])).toEqual(['consent', 'none', 'corporate_subscriber']);
    expect((await sayMany({ ids: [a], basis: 'consent', source: 'Other' })).changed).toBe(1);
    expect(await said(a)).toMatchObject({ source: 'Other', givenOn: null });
  });

  it('does not come back by the undo of something that was said later', async () => {
    const [a = 0, b = 0] = await addAll('a', 'b');
    await say(b, { basis: 'soft_opt_in' });
    const first = await sayMany({ filter: {}, basis: 'consent' });
    const second = await sayMany({ filter: {}, basis: 'none' });
    expect(await undo(first.changeId)).toEqual({ undone: 0, leftAsIs: 2 });
    expect(await basisOfAll([a, b])).toEqual(['none', 'none']);
    expect(await undo(second.changeId)).toEqual({ undone: 2, leftAsIs: 0 });
    expect(await basisOfAll([a, b])).toEqual(['unknown', 'soft_opt_in']);
  });

  it('is a task for more than a few thousand, with an undo', async () => {
    const rows = Array.from({ length: 5_300 }, (_, n) => `p${n}@acme.co.uk`);
    await importCsv(app.app, person.cookie, `email\n${rows.join('\n')}\n`);
    const { changed, changeId } = await sayMany({ filter: {}, basis: 'soft_opt_in' });
    expect(changed).toBe(5_300);
    expect((await done('GET', '/api/basis')).contacts).toMatchObject({ soft_opt_in: 5_300, unknown: 0 });
    expect((await done('GET', '/api/emails?basis=soft_opt_in&limit=1')).totalCount).toBe(5_300);
    expect((await done('GET', '/api/emails?basis=unknown&limit=1')).totalCount).toBe(0);
    expect(await undo(changeId)).toEqual({ undone: 5_300, leftAsIs: 0 });
    expect((await done('GET', '/api/basis')).contacts).toMatchObject({ soft_opt_in: 0, unknown: 5_300 });
  });

  it('is refused when somebody has said something else since it was looked at', async () => {
    const id = await add('a@acme.co.uk');
    await say(id, fair);
    const seen = { ...fair };
    await say(id, { basis: 'none' });
    const change = { basis: 'consent', source: 'Trade fair' };
    const put = (body: object) => call('PUT', `/api/emails/${id}/basis`, body);
    expect(await put({ ...change, expected: seen })).toMatchObject({
      status: 409,
      body: { code: 'changed_meanwhile' },
    });
    expect((await said(id)).basis).toBe('none');
    // Whoever says what holds already changes nothing.
    expect((await put({ basis: 'none', expected: seen })).status).toBe(200);
    expect((await put({ ...change, expected: { basis: 'none' } })).status).toBe(200);
    expect((await put(fair)).status).toBe(200);
    expect(await said(id)).toMatchObject(fair);
  });

  it('keeps a basis off that another admin has taken off meanwhile', async () => {
    const { mailable: seen } = await done('GET', '/api/basis');
    const without = (...some: Basis[]) => seen.filter((basis: Basis) => !some.includes(basis));
    await done('PATCH', '/api/basis', { mailable: without('unknown'), expected: seen });
    const second = { mailable: without('soft_opt_in'), expected: seen };
    expect(await call('PATCH', '/api/basis', second)).toMatchObject({
      status: 409,
      body: { code: 'changed_meanwhile' },
    });
    expect((await done('GET', '/api/basis')).mailable).toEqual(without('unknown'));
    // The same call once more, whose answer was lost.
    await done('PATCH', '/api/basis', { mailable: without('unknown'), expected: seen });
    await done('PATCH', '/api/basis', { mailable: without('soft_opt_in') });
    expect((await done('GET', '/api/basis')).mailable).toEqual(without('soft_opt_in'));
  });

  it('keeps to its workspace, and to those who may write', async () => {
    const id = await add('a@acme.co.uk');
    const { changeId } = await sayMany({ ids: [id], ...fair });
    const stranger = await signUp(app.app);
    const { workspaceId } = person;
    const viewer = await signUpMember(app.app, app.database, { workspaceId, role: 'viewer' });
    const none = { basis: 'none' };
    const as = async (by: SignedIn) => [
      (await call('PUT', `/api/emails/${id}/basis`, none, { by })).status,
      (await call('POST', '/api/basis-changes', { ids: [id], ...none }, { by })).body.changed,
      (await call('POST', `/api/basis-changes/${changeId}/undo`, undefined, { by })).status,
      (await call('PATCH', '/api/basis', { mailable: [] }, { by })).status,
      (await call('GET', '/api/basis-changes', undefined, { by })).body.totalCount,
    ];
    expect(await as(stranger)).toEqual([404, 0, 404, 200, 0]);
    expect(await as(viewer)).toEqual([403, undefined, 403, 403, 1]);
    expect(await said(id)).toMatchObject(fair);
    expect((await done('GET', '/api/basis')).mailable).toEqual([
      'consent',
      'soft_opt_in',
      'corporate_subscriber',
      'unknown',
    ]);
  });
});

describe('one contact of each basis', () => {
  let ids: number[];
  beforeEach(async () => {
    ids = await addAll(...bases);
    for (const [at, basis] of bases.entries())
      if (basis !== 'unknown') await say(ids[at] as number, { basis });
    // Said to be unknown is as unknown as the rest.
    await say(ids[4] as number, { basis: 'none' });
    await say(ids[4] as number, { basis: 'unknown' });
  });
  const subsets = Array.from({ length: 2 ** bases.length }, (_, bits) =>
    bases.filter((_basis, at) => (bits >> at) % 2 === 1),
  );
  const those = (some: readonly Basis[]) =>
    ids.filter((_id, at) => some.includes(bases[at] as Basis)).sort((one, other) => one - other);

  it('is mailed as the workspace has chosen', async () => {
    const { workspaceId } = person;
    for (const mailable of subsets) {
      const mailed = await app.database.asTenant(workspaceId, async (tx) => {
        await changeMailable(tx, workspaceId, 'Hannah Pine', mailable);
        const { rows } = await sql<{ id: number; now: boolean }>`
          select c.id, ${mayBeMailedNow(workspaceId)} as now from contacts c
          where c.workspace_id = ${workspaceId} and ${mayBeMailed(mailable)} order by c.id`.execute(tx);
        const now = await sql<{ id: number }>`
          select c.id from contacts c
          where c.workspace_id = ${workspaceId} and ${mayBeMailedNow(workspaceId)} order by c.id`.execute(tx);
        return [rows.map(({ id }) => id), now.rows.map(({ id }) => id)];
      });
      expect([mailable, ...mailed]).toEqual([mailable, those(mailable), those(mailable)]);
      expect((await done('GET', '/api/basis')).mailable).toEqual(mailable);
    }
  });

  it('is found by every filter, alone and with others', async () => {
    for (const some of subsets.filter(({ length }) => length > 0)) {
      const asked = some.join(',');
      expect([asked, await found(`basis=${asked}`)]).toEqual([asked, those(some)]);
      expect(await found(`basis=${asked}&search=consent`)).toEqual(
        those(some.filter((one) => one === 'consent')),
      );
      const { count } = await done('POST', '/api/emails/count', { filter: { basis: some } });
      expect(count).toBe(some.length);
    }
    expect((await call('GET', '/api/emails?basis=maybe')).status).toBe(400);
  });

  it('is a field of segments', async () => {
    const whom = async (operator: string, value?: unknown) => {
      const segmentRules = { conditions: [{ field: 'marketingBasis', operator, value }] };
      const list = { name: `${operator} ${String(value)}`, isDynamic: true, segmentRules };
      const { id } = await done('POST', '/api/lists', list);
      return found(`list=${id}`);
    };
    expect(await whom('equals', 'soft_opt_in')).toEqual(those(['soft_opt_in']));
    expect(await whom('equals', 'Unknown')).toEqual(those(['unknown']));
    expect(await whom('not_equals', 'none')).toEqual(
      those(['consent', 'soft_opt_in', 'corporate_subscriber', 'unknown']),
    );
    expect(await whom('one_of', ['consent', 'unknown'])).toEqual(those(['consent', 'unknown']));
  });

  it('is left out of the audience of a campaign when it may not be mailed', async () => {
    await done('PATCH', '/api/basis', { mailable: ['consent', 'corporate_subscriber'] });
    const count = await done('POST', '/api/campaigns/audience', { include: [], exclude: [] });
    expect(count).toEqual({ recipients: 2, leftOut: { no_basis: 3 } });
    await done('PATCH', '/api/basis', { mailable: ['consent', 'unknown'] });
    const other = await done('POST', '/api/campaigns/audience', { include: [], exclude: [] });
    expect(other).toEqual({ recipients: 2, leftOut: { no_basis: 3 } });
  });
});

describe('contacts that leave, come back and become one', () => {
  it('take their basis into the bin and back', async () => {
    const [a = 0, b = 0] = await addAll('a', 'b');
    await say(a, { basis: 'soft_opt_in' });
    const { changeId } = await sayMany({ filter: {}, ...fair });
    await done('DELETE', '/api/emails/bulk', { ids: [a, b] });
    expect((await done('GET', '/api/basis')).contacts).toMatchObject({ consent: 0, unknown: 0 });
    const [removal] = (await done('GET', '/api/removals')).items;
    // What is taken back meanwhile is not there when they return.
    expect(await undo(changeId)).toEqual({ undone: 0, leftAsIs: 2 });
    await done('POST', `/api/removals/${removal.id}/restore`);
    expect(await basisOfAll([a, b])).toEqual(['soft_opt_in', 'unknown']);
    await say(b, fair);
    await done('DELETE', `/api/emails/${b}`);
    await raw(sql`delete from removed_contacts where workspace_id = ${person.workspaceId}`);
    await purge(app.database, person.workspaceId, undefined);
    const left = await raw(
      sql`select from former_bases where workspace_id = ${person.workspaceId} and contact_id = ${b}`,
    );
    expect(left).toEqual([]);
  });

  it.each<[Basis, Basis, Basis]>([
    ['unknown', 'consent', 'consent'],
    ['corporate_subscriber', 'soft_opt_in', 'soft_opt_in'],
    ['soft_opt_in', 'corporate_subscriber', 'soft_opt_in'],
    ['consent', 'none', 'none'],
    ['none', 'consent', 'none'],
    ['consent', 'unknown', 'consent'],
  ])('of %s and %s become %s', async (kept, other, expected) => {
    const keepId = await add('jane.smith@gmail.com');
    const otherId = await add('janesmith@gmail.com');
    await say(keepId, kept === 'unknown' ? { basis: kept } : { basis: kept, source: 'kept' });
    if (other !== 'unknown') await say(otherId, { basis: other, source: 'other', givenOn: '2024-04-20' });
    const mergeId = await merge(keepId, otherId);
    const isOther = expected === other && expected !== kept;
    expect(await said(keepId)).toMatchObject({
      basis: expected,
      source: isOther ? 'other' : 'kept',
      givenOn: isOther ? '2024-04-20' : null,
    });
    await unmerge(mergeId);
    expect(await basisOfAll([keepId, otherId])).toEqual([kept, other]);
  });
});

describe('a no that is said again', () => {
  const none = { basis: 'none' };
  const addThree = async () => [
    await add('jane.smith@gmail.com'),
    await add('janesmith@gmail.com'),
    await add('j.anesmith@gmail.com'),
  ];

  it.each(['first', 'second'])('by two merges outlasts the undo of the %s', async (undoneFirst) => {
    const [a = 0, b = 0, c = 0] = await addThree();
    await say(b, { ...none, source: 'She rang' });
    await say(c, { ...none, source: 'She wrote' });
    const merges = [await merge(a, b), await merge(a, c)];
    expect(await events(a)).toHaveLength(2);
    const [one = 0, other = 0] = undoneFirst === 'first' ? merges : merges.toReversed();
    await unmerge(one);
    const source = undoneFirst === 'first' ? 'She wrote' : 'She rang';
    expect(await said(a)).toMatchObject({ ...none, source });
    await unmerge(other);
    expect(await basisOfAll([a, b, c])).toEqual(['unknown', 'none', 'none']);
    expect(await events(a)).toEqual([]);
  });

  it('by one that was merged outlasts the undo of what was said of many', async () => {
    const [a = 0, b = 0, c = 0] = await addThree();
    await say(b, none);
    const { changeId } = await sayMany({ ids: [a, c], ...none });
    const mergeId = await merge(a, b);
    await undo(changeId);
    expect(await basisOfAll([a, c])).toEqual(['none', 'unknown']);
    await unmerge(mergeId);
    expect(await basisOfAll([a, b])).toEqual(['unknown', 'none']);
  });

  it('by one that was merged adds nothing to one by hand', async () => {
    const [a = 0, b = 0] = await addThree();
    await say(a, { ...none, source: 'She rang' });
    await say(b, { ...none, source: 'She wrote' });
    await merge(a, b);
    expect(await events(a)).toEqual([expect.objectContaining({ how: 'hand', source: 'She rang' })]);
  });

  it('by other changes of many outlasts each, and counts in both', async () => {
    const [a = 0, b = 0, c = 0] = await addAll('a', 'b', 'c');
    const first = await sayMany({ ids: [a, b], ...none });
    const second = await sayMany({ ids: [b, c], ...none });
    expect([first.changed, second.changed]).toEqual([2, 2]);
    expect(await undo(first.changeId)).toEqual({ undone: 1, leftAsIs: 1 });
    expect(await basisOfAll([a, b, c])).toEqual(['unknown', 'none', 'none']);
    expect(await undo(second.changeId)).toEqual({ undone: 2, leftAsIs: 0 });
    expect(await basisOfAll([a, b, c])).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('by hand outlasts what can be undone, and needs no second time', async () => {
    const [a = 0, b = 0] = await addAll('a', 'b');
    const bulk = await sayMany({ ids: [a, b], ...none });
    await say(a, none);
    await say(a, none);
    expect(await events(a)).toHaveLength(2);
    // Nobody can undo it, so another change has nothing to add.
    expect((await sayMany({ ids: [a], ...none })).changed).toBe(0);
    // Whoever asks for the unknown does not mean these.
    expect((await sayMany({ ids: [a, b], ...none, onlyUnknown: true })).changed).toBe(0);
    expect(await undo(bulk.changeId)).toEqual({ undone: 1, leftAsIs: 1 });
    expect(await basisOfAll([a, b])).toEqual(['none', 'unknown']);
  });

  it('in the bin outlasts the undo of the first, too', async () => {
    const [a = 0, b = 0] = await addAll('a', 'b');
    await say(a, fair);
    const first = await sayMany({ ids: [a, b], ...none });
    const second = await sayMany({ ids: [a, b], ...none });
    await done('DELETE', '/api/emails/bulk', { ids: [a, b] });
    await undo(first.changeId);
    const [removal] = (await done('GET', '/api/removals')).items;
    await done('POST', `/api/removals/${removal.id}/restore`);
    expect(await basisOfAll([a, b])).toEqual(['none', 'none']);
    await undo(second.changeId);
    expect(await basisOfAll([a, b])).toEqual(['consent', 'unknown']);
  });
});

it('follows a plain history through whatever people do', async () => {
  const ids = await addAll(...Array.from({ length: 8 }, (_, n) => `p${n}`));
  /** What was said of each, oldest first. */
  const history = new Map(ids.map((id) => [id, [] as { change: number; basis: Basis }[]]));
  const now = (id: number): Basis => history.get(id)?.at(-1)?.basis ?? 'unknown';
  const changes: number[] = [];
  const binned = new Map<number, number[]>();
  const alive = () => ids.filter((id) => ![...binned.values()].flat().includes(id));
  let seed = 7;
  const draw = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let step = 0; step < 120; step++) {
    const what = draw(10);
    const some = alive().filter(() => draw(2) === 0);
    if (what < 5 && some.length > 0) {
      const basis = bases[draw(bases.length)] as Basis;
      const onlyUnknown = draw(3) === 0;
      const { changed, changeId } = await sayMany({ ids: some, basis, onlyUnknown });
      // Each none here can be undone, so a further one is said, too.
      const meant = some.filter((id) =>
        onlyUnknown ? now(id) === 'unknown' && basis !== 'unknown' : now(id) !== basis || basis === 'none',
      );
      expect([step, changed]).toEqual([step, meant.length]);
      if (changeId !== null) changes.push(changeId);
      for (const id of meant) history.get(id)?.push({ change: changeId, basis });
    } else if (what < 7 && changes.length > 0) {
      const [change = 0] = changes.splice(draw(changes.length), 1);
      await undo(change);
      for (const [id, all] of history)
        history.set(
          id,
          all.filter((one) => one.change !== change),
        );
    } else if (what === 7 && some.length > 0 && some.length < alive().length) {
      await done('DELETE', '/api/emails/bulk', { ids: some });
      binned.set((await done('GET', '/api/removals')).items[0].id, some);
    } else if (what === 8 && binned.size > 0) {
      const [removal = 0] = [...binned.keys()];
      await done('POST', `/api/removals/${removal}/restore`);
      binned.delete(removal);
    }
    expect([step, await basisOfAll(alive())]).toEqual([step, alive().map(now)]);
  }
});
