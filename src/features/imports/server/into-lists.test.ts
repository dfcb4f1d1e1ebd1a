import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeMany } from '#features/contacts/server/index.ts';
import { inBackground } from '#platform/server/call-context.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { miscounted } from '#test/support/miscounted.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { waitingForLocks } from '#test/support/waiting-for-locks.ts';

let app: TestApp;
let person: SignedIn;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  person = await signUp(app.app);
});
afterEach(async () => {
  expect(await miscounted(app, person.workspaceId)).toEqual([]);
});

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) {
  const { cookie } = person;
  const answer = await app.app.inject({ method, url, headers: { cookie }, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}
const make = async (what: 'lists' | 'tags', name: string): Promise<number> =>
  (await call('POST', `/api/${what}`, { name })).body.id;
const listed = async (query: string): Promise<string[]> =>
  (await call('GET', `/api/emails?sort=address&${query}`)).body.emails.map(
    ({ address }: { address: string }) => address,
  );
const csv = 'email\nann@acme.co.uk\nbob@acme.co.uk\nbob@acme.co.uk\nnot an address\nstopped@acme.co.uk\n';

it('puts new contacts and those that were there on a list, and tags them', async () => {
  await call('POST', '/api/emails', { email: 'ann@acme.co.uk' });
  await call('POST', '/api/suppressions/email/manual', { email: 'stopped@acme.co.uk' });
  const [listId, one, other] = [
    await make('lists', 'Fair'),
    await make('tags', 'VIP'),
    await make('tags', 'New'),
  ];
  const options = { listId, tagIds: [other, one, one] };
  const answer = await importCsv(app.app, person.cookie, csv, { options });
  expect(answer.json()).toMatchObject({ imported: 1, duplicates: 2, suppressed: 1, invalid: 1 });
  for (const query of [`list=${listId}`, `tag=${one}`, `tag=${other}`])
    expect(await listed(query)).toEqual(['ann@acme.co.uk', 'bob@acme.co.uk']);
  const { addedTo } = (await call('GET', `/api/imports/${answer.json().id}`)).body;
  expect(addedTo).toEqual([
    { kind: 'list', id: listId, name: 'Fair', isDeleted: false },
    { kind: 'tag', id: one, name: 'VIP', isDeleted: false },
    { kind: 'tag', id: other, name: 'New', isDeleted: false },
  ]);
  const { emails } = (await call('GET', `/api/emails?list=${listId}`)).body;
  expect(emails[0].lists[0]).toMatchObject({ name: 'Fair', source: 'import' });
});

it('puts the contact on a list and not only its further copy, where copies are kept', async () => {
  const ann = (await call('POST', '/api/emails', { email: 'ann@acme.co.uk' })).body.id;
  const [listId, tagId] = [await make('lists', 'Fair'), await make('tags', 'VIP')];
  const options = { listId, tagIds: [tagId], removeDuplicates: false };
  const { id, ...counts } = (await importCsv(app.app, person.cookie, csv, { options })).json();
  expect(counts).toMatchObject({ imported: 4, duplicates: 0 });
  for (const query of [`list=${listId}`, `tag=${tagId}`]) {
    expect(await listed(`${query}&status=active`)).toEqual([
      ...['ann@acme.co.uk', 'bob@acme.co.uk', 'stopped@acme.co.uk'],
    ]);
    expect(await listed(`${query}&status=duplicate`)).toEqual(['ann@acme.co.uk', 'bob@acme.co.uk']);
  }
  expect((await call('GET', `/api/emails/${ann}`)).body.lists).toMatchObject([{ source: 'import' }]);
  expect((await call('POST', `/api/imports/${id}/undo`)).body).toMatchObject({
    removed: 4,
    takenOut: [
      { kind: 'list', contacts: 1 },
      { kind: 'tag', contacts: 1 },
    ],
  });
  expect(await listed('')).toEqual(['ann@acme.co.uk']);
  expect(await listed(`list=${listId}`)).toEqual([]);
});

it('adds nobody by a dry run, and takes the choice when the kept file is imported', async () => {
  const listId = await make('lists', 'Fair');
  const { id } = (await importCsv(app.app, person.cookie, csv, { options: { listId }, dryRun: true })).json();
  expect(await listed(`list=${listId}`)).toEqual([]);
  expect((await call('POST', `/api/imports/${id}/run`, {})).status).toBe(200);
  expect(await listed(`list=${listId}`)).toHaveLength(3);
  expect((await call('POST', `/api/imports/${id}/undo`)).status).toBe(200);
  expect((await call('GET', `/api/lists/${listId}`)).body.contactCount).toBe(0);
});

it('takes the choice of a kept file without reading it again, also while it is read', async () => {
  const [listId, tagId] = [await make('lists', 'Fair'), await make('tags', 'VIP')];
  const { id } = (await importCsv(app.app, person.cookie, csv, { dryRun: true })).json();
  const choose = (chosen: object) => call('PATCH', `/api/imports/${id}`, chosen);
  const options = async () => (await call('GET', `/api/imports/${id}`)).body.options;
  expect((await choose({ listId, tagIds: [tagId] })).body).toMatchObject({
    status: 'checked',
    options: { listId, tagIds: [tagId], filterNonUk: true },
    addedTo: [{ name: 'Fair' }, { name: 'VIP' }],
  });
  await choose({ listId: null, tagIds: [tagId] });
  expect(await options()).not.toHaveProperty('listId');
  expect((await choose({ listId: 999_999, tagIds: [] })).status).toBe(400);
  expect((await choose({ listId, tagIds: [999_999] })).status).toBe(400);
  expect(await options()).toMatchObject({ tagIds: [tagId] });
  // A dry run that cannot be done gives back what was chosen while it ran.
  await app.owner.asTenant(person.workspaceId, (tx) =>
    sql`update imports set status = 'checking', checked_as = jsonb_build_object('options', options, 'reading', '{}')
      where id = ${id}`.execute(tx),
  );
  expect((await choose({ listId, tagIds: [] })).status).toBe(200);
  const { rows } = await app.owner.asTenant(person.workspaceId, (tx) =>
    sql`select checked_as -> 'options' as options from imports where id = ${id}`.execute(tx),
  );
  expect(rows).toMatchObject([{ options: { listId, filterNonUk: true } }]);
  await app.owner.asTenant(person.workspaceId, (tx) =>
    sql`update imports set status = 'checked', checked_as = null where id = ${id}`.execute(tx),
  );
  expect((await call('POST', `/api/imports/${id}/run`, {})).status).toBe(200);
  expect(await listed(`list=${listId}`)).toHaveLength(3);
  expect((await choose({ listId: null, tagIds: [] })).status).toBe(409);
});

it.each(['run', 'check'])('keeps what was chosen when %s has options that do not name it', async (how) => {
  const [listId, tagId] = [await make('lists', 'Fair'), await make('tags', 'VIP')];
  const { id } = (await importCsv(app.app, person.cookie, csv, { dryRun: true })).json();
  const basis = { basis: 'consent', source: 'Spring fair' };
  await call('PATCH', `/api/imports/${id}`, { listId, tagIds: [tagId], basis });
  const options = { validateEmails: false };
  expect((await call('POST', `/api/imports/${id}/${how}`, { options })).status).toBe(200);
  const record = (await call('GET', `/api/imports/${id}`)).body;
  expect(record.options).toMatchObject({ ...options, listId, tagIds: [tagId], basis });
  if (how === 'check') return;
  for (const query of [`list=${listId}`, `tag=${tagId}`, 'basis=consent'])
    expect(await listed(`${query}&status=active`)).toHaveLength(3);
});

it('takes options that name something else, or none', async () => {
  const [one, other, tagId] = [
    await make('lists', 'Fair'),
    await make('lists', 'Shop'),
    await make('tags', 'VIP'),
  ];
  const { id } = (await importCsv(app.app, person.cookie, csv, { dryRun: true })).json();
  await call('PATCH', `/api/imports/${id}`, { listId: one, tagIds: [tagId] });
  await call('POST', `/api/imports/${id}/run`, { options: { listId: other, tagIds: [] } });
  for (const [query, contacts] of [
    [`list=${one}`, 0],
    [`list=${other}`, 3],
    [`tag=${tagId}`, 0],
  ] as const)
    expect(await listed(query)).toHaveLength(contacts);
});

it('imports nothing when the list is not there any more', async () => {
  const listId = await make('lists', 'Fair');
  await call('DELETE', `/api/lists/${listId}`);
  for (const options of [{ listId }, { tagIds: [999_999] }]) {
    const answer = await importCsv(app.app, person.cookie, csv, { options });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_input']);
    expect(answer.json().message).toContain('not there any more');
  }
  expect((await call('GET', '/api/emails')).body.totalCount).toBe(0);
});

const add = async (name: string): Promise<number> =>
  (await call('POST', '/api/emails', { email: `${name}@acme.co.uk` })).body.id;
const fileOf = (...names: string[]) => `email\n${names.map((name) => `${name}@acme.co.uk\n`).join('')}`;
const importInto = async (options: object, ...names: string[]): Promise<number> =>
  (await importCsv(app.app, person.cookie, fileOf(...names), { options, fileName: 'fair.csv' })).json().id;
const named = (...names: string[]) => names.map((name) => `${name}@acme.co.uk`);

describe('the undo of an import', () => {
  it('takes who stays off its list and its tags, and leaves what people did themselves', async () => {
    await add('ann');
    const [cat, eve] = [await add('cat'), await add('eve')];
    const [listId, tagId] = [await make('lists', 'Fair'), await make('tags', 'New')];
    const members = `/api/lists/${listId}/contacts`;
    await call('POST', members, { ids: [cat] });
    const id = await importInto({ listId, tagIds: [tagId] }, 'ann', 'bob', 'cat', 'dan', 'eve');
    await call('DELETE', members, { ids: [eve] });
    await call('POST', members, { ids: [eve] });
    const { emails } = (await call('GET', '/api/emails?search=dan@')).body;
    await call('PATCH', `/api/emails/${emails[0].id}`, { notes: 'Rang us' });

    const { status, body } = await call('POST', `/api/imports/${id}/undo`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ removed: 1, removalId: expect.any(Number) });
    expect(body.takenOut).toEqual([
      { kind: 'list', id: listId, name: 'Fair', contacts: 2 },
      { kind: 'tag', id: tagId, name: 'New', contacts: 4 },
    ]);
    expect(await listed(`list=${listId}`)).toEqual(named('cat', 'eve'));
    expect(await listed(`tag=${tagId}`)).toEqual([]);
    expect(await listed('')).toEqual(named('ann', 'cat', 'dan', 'eve'));

    // Both parts can be taken back.
    await call('POST', `/api/removals/${body.removalId}/restore`);
    expect(await listed(`list=${listId}`)).toEqual(named('bob', 'cat', 'eve'));
    const { items } = (await call('GET', '/api/audit?area=lists')).body;
    const line = items.find(
      ({ action, details }: { action: string; details: { importId?: number } }) =>
        action === 'list.contacts_removed' && details.importId === id,
    );
    expect(line.details).toMatchObject({ name: 'Fair', removed: 2 });
    await call('POST', `/api/membership-changes/${line.details.membershipChangeId}/undo`);
    expect(await listed(`list=${listId}`)).toEqual(named('ann', 'bob', 'cat', 'dan', 'eve'));
  });

  it('keeps what an undo took out that was broken off, when it is asked for once more', async () => {
    await add('ann');
    const listId = await make('lists', 'Fair');
    const id = await importInto({ listId }, 'ann');
    const undo = `/api/imports/${id}/undo`;
    await call('POST', undo);
    // As the end of one that was cancelled leaves it.
    const { workspaceId } = person;
    await app.database.asTenant(workspaceId, (tx) =>
      sql`
        update imports set undone_at = null, removal_id = null, undo_task_id = null
        where workspace_id = ${workspaceId} and id = ${id}`.execute(tx),
    );
    expect((await call('POST', undo)).status).toBe(200);
    const { items } = (await call('GET', '/api/audit?area=lists')).body;
    const line = items.find(({ action }: { action: string }) => action === 'list.contacts_removed');
    await call('POST', `/api/membership-changes/${line.details.membershipChangeId}/undo`);
    expect(await listed(`list=${listId}`)).toEqual(named('ann'));
  });

  it('is there for one that brought nobody new, and only once', async () => {
    await add('ann');
    const listId = await make('lists', 'Fair');
    const id = await importInto({ listId }, 'ann');
    expect((await call('GET', `/api/imports/${id}`)).body.canUndo).toBe(true);
    const { body } = await call('POST', `/api/imports/${id}/undo`);
    expect(body).toEqual({
      removed: 0,
      removalId: null,
      takenOut: [{ kind: 'list', id: listId, name: 'Fair', contacts: 1 }],
    });
    expect(await listed(`list=${listId}`)).toEqual([]);
    expect((await call('POST', `/api/imports/${id}/undo`)).status).toBe(409);
    expect((await call('GET', `/api/imports/${id}`)).body.canUndo).toBe(false);
  });

  it('goes through a list that was deleted since, which comes back without them', async () => {
    await add('ann');
    const listId = await make('lists', 'Fair');
    const id = await importInto({ listId }, 'ann', 'bob');
    await call('DELETE', `/api/lists/${listId}`);
    expect((await call('GET', `/api/imports/${id}`)).body.addedTo).toEqual([
      { kind: 'list', id: listId, name: 'Fair', isDeleted: true },
    ]);
    const { body } = await call('POST', `/api/imports/${id}/undo`);
    expect(body).toMatchObject({ removed: 1, takenOut: [{ contacts: 1 }] });
    expect((await call('POST', `/api/lists/${listId}/restore`)).body.contactCount).toBe(0);
  });

  it('forgets it for one who was in the bin meanwhile for another reason', async () => {
    const ann = await add('ann');
    const listId = await make('lists', 'Fair');
    const id = await importInto({ listId }, 'ann', 'bob');
    const { removalId } = (await call('DELETE', `/api/emails/${ann}`)).body;
    await call('POST', `/api/imports/${id}/undo`);
    await call('POST', `/api/removals/${removalId}/restore`);
    expect(await listed(`list=${listId}`)).toEqual([]);
    expect(await listed('')).toEqual(named('ann'));
  });

  it('takes out many in pieces, also who goes to the bin between two of them', async () => {
    const many = `email\n${Array.from({ length: 20_500 }, (_, at) => `many${at}@acme.co.uk`).join('\n')}\n`;
    expect((await importCsv(app.app, person.cookie, many)).json().imported).toBe(20_500);
    const listId = await make('lists', 'Fair');
    const { id } = (await importCsv(app.app, person.cookie, many, { options: { listId } })).json();
    const { workspaceId } = person;
    const { rows } = await app.database.asTenant(workspaceId, (tx) =>
      sql<{ last: number }>`select max(id) as last from contacts where workspace_id = ${workspaceId}`.execute(
        tx,
      ),
    );
    // The first piece waits for the list, and the removal of the last contact for that piece.
    const { undo, removal } = await app.database.asTenant(workspaceId, async (tx) => {
      await sql`select from lists where workspace_id = ${workspaceId} and id = ${listId} for update`.execute(
        tx,
      );
      const undo = inBackground(() => call('POST', `/api/imports/${id}/undo`));
      await expect.poll(() => waitingForLocks(app)).toBe(1);
      const removal = inBackground(() => call('DELETE', `/api/emails/${rows[0]?.last}`));
      await expect.poll(() => waitingForLocks(app)).toBe(2);
      return { undo, removal };
    });
    const { removalId } = (await removal).body;
    expect((await undo).body).toMatchObject({ removed: 0, takenOut: [{ contacts: 20_499 }] });
    await call('POST', `/api/removals/${removalId}/restore`);
    expect((await call('GET', `/api/lists/${listId}`)).body.contactCount).toBe(0);
  });
});

describe('a list with imports under way', () => {
  /** Does something while an import into a list waits for that list. */
  async function whileItWaits(
    listId: number,
    names: string[],
    work: (tx: Parameters<Parameters<typeof app.database.asTenant>[1]>[0]) => Promise<unknown>,
  ) {
    const { workspaceId } = person;
    const answer = await app.database.asTenant(workspaceId, async (tx) => {
      await sql`select from lists where workspace_id = ${workspaceId} and id = ${listId} for update`.execute(
        tx,
      );
      const running = inBackground(() =>
        importCsv(app.app, person.cookie, fileOf(...names), { options: { listId } }),
      );
      await expect.poll(() => waitingForLists()).toBe(1);
      await work(tx);
      return { running };
    });
    return answer.running;
  }
  const waitingForLists = () =>
    inBackground(async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%lists%'`.execute(
        app.database.system,
      );
      return Number(rows[0]?.waiting);
    });

  it('lets none of it in when the list is deleted meanwhile, and says so', async () => {
    await add('ann');
    const listId = await make('lists', 'Fair');
    const answer = await whileItWaits(listId, ['ann', 'bob'], (tx) =>
      sql`update lists set deleted_at = now() where workspace_id = ${person.workspaceId} and id = ${listId}`.execute(
        tx,
      ),
    );
    expect([answer.statusCode, answer.json().message]).toEqual([
      400,
      'The list “Fair” is not there any more. Nothing was imported; choose another.',
    ]);
    const [record] = (await call('GET', '/api/imports')).body.items;
    expect(record).toMatchObject({ status: 'failed', error: answer.json().message, canUndo: false });
    expect(await listed('')).toEqual(named('ann'));
    expect((await call('POST', `/api/lists/${listId}/restore`)).body.contactCount).toBe(0);
  });

  it('ends right when another import into it is undone meanwhile', async () => {
    await add('ann');
    const listId = await make('lists', 'Fair');
    const first = await importInto({ listId }, 'ann', 'bob');
    let undone: ReturnType<typeof call> | undefined;
    const answer = await whileItWaits(listId, ['cat', 'dan'], async () => {
      undone = inBackground(() => call('POST', `/api/imports/${first}/undo`));
      await expect.poll(() => waitingForLists()).toBe(2);
    });
    expect(answer.json()).toMatchObject({ imported: 2 });
    expect((await undone)?.body).toMatchObject({ removed: 1, takenOut: [{ contacts: 1 }] });
    expect(await listed(`list=${listId}`)).toEqual(named('cat', 'dan'));
  });

  it('refuses to undo an import before its end', async () => {
    const listId = await make('lists', 'Fair');
    const answer = await whileItWaits(listId, ['ann'], async () => {
      const [record] = (await call('GET', '/api/imports')).body.items;
      expect((await call('POST', `/api/imports/${record.id}/undo`)).status).toBe(409);
    });
    expect(answer.json()).toMatchObject({ imported: 1 });
  });
});

it('takes in a contact that somebody is editing meanwhile, and the edit too', async () => {
  const { workspaceId } = person;
  const ann = await add('ann');
  const [listId, tagId] = [await make('lists', 'Fair'), await make('tags', 'VIP')];
  await app.database.asTenant(workspaceId, async (tx) => {
    await changeMany(tx, workspaceId, [ann], (before) => ({ ...before, notes: 'Rang us' }));
    await inBackground(() => importInto({ listId, tagIds: [tagId] }, 'ann', 'bob'));
  });
  for (const query of [`list=${listId}`, `tag=${tagId}`])
    expect(await listed(query)).toEqual(named('ann', 'bob'));
  expect((await call('GET', `/api/emails/${ann}`)).body.notes).toBe('Rang us');
});

it('means a contact by an address that it had before', async () => {
  const { body: jo } = await call('POST', '/api/emails', { email: 'jo@gmial.com' });
  const [one, other] = [await add('jo.bloggs'), await add('joe')];
  await call('POST', '/api/review/corrections/accept', { ids: [jo.id] });
  await call('POST', '/api/review/duplicates/merge', { keepId: one, otherIds: [other] });
  const lists = [await make('lists', 'Fair'), await make('lists', 'Pasted')];
  const former = ['jo@gmial.com', 'joe@acme.co.uk'];
  const text = `email\n${former.join('\n')}\n`;
  const options = { listId: lists[0], filterNonUk: false };
  expect((await importCsv(app.app, person.cookie, text, { options })).json()).toMatchObject({
    imported: 0,
    duplicates: 2,
  });
  const emails = [...former, 'jo@gmail.com', 'nobody@acme.co.uk', 'nobody@acme.co.uk'];
  expect((await call('POST', `/api/lists/${lists[1]}/contacts`, { emails })).body).toMatchObject({
    added: 2,
    alreadyThere: 0,
    unknown: { count: 1, addresses: ['nobody@acme.co.uk'] },
  });
  for (const list of lists)
    expect(await listed(`list=${list}`)).toEqual(['jo.bloggs@acme.co.uk', 'jo@gmail.com']);
  const copies = await make('lists', 'Copies');
  const kept = { listId: copies, filterNonUk: false, removeDuplicates: false };
  expect((await importCsv(app.app, person.cookie, text, { options: kept })).json()).toMatchObject({
    imported: 2,
  });
  expect(await listed(`list=${copies}&status=active`)).toEqual(['jo.bloggs@acme.co.uk', 'jo@gmail.com']);
  const taken = await call('DELETE', `/api/lists/${lists[1]}/contacts`, {
    emails: ['jo@gmial.com', 'JOE@acme.co.uk'],
  });
  expect(taken.body).toMatchObject({ removed: 2, notThere: 0, unknown: { count: 0 } });
});
