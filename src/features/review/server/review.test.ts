import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { moveIntoRemoval } from '#features/bin/server/move-to-bin.ts';
import { closeRemoval, holdRemovals, openRemoval } from '#features/bin/server/removal-queries.ts';
import { checkBooks } from '#features/rollups/server/index.ts';
import { verdictKeeper } from '#features/verification/server/verify-now.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import { waitingForLocks } from '#test/support/waiting-for-locks.ts';

let app: TestApp;
let person: SignedIn;

beforeAll(async () => {
  app = await openTestApp();
  app.tasks.startWork();
});
afterAll(() => app.close());
beforeEach(async () => {
  person = await signUp(app.app);
});
afterEach(async () => {
  const { workspaceId } = person;
  expect(await app.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
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
const post = async (url: string, payload?: object) => (await call('POST', url, payload)).body;

const everything = {
  removeDuplicates: true,
  validateEmails: false,
  filterNonUk: false,
  checkSuppressions: false,
};
async function fill(rows: string[], head = 'email'): Promise<void> {
  const answer = await importCsv(app.app, person.cookie, `${head}\n${rows.join('\n')}\n`, {
    options: everything,
  });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  await post('/api/verifications');
}

interface Shown {
  id: number;
  address: string;
  status: string;
  name: string | null;
  verification: { verdict: string; suggestion: string | null } | null;
}
const all = async (): Promise<Shown[]> => (await get('/api/emails?order=asc&limit=100')).emails;
const one = async (address: string): Promise<Shown | undefined> =>
  (await all()).find((contact) => contact.address === address);
const statuses = async () =>
  Object.fromEntries((await all()).map(({ address, status }) => [address, status]));

const gmial = { pattern: { from: 'gmial.com', to: 'gmail.com' } };

describe('corrections', () => {
  it('are grouped by what would be changed', async () => {
    await fill(['jo@gmial.com', 'ann@gmial.com', 'sam@hotmial.com', 'fine@gmail.com']);
    const listed = await get('/api/review/corrections');
    expect(listed).toMatchObject({ totalCount: 2, contacts: 3 });
    expect(listed.items[0]).toMatchObject({ from: 'gmial.com', to: 'gmail.com', contacts: 2 });
    expect(listed.items[0].samples[0]).toMatchObject({ before: 'ann@gmial.com', after: 'ann@gmail.com' });
    expect((await get('/api/review/corrections?limit=1&page=2')).items[0].from).toBe('hotmial.com');
    expect(await get('/api/review/corrections?limit=1&page=3')).toMatchObject({ items: [], totalCount: 2 });
  });

  it('change the address, its verdict and what it is found by, and can be taken back', async () => {
    await fill(['jo@gmial.com', 'ann@gmial.com']);
    const accepted = await post('/api/review/corrections/accept', gmial);
    expect(accepted).toMatchObject({ corrected: 2, needMerge: 0, suppressed: 0 });
    expect(await statuses()).toEqual({ 'ann@gmail.com': 'active', 'jo@gmail.com': 'active' });
    expect((await one('jo@gmail.com'))?.verification).toMatchObject({ verdict: 'valid', suggestion: null });
    expect((await get('/api/emails?search=jo@gmail')).totalCount).toBe(1);
    expect((await get('/api/emails?search=gmial')).totalCount).toBe(0);
    expect((await get('/api/emails?domain=gmail.com')).totalCount).toBe(2);
    expect((await get('/api/review/corrections')).totalCount).toBe(0);
    expect((await get('/api/activities'))[0]).toMatchObject({ action: 'Addresses Corrected' });

    const undone = await post(`/api/corrections/${accepted.correctionId}/undo`);
    expect(undone).toEqual({ restored: 2, leftOut: 0 });
    expect(Object.keys(await statuses())).toEqual(['ann@gmial.com', 'jo@gmial.com']);
    expect((await get('/api/review/corrections')).contacts).toBe(2);
    expect((await get('/api/emails?search=gmial')).totalCount).toBe(2);
    expect((await call('POST', `/api/corrections/${accepted.correctionId}/undo`)).status).toBe(409);
  });

  it('leave alone what is there already, and offer to merge it', async () => {
    await fill(['jo@gmial.com', 'jo@gmail.com', 'ann@gmial.com']);
    const offered = await get('/api/review/corrections/contacts?from=gmial.com&to=gmail.com');
    const existing = await one('jo@gmail.com');
    expect(
      offered.items.map((item: { before: string; outcome: string; existingId: number }) => [
        item.before,
        item.outcome,
        item.existingId,
      ]),
    ).toEqual([
      ['ann@gmial.com', 'correct', null],
      ['jo@gmial.com', 'merge', existing?.id],
    ]);
    expect(await post('/api/review/corrections/accept', gmial)).toMatchObject({ corrected: 1, needMerge: 1 });
    const left = await one('jo@gmial.com');
    const merged = await post('/api/review/duplicates/merge', { keepId: existing?.id, otherIds: [left?.id] });
    expect(merged.removed).toBe(1);
    expect(Object.keys(await statuses()).sort()).toEqual(['ann@gmail.com', 'jo@gmail.com']);
    expect((await get('/api/review/corrections')).totalCount).toBe(0);
  });

  it('that two people accept at the same moment are made once, and nobody is told to merge', async () => {
    const byPattern = ['jo@gmial.com', 'ann@gmial.com', 'sam@gmial.com', 'sam@gmail.com'];
    await fill(['jo@hotmial.com', ...byPattern]);
    const id = (await one('jo@hotmial.com'))?.id;
    const twice = async (which: object) => {
      const answers = await Promise.all([1, 2].map(() => post('/api/review/corrections/accept', which)));
      return answers.sort((a, b) => b.corrected - a.corrected);
    };
    expect(await twice({ ids: [id] })).toEqual([
      { corrected: 1, needMerge: 0, suppressed: 0, correctionId: expect.any(Number) },
      { corrected: 0, needMerge: 0, suppressed: 0, correctionId: null },
    ]);
    expect(await twice(gmial)).toMatchObject([
      { corrected: 2, needMerge: 1 },
      { corrected: 0, needMerge: 1, correctionId: null },
    ]);
    const told = (await get('/api/activities')).map(({ action }: { action: string }) => action);
    expect(told.filter((action: string) => action === 'Addresses Corrected')).toHaveLength(2);
  });

  it('keep the suppressed suppressed, and the old address blocked', async () => {
    await fill(['jo@gmial.com', 'ann@gmial.com']);
    await post('/api/suppressions/email/manual', { email: 'jo@gmial.com' });
    const accepted = await post('/api/review/corrections/accept', gmial);
    expect(accepted).toMatchObject({ corrected: 2, suppressed: 1 });
    expect(await statuses()).toEqual({ 'ann@gmail.com': 'active', 'jo@gmail.com': 'suppressed' });
    const blocked = (await get('/api/suppressions/emails')).items
      .map((item: { email: string }) => item.email)
      .sort();
    expect(blocked).toEqual(['jo@gmail.com', 'jo@gmial.com']);
    await post(`/api/corrections/${accepted.correctionId}/undo`);
    expect(await statuses()).toEqual({ 'ann@gmial.com': 'active', 'jo@gmial.com': 'suppressed' });
  });

  it('keep those of a suppressed domain suppressed, and follow a suppression of the corrected address', async () => {
    await fill(['jo@gmial.com', 'ann@hotmial.com']);
    await post('/api/suppressions/domain', { domain: 'gmial.com' });
    await post('/api/suppressions/email/manual', { email: 'ann@hotmail.com' });
    await post('/api/review/corrections/accept', gmial);
    await post('/api/review/corrections/accept', { pattern: { from: 'hotmial.com', to: 'hotmail.com' } });
    expect(await statuses()).toEqual({ 'ann@hotmail.com': 'suppressed', 'jo@gmail.com': 'suppressed' });
  });

  it('carry a suppression of the corrected address back when they are taken back', async () => {
    await fill(['jo@gmial.com']);
    const { correctionId } = await post('/api/review/corrections/accept', gmial);
    await post('/api/suppressions/email/manual', { email: 'jo@gmail.com' });
    await post(`/api/corrections/${correctionId}/undo`);
    expect(await statuses()).toEqual({ 'jo@gmial.com': 'suppressed' });
  });

  it('taken back leave out whoever has changed since', async () => {
    await fill(['jo@gmial.com', 'ann@gmial.com', 'sam@gmial.com']);
    const { correctionId } = await post('/api/review/corrections/accept', gmial);
    await call('DELETE', `/api/emails/${(await one('jo@gmail.com'))?.id}`);
    await post('/api/emails', { email: 'ann@gmial.com' });
    expect(await post(`/api/corrections/${correctionId}/undo`)).toEqual({ restored: 1, leftOut: 2 });
    expect(Object.keys(await statuses()).sort()).toEqual(['ann@gmail.com', 'ann@gmial.com', 'sam@gmial.com']);
  });

  it('can be accepted one by one', async () => {
    await fill(['jo@gmial.com', 'ann@gmial.com']);
    const jo = await one('jo@gmial.com');
    expect(await post('/api/review/corrections/accept', { ids: [jo?.id] })).toMatchObject({ corrected: 1 });
    expect(Object.keys(await statuses()).sort()).toEqual(['ann@gmial.com', 'jo@gmail.com']);
  });

  it('make an address that was let in though invalid a valid one', async () => {
    await fill(['jo@gmailcom', 'ann@acme.co.uk']);
    const before = await get('/api/stats');
    expect(before).toMatchObject({ validEmails: 1, invalidEmails: 1 });
    const jo = await one('jo@gmailcom');
    expect(jo?.verification?.suggestion).toBe('jo@gmail.com');
    await post('/api/review/corrections/accept', { ids: [jo?.id] });
    expect(await get('/api/stats')).toMatchObject({ validEmails: 2, invalidEmails: 0 });
  });

  it('that were dismissed do not come back', async () => {
    await fill(['jo@gmial.com', 'ann@gmial.com', 'sam@hotmial.com']);
    const jo = await one('jo@gmial.com');
    expect(await post('/api/review/corrections/dismiss', { ids: [jo?.id] })).toEqual({ dismissed: 1 });
    await post('/api/review/corrections/dismiss', { pattern: { from: 'hotmial.com', to: 'hotmail.com' } });
    await post('/api/verifications');
    const listed = await get('/api/review/corrections');
    expect(listed).toMatchObject({ totalCount: 1, contacts: 1 });
    expect((await one('jo@gmial.com'))?.verification?.suggestion).toBeNull();
  });

  it('are for editors, and reach no other workspace', async () => {
    await fill(['jo@gmial.com']);
    const viewer = await signUpMember(app.app, app.database, {
      workspaceId: person.workspaceId,
      role: 'viewer',
    });
    expect((await call('POST', '/api/review/corrections/accept', gmial, viewer)).status).toBe(403);
    const stranger = await signUp(app.app);
    expect((await call('POST', '/api/review/corrections/accept', gmial, stranger)).body.corrected).toBe(0);
    const { correctionId } = await post('/api/review/corrections/accept', gmial);
    expect((await call('POST', `/api/corrections/${correctionId}/undo`, undefined, stranger)).status).toBe(
      404,
    );
  });
});

it('tells nothing of a correction or its undo that was cancelled before it began', async () => {
  const { workspaceId } = person;
  // Two of a workspace run at once, and these never end.
  for (const _ of [1, 2])
    await sql`
      insert into tasks (workspace_id, kind, title, input, user_name, actor, status, started_at, lease, lease_until)
      values (${workspaceId}, 'test.busy', '', '{}', '', '', 'running', now(), gen_random_uuid(), now() + interval '1 day')`.execute(
      app.owner.system,
    );
  const by = { userId: person.userId, name: 'Ann', email: person.email };
  const correct = { ...gmial, contacts: 20_000 };
  for (const [kind, input, result] of [
    ['verification.correct', correct, { corrected: 0 }],
    ['verification.undo-correction', { correctionId: 1, contacts: 20_000 }, { restored: 0, leftOut: 0 }],
  ] as const) {
    const { id } = await app.tasks.start(workspaceId, kind, input, by);
    const cancelled = await call('POST', `/api/tasks/${id}/cancel`);
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled', result } });
  }
  const { rows } = await sql`
    select action from audit_log where workspace_id = ${workspaceId} and action like 'contacts.correct%'`.execute(
    app.owner.system,
  );
  expect(rows).toEqual([]);
});

describe('contacts that share a mailbox', () => {
  const people = [
    'a.b.smith@gmail.com,Anna Smith,fair',
    'absmith+news@googlemail.com,,shop',
    'other@acme.co.uk,Tom,shop',
  ];

  it('are offered for merging, the one kept of which most is known', async () => {
    await fill(people, 'email,name,source');
    const { items, totalCount } = await get('/api/review/duplicates');
    expect(totalCount).toBe(1);
    expect(items[0]).toMatchObject({ mailbox: 'absmith@gmail.com', totalContacts: 2, isSuppressed: false });
    expect(items[0].contacts).toHaveLength(2);
    expect(items[0].keepId).toBe((await one('a.b.smith@gmail.com'))?.id);
  });

  it('become one that has the fields chosen, and come back when that is undone', async () => {
    await fill(people, 'email,name,source');
    const before = await all();
    const [item] = (await get('/api/review/duplicates')).items;
    const other = item.contacts.find((contact: Shown) => contact.id !== item.keepId);
    const merged = await post('/api/review/duplicates/merge', {
      keepId: item.keepId,
      otherIds: [other.id],
      fields: { source: other.id },
    });
    expect(merged.contact).toMatchObject({
      address: 'a.b.smith@gmail.com',
      name: 'Anna Smith',
      source: 'shop',
    });
    expect((await get('/api/review/duplicates')).totalCount).toBe(0);
    expect(await post(`/api/merges/${merged.mergeId}/undo`)).toEqual({ restored: 1 });
    const withoutTimes = (contacts: Shown[]) =>
      contacts.map(({ verification, ...rest }) => ({ ...rest, verdict: verification?.verdict }));
    expect(withoutTimes(await all())).toEqual(withoutTimes(before));
    expect((await get('/api/review/duplicates')).totalCount).toBe(1);
    expect((await call('POST', `/api/merges/${merged.mergeId}/undo`)).status).toBe(409);
  });

  it('get all names of the one chosen, and their own back', async () => {
    const add = (email: string, names: object) => post('/api/emails', { email, ...names });
    const kept = await add('ab.smith@gmail.com', { firstName: 'Anna', lastName: 'Smith' });
    const other = await add('absmith@gmail.com', {
      name: 'Dr Bea Jones',
      firstName: 'Bea',
      lastName: 'Jones',
    });
    const merged = await post('/api/review/duplicates/merge', {
      keepId: kept.id,
      otherIds: [other.id],
      fields: { name: other.id },
    });
    const namesOf = ({ name, firstName, lastName }: Record<string, unknown>) => [name, firstName, lastName];
    expect(namesOf(merged.contact)).toEqual(namesOf(other));
    await post(`/api/merges/${merged.mergeId}/undo`);
    expect(namesOf(await get(`/api/emails/${kept.id}`))).toEqual(namesOf(kept));
    expect(namesOf(await get(`/api/emails/${other.id}`))).toEqual(namesOf(other));
  });

  it('keep the first and last name where a merge of an earlier version is undone', async () => {
    const add = (email: string) => post('/api/emails', { email, firstName: 'Anna', lastName: 'Smith' });
    const kept = await add('ab.smith@gmail.com');
    const other = await add('absmith@gmail.com');
    const merged = await post('/api/review/duplicates/merge', { keepId: kept.id, otherIds: [other.id] });
    const { workspaceId } = person;
    await app.database.asTenant(workspaceId, (tx) =>
      sql`update merges set before = before - 'firstName' - 'lastName'
          where workspace_id = ${workspaceId} and id = ${merged.mergeId}`.execute(tx),
    );
    await post(`/api/merges/${merged.mergeId}/undo`);
    expect(await get(`/api/emails/${kept.id}`)).toMatchObject({ firstName: 'Anna', lastName: 'Smith' });
  });

  /** Merges the others into the first, which is kept. Answers the number of the merge. */
  const merge = async (keepId: number, others: number[], fields?: object): Promise<number> =>
    (await post('/api/review/duplicates/merge', { keepId, otherIds: others, fields })).mergeId;
  const add = async (email: string, fields: object = {}): Promise<number> => {
    const { id } = await post('/api/emails', { email });
    await call('PATCH', `/api/emails/${id}`, { notes: null, ...fields });
    return id;
  };
  /** As an earlier version stored it. */
  const forgetWritten = (mergeId: number) =>
    app.database.asTenant(person.workspaceId, (tx) =>
      sql`update merges set after = null where workspace_id = ${person.workspaceId} and id = ${mergeId}`.execute(
        tx,
      ),
    );

  it.each(['', ' by an earlier version'])('keep what was written since they were merged%s', async (old) => {
    const kept = await add('ab.smith@gmail.com', { attributes: { shoe: '9' } });
    const names = { firstName: 'Bea', lastName: 'Jones' };
    const notes = 'Rang twice';
    const other = await add('absmith@gmail.com', {
      ...names,
      notes,
      attributes: { shoe: '8', phone: '1', city: 'York', hat: 'M' },
    });
    const mergeId = await merge(kept, [other]);
    if (old) await forgetWritten(mergeId);
    await call('PATCH', `/api/emails/${kept}`, {
      notes: 'Moved house',
      attributes: { phone: '2', hat: null, pet: 'cat' },
    });
    expect(await post(`/api/merges/${mergeId}/undo`)).toEqual({ restored: 1 });
    expect(await get(`/api/emails/${kept}`)).toMatchObject({
      firstName: null,
      lastName: null,
      notes: 'Moved house',
      attributes: { shoe: '9', phone: '2', pet: 'cat' },
    });
    expect(await get(`/api/emails/${other}`)).toMatchObject({ ...names, notes });
  });

  it.each(['', ' by an earlier version'])(
    'keep nothing of one that is back%s, merge by merge',
    async (old) => {
      const kept = await add('ab.smith@gmail.com', { notes: null });
      const first = await add('absmith@gmail.com', { firstName: 'Bea', notes: 'Of the first' });
      const second = await add('a.bsmith@gmail.com', { firstName: 'Cy', notes: 'Of the second' });
      const one = await merge(kept, [first]);
      const two = await merge(kept, [second], { notes: second });
      if (old) for (const id of [one, two]) await forgetWritten(id);
      await post(`/api/merges/${one}/undo`);
      // Without the first, the second would have brought its own name.
      expect(await get(`/api/emails/${kept}`)).toMatchObject({ firstName: 'Cy', notes: 'Of the second' });
      await post(`/api/merges/${two}/undo`);
      expect(await get(`/api/emails/${kept}`)).toMatchObject({ firstName: null, notes: null });
    },
  );

  it('keep nothing of one that is back, also where the kept one is in the bin itself', async () => {
    const kept = await add('ab.smith@gmail.com', { attributes: { shoe: '9' } });
    const other = await add('absmith@gmail.com', {
      ...{ firstName: 'Bea', notes: 'Rang twice' },
      attributes: { hat: 'M' },
    });
    const mergeId = await merge(kept, [other]);
    await add('somebody.else@gmail.com', { notes: 'Mine' });
    const elses = (await one('somebody.else@gmail.com'))?.id;
    for (const id of [elses, kept]) expect((await call('DELETE', `/api/emails/${id}`)).status).toBe(200);
    expect(await post(`/api/merges/${mergeId}/undo`)).toEqual({ restored: 1 });
    for (const { id, state } of (await get('/api/removals')).items)
      if (state === 'in-bin')
        expect(await post(`/api/removals/${id}/restore`)).toEqual({ restored: 1, leftOut: 0 });
    const { firstName, notes, attributes } = await get(`/api/emails/${kept}`);
    expect({ firstName, notes, attributes }).toEqual({
      ...{ firstName: null, notes: null },
      attributes: { shoe: '9' },
    });
    expect(await get(`/api/emails/${other}`)).toMatchObject({ firstName: 'Bea', notes: 'Rang twice' });
    expect(await get(`/api/emails/${elses}`)).toMatchObject({ notes: 'Mine' });
  });

  it('keep nothing of one that is back, also where an older removal that was open took the kept one', async () => {
    const kept = await add('ab.smith@gmail.com', { notes: 'Mine' });
    const other = await add('absmith@gmail.com', { firstName: 'Bea' });
    const { workspaceId, email } = person;
    const removalId = await app.database.asTenant(workspaceId, (tx) =>
      openRemoval(tx, workspaceId, { kind: 'delete', removedBy: email }),
    );
    const mergeId = await merge(kept, [other]);
    const companions = { verdicts: verdictKeeper, followers: () => [] };
    await app.database.asTenant(workspaceId, async (tx) => {
      await moveIntoRemoval(tx, workspaceId, removalId, sql`c.id = ${kept}`, { companions });
      await closeRemoval(tx, workspaceId, removalId);
    });
    expect(await post(`/api/merges/${mergeId}/undo`)).toEqual({ restored: 1 });
    expect(await post(`/api/removals/${removalId}/restore`)).toMatchObject({ restored: 1 });
    expect(await get(`/api/emails/${kept}`)).toMatchObject({ firstName: null, notes: 'Mine' });
  });

  it('stay one while the kept one is part of another, which would keep what they gave', async () => {
    const [first, inner, outer] = [
      await add('absmith@gmail.com', { notes: 'Rang twice' }),
      await add('ab.smith@gmail.com'),
      await add('a.b.smith@gmail.com'),
    ];
    await post('/api/basis-changes', { ids: [first], basis: 'consent', source: 'Form of the fair' });
    const { id: listId } = await post('/api/lists', { name: 'Tea' });
    await post(`/api/lists/${listId}/contacts`, { ids: [first] });
    const mergeId = await merge(inner, [first]);
    const laterId = await merge(outer, [inner]);
    const offered = async () =>
      (await get('/api/review/history')).items.map(
        (made: Record<'id' | 'canUndo' | 'undoFirst', unknown>) => [made.id, made.canUndo, made.undoFirst],
      );
    expect(await offered()).toEqual([
      [laterId, true, null],
      [mergeId, false, laterId],
    ]);
    expect(await call('POST', `/api/merges/${mergeId}/undo`)).toMatchObject({
      status: 409,
      body: {
        code: 'conflict',
        message: expect.stringContaining('Undo the later merge of ab.smith@gmail.com'),
      },
    });
    const isPlain = { notes: null, lists: [], marketing: { basis: 'unknown' } };
    expect(await get(`/api/emails/${outer}`)).toMatchObject({ marketing: { basis: 'consent' } });

    expect(await post(`/api/merges/${laterId}/undo`)).toEqual({ restored: 1 });
    expect(await get(`/api/emails/${outer}`)).toMatchObject(isPlain);
    expect(await offered()).toEqual([
      [laterId, false, null],
      [mergeId, true, null],
    ]);
    expect(await post(`/api/merges/${mergeId}/undo`)).toEqual({ restored: 1 });
    for (const id of [inner, outer]) expect(await get(`/api/emails/${id}`)).toMatchObject(isPlain);
  });

  it('come apart when the kept one is in the bin for itself, or was part of another before', async () => {
    const [kept, other, outer] = [
      await add('ab.smith@gmail.com'),
      await add('absmith@gmail.com'),
      await add('a.b.smith@gmail.com'),
    ];
    await merge(outer, [kept]);
    await post(`/api/removals/${(await get('/api/removals')).items[0].id}/restore`);
    const mergeId = await merge(kept, [other]);
    await call('DELETE', `/api/emails/${kept}`);
    expect((await get('/api/review/history')).items[0]).toMatchObject({ id: mergeId, canUndo: true });
    expect(await post(`/api/merges/${mergeId}/undo`)).toEqual({ restored: 1 });
  });

  it('that are deleted after a merge, which they waited for, are in a later removal than it made', async () => {
    const { workspaceId, email } = person;
    const kept = await add('ab.smith@gmail.com');
    const both = await app.database.asTenant(workspaceId, async (tx) => {
      await holdRemovals(tx, workspaceId);
      const deleted = call('DELETE', `/api/emails/${kept}`);
      await expect.poll(() => waitingForLocks(app), { timeout: 10_000 }).toBe(1);
      const merged = await openRemoval(tx, workspaceId, { kind: 'merge', removedBy: email });
      return { merged, deleted };
    });
    expect((await both.deleted).body.removalId).toBeGreaterThan(both.merged);
  });

  it('stay in the bin when their addresses exist again, and the undo says how many came back', async () => {
    const kept = await add('ab.smith@gmail.com');
    const others = [await add('absmith@gmail.com', { notes: 'Rang' }), await add('a.bsmith@gmail.com')];
    const mergeId = await merge(kept, others);
    await add('absmith@gmail.com');
    expect(await post(`/api/merges/${mergeId}/undo`)).toEqual({ restored: 1 });
    const [removal] = (await get('/api/removals')).items;
    expect(removal).toMatchObject({ state: 'in-bin', contacts: 2, restored: 1 });
    expect((await get(`/api/removals/${removal.id}/contacts`)).items).toMatchObject([{ id: others[0] }]);
  });

  it('lie in the bin as what they are, all but the one that stayed', async () => {
    await fill(people, 'email,name,source');
    const [item] = (await get('/api/review/duplicates')).items;
    const other = item.contacts.find((contact: Shown) => contact.id !== item.keepId);
    await post('/api/review/duplicates/merge', { keepId: item.keepId, otherIds: [other.id] });
    const { items, totalCount } = await get('/api/removals');
    expect([totalCount, items[0]]).toEqual([
      1,
      expect.objectContaining({
        kind: 'merge',
        contacts: 1,
        state: 'in-bin',
        reasons: null,
        why: 'The same person as a contact that was kept',
      }),
    ]);
    expect(await post(`/api/removals/${items[0].id}/restore`)).toEqual({ restored: 1, leftOut: 0 });
    expect(await all()).toHaveLength(3);
  });

  it('are suppressed when any of them is, also after that was undone', async () => {
    await fill(people, 'email,name,source');
    await post('/api/suppressions/email/manual', { email: 'absmith+news@googlemail.com' });
    const [item] = (await get('/api/review/duplicates')).items;
    expect(item.isSuppressed).toBe(true);
    const other = item.contacts.find((contact: Shown) => contact.id !== item.keepId);
    const merged = await post('/api/review/duplicates/merge', { keepId: item.keepId, otherIds: [other.id] });
    expect(merged.contact.status).toBe('suppressed');
    await post(`/api/merges/${merged.mergeId}/undo`);
    expect((await one('a.b.smith@gmail.com'))?.status).toBe('suppressed');
  });

  it('stay offered when a further copy of one of them is removed', async () => {
    const rows = 'email\na.b.smith@gmail.com\nabsmith@gmail.com\nabsmith@gmail.com\n';
    const options = { ...everything, removeDuplicates: false };
    expect((await importCsv(app.app, person.cookie, rows, { options })).statusCode).toBe(200);
    await post('/api/verifications');
    const offered = async () => (await get('/api/review/duplicates')).items;
    expect(await offered()).toMatchObject([{ mailbox: 'absmith@gmail.com', totalContacts: 2 }]);
    const copy = (await all()).find(({ status }) => status === 'duplicate');
    expect((await call('DELETE', `/api/emails/${copy?.id}`)).status).toBe(200);
    expect(await offered()).toMatchObject([{ mailbox: 'absmith@gmail.com', totalContacts: 2 }]);
    const [plain] = (await all()).filter(({ address }) => address === 'absmith@gmail.com');
    expect((await call('DELETE', `/api/emails/${plain?.id}`)).status).toBe(200);
    expect(await offered()).toEqual([]);
  });

  it('stay offered when one that was added since, and is not counted yet, is removed', async () => {
    await fill(['a.b.smith@gmail.com', 'absmith@gmail.com']);
    const offered = async () => (await get('/api/review/duplicates')).items;
    const pair = [{ mailbox: 'absmith@gmail.com', totalContacts: 2 }];
    expect(await offered()).toMatchObject(pair);
    const third = await post('/api/emails', { email: 'ab.smith@gmail.com' });
    expect((await call('DELETE', `/api/emails/${third.id}`)).status).toBe(200);
    expect(await offered()).toMatchObject(pair);
    const second = (await one('a.b.smith@gmail.com'))?.id;
    expect((await call('DELETE', `/api/emails/${second}`)).status).toBe(200);
    expect(await offered()).toEqual([]);
  });

  it('are looked at alone when a merge is undone, whatever else the workspace has', async () => {
    const others = ['c.d.jones@gmail.com', 'cdjones@gmail.com', 'e.f.brown@gmail.com', 'efbrown@gmail.com'];
    await fill([...people.map((line) => line.split(',')[0] as string), 'absmith@gmail.com', ...others]);
    const offered = async () =>
      Object.fromEntries(
        (await get('/api/review/duplicates')).items.map(
          (item: { mailbox: string; totalContacts: number }) => [item.mailbox, item.totalContacts],
        ),
      );
    const before = { 'absmith@gmail.com': 3, 'cdjones@gmail.com': 2, 'efbrown@gmail.com': 2 };
    expect(await offered()).toEqual(before);
    const id = async (address: string) => (await one(address))?.id as number;
    const { mergeId } = await post('/api/review/duplicates/merge', {
      keepId: await id('a.b.smith@gmail.com'),
      otherIds: [await id('absmith+news@googlemail.com'), await id('absmith@gmail.com')],
    });
    await call('POST', '/api/review/duplicates/dismiss', { mailbox: 'efbrown@gmail.com' });
    // What a look at every mailbox of the workspace would put right.
    const write = (contacts: number) =>
      sql`
        update shared_mailboxes set contacts = ${contacts}
        where workspace_id = ${person.workspaceId} and local = 'cdjones'`.execute(app.owner.system);
    await write(7);
    expect(await post(`/api/merges/${mergeId}/undo`)).toEqual({ restored: 2 });
    expect(await offered()).toEqual({ 'absmith@gmail.com': 3, 'cdjones@gmail.com': 7 });
    await write(2);
  });

  it('that were called different people are not offered again', async () => {
    await fill(people, 'email,name,source');
    await post('/api/review/duplicates/dismiss', { mailbox: 'absmith@gmail.com' });
    await post('/api/verifications');
    expect((await get('/api/review/duplicates')).totalCount).toBe(0);
  });

  it('of another workspace cannot be merged', async () => {
    await fill(people, 'email,name,source');
    const [item] = (await get('/api/review/duplicates')).items;
    const ids = item.contacts.map((contact: Shown) => contact.id);
    const stranger = await signUp(app.app);
    const answer = await call(
      'POST',
      '/api/review/duplicates/merge',
      { keepId: ids[0], otherIds: [ids[1]] },
      stranger,
    );
    expect(answer.status).toBe(404);
    expect(await all()).toHaveLength(3);
  });
});
