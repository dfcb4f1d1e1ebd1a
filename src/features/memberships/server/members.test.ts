import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdRemovals } from '#features/bin/server/index.ts';
import { listKind } from '#features/lists/server/index.ts';
import { tagKind } from '#features/tags/server/tag-kind.ts';
import type { TaskContext } from '#features/tasks/server/index.ts';
import { inBackground } from '#platform/server/call-context.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { miscounted } from '#test/support/miscounted.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { waitingForLocks } from '#test/support/waiting-for-locks.ts';
import { undoTask } from './changes/undo-change.ts';
import { membershipsPort } from './index.ts';
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
  person = await signUp(app.app);
});
afterEach(async () => {
  expect(await miscounted(app, person.workspaceId)).toEqual([]);
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
async function call(
  method: Method,
  url: string,
  payload?: object,
  headers: object = { cookie: person.cookie },
) {
  const answer = await app.app.inject({
    method,
    url,
    headers: { ...headers },
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
const addAll = async (...emails: string[]) => {
  const ids: number[] = [];
  for (const email of emails) ids.push(await add(email));
  return ids;
};
/** Many contacts at once. */
const addMany = async (count: number) => {
  const rows = Array.from({ length: count }, (_, at) => `many${at}@acme.co.uk`);
  expect((await importCsv(app.app, person.cookie, `email\n${rows.join('\n')}\n`)).json().imported).toBe(
    count,
  );
};
const listed = async (query: string): Promise<string[]> => {
  const { emails, totalCount } = await done('GET', `/api/emails?sort=address&limit=200&${query}`);
  expect(totalCount).toBe(emails.length);
  return emails.map(({ address }: { address: string }) => address);
};

const kinds = [
  { path: '/api/lists', name: 'list' },
  { path: '/api/tags', name: 'tag' },
] as const;

describe.each(kinds)('$path', ({ path, name }) => {
  const make = async (called = 'VIP'): Promise<number> => (await done('POST', path, { name: called })).id;
  const counted = async (id: number): Promise<number> => (await done('GET', `${path}/${id}`)).contactCount;
  const mergeInto = async (keepId: number | undefined, ...otherIds: (number | undefined)[]) =>
    (await done('POST', '/api/review/duplicates/merge', { keepId, otherIds })).mergeId;
  const importInto = async (id: number, ...addresses: string[]): Promise<number> => {
    const options = name === 'list' ? { listId: id } : { tagIds: [id] };
    return (await importCsv(app.app, person.cookie, `email\n${addresses.join('\n')}\n`, { options })).json()
      .id;
  };

  it('takes contacts by number, by address and by a filter, each once', async () => {
    const [ann, bob] = await addAll('ann@acme.co.uk', 'bob@acme.co.uk', 'cat@kent.ac.uk');
    const id = await make();
    const none = { count: 0, addresses: [] };
    expect(await done('POST', `${path}/${id}/contacts`, { ids: [ann] })).toMatchObject({
      added: 1,
      alreadyThere: 0,
      unknown: none,
    });
    const pasted = ['ANN@acme.co.uk', ' bob@acme.co.uk ', 'nobody@acme.co.uk', 'no address', ''];
    expect(await done('POST', `${path}/${id}/contacts`, { emails: pasted })).toMatchObject({
      added: 1,
      alreadyThere: 1,
      unknown: { count: 2, addresses: ['nobody@acme.co.uk', 'no address'] },
    });
    expect(await done('POST', `${path}/${id}/contacts`, { filter: {} })).toMatchObject({
      added: 1,
      alreadyThere: 2,
    });
    expect(await counted(id)).toBe(3);
    expect((await done('POST', `${path}/${id}/contacts`, { ids: [ann] })).changeId).toBeNull();
    expect(await done('POST', `${path}/${id}/contacts`, { emails: ['x@y.uk'] })).toMatchObject({ added: 0 });
    expect(await done('DELETE', `${path}/${id}/contacts`, { ids: [ann, bob] })).toMatchObject({
      removed: 2,
      notThere: 0,
    });
    expect(await listed(`${name}=${id}`)).toEqual(['cat@kent.ac.uk']);
  });

  it('is a filter of the list, of counts and of what is done with many', async () => {
    const [ann, bob, cat] = await addAll(
      'ann@acme.co.uk',
      'bob@acme.co.uk',
      'cat@kent.ac.uk',
      'dan@kent.ac.uk',
    );
    const [one, other] = [await make('One'), await make('Other')];
    await done('POST', `${path}/${one}/contacts`, { ids: [ann, bob] });
    await done('POST', `${path}/${other}/contacts`, { ids: [bob, cat] });
    expect(await listed(`${name}=${one}`)).toEqual(['ann@acme.co.uk', 'bob@acme.co.uk']);
    expect(await listed(`${name}=${one},${other}`)).toEqual([
      'ann@acme.co.uk',
      'bob@acme.co.uk',
      'cat@kent.ac.uk',
    ]);
    expect(await listed(`${name}=${one}&${name}=${other}&domain=acme.co.uk`)).toEqual([
      'ann@acme.co.uk',
      'bob@acme.co.uk',
    ]);
    expect(await listed(`${name}=${one}&search=bob&status=active`)).toEqual(['bob@acme.co.uk']);
    expect(await listed(`${name}=`)).toHaveLength(4);
    for (const sort of ['createdAt', 'verdict', 'risk', 'domain'])
      expect((await done('GET', `/api/emails?sort=${sort}&${name}=${one},${other}`)).emails).toHaveLength(3);
    expect((await done('POST', '/api/emails/count', { filter: { [name]: [one, other] } })).count).toBe(3);
    expect((await done('POST', '/api/emails/count', { filter: { [name]: one } })).count).toBe(2);
    expect((await done('DELETE', '/api/emails/bulk', { filter: { [name]: one } })).removed).toBe(2);
    expect([await counted(one), await counted(other)]).toEqual([0, 1]);
  });

  it('refuses a filter for one that is gone, and never means everybody or nobody by it', async () => {
    await add('ann@acme.co.uk');
    const id = await make();
    await done('POST', `${path}/${id}/contacts`, { filter: {} });
    await done('DELETE', `${path}/${id}`);
    const other = await signUp(app.app);
    for (const url of [
      `/api/emails?${name}=${id}`,
      `/api/emails?${name}=999999`,
      `/api/emails/export?${name}=${id}`,
    ]) {
      const { status, body } = await call('GET', url);
      expect([status, body.code]).toEqual([400, 'invalid_input']);
      expect(body.message).toMatch(/was deleted|not there any more/);
    }
    expect((await call('DELETE', '/api/emails/bulk', { filter: { [name]: [id] } })).status).toBe(400);
    await done('POST', `${path}/${id}/restore`);
    expect(await listed(`${name}=${id}`)).toEqual(['ann@acme.co.uk']);
    expect((await call('GET', `/api/emails?${name}=${id}`, undefined, { cookie: other.cookie })).status).toBe(
      400,
    );
    for (const bad of ['0', '-1', '1.5', 'x', '3,', '99999999999'])
      expect((await call('GET', `/api/emails?${name}=${bad}`)).status).toBe(400);
  });

  it('stands on each contact with its date and its source', async () => {
    const [ann] = await addAll('ann@acme.co.uk');
    const id = await make();
    await done('POST', `${path}/${id}/contacts`, { ids: [ann] });
    const of = (contact: Record<string, unknown>) => contact[`${name}s`] as { id: number }[];
    const mine = expect.objectContaining({
      id,
      name: 'VIP',
      source: 'chosen',
      addedAt: expect.stringMatching(/Z$/),
    });
    expect(of(await done('GET', `/api/emails/${ann}`))).toEqual([mine]);
    expect(of((await done('GET', '/api/emails')).emails[0])).toEqual([mine]);
    await done('DELETE', `${path}/${id}`);
    expect(of(await done('GET', `/api/emails/${ann}`))).toEqual([]);
  });

  it('undoes an addition and a removal, and only what they did', async () => {
    const [ann, bob] = await addAll('ann@acme.co.uk', 'bob@acme.co.uk');
    const id = await make();
    await done('POST', `${path}/${id}/contacts`, { ids: [ann] });
    const added = await done('POST', `${path}/${id}/contacts`, { filter: {} });
    const removed = await done('DELETE', `${path}/${id}/contacts`, { filter: {} });
    expect(await counted(id)).toBe(0);
    expect(await done('POST', `/api/membership-changes/${removed.changeId}/undo`)).toEqual({ undone: 2 });
    expect(await done('POST', `/api/membership-changes/${added.changeId}/undo`)).toEqual({ undone: 1 });
    expect(await listed(`${name}=${id}`)).toEqual(['ann@acme.co.uk']);
    expect((await call('POST', `/api/membership-changes/${added.changeId}/undo`)).status).toBe(409);
    expect((await call('POST', '/api/membership-changes/999999/undo')).status).toBe(404);
    expect(bob).toBeGreaterThan(0);
  });

  it('follows contacts into the bin and back, also one whose change is undone meanwhile', async () => {
    const [ann, bob] = await addAll('ann@acme.co.uk', 'bob@acme.co.uk');
    const id = await make();
    await done('POST', `${path}/${id}/contacts`, { ids: [ann] });
    const { changeId } = await done('POST', `${path}/${id}/contacts`, { ids: [bob] });
    const { removalId } = await done('DELETE', '/api/emails/bulk', { ids: [ann, bob] });
    expect(await counted(id)).toBe(0);
    await done('POST', `/api/membership-changes/${changeId}/undo`);
    await done('POST', `/api/removals/${removalId}/restore`);
    expect(await listed(`${name}=${id}`)).toEqual(['ann@acme.co.uk']);
  });

  it('keeps a contact’s place while it is left in the bin, because its address exists again', async () => {
    const [ann = 0, bob] = await addAll('ann@acme.co.uk', 'bob@acme.co.uk');
    const id = await make();
    await done('POST', `${path}/${id}/contacts`, { ids: [ann, bob] });
    const { removalId } = await done('DELETE', '/api/emails/bulk', { ids: [ann, bob] });
    const again = await add('ann@acme.co.uk');
    await done('POST', `/api/removals/${removalId}/restore`);
    expect(await listed(`${name}=${id}`)).toEqual(['bob@acme.co.uk']);
    await done('DELETE', `/api/emails/${again}`);
    await done('POST', `/api/removals/${removalId}/restore`);
    expect(await listed(`${name}=${id}`)).toEqual(['ann@acme.co.uk', 'bob@acme.co.uk']);
  });

  it('unites what merged contacts had, and parts it again', async () => {
    const [ann, bob] = await addAll('ann@acme.co.uk', 'bob@acme.co.uk');
    const [one, other] = [await make('One'), await make('Other')];
    await done('POST', `${path}/${one}/contacts`, { ids: [ann, bob] });
    await done('POST', `${path}/${other}/contacts`, { ids: [bob] });
    const { mergeId } = await done('POST', '/api/review/duplicates/merge', { keepId: ann, otherIds: [bob] });
    expect([await listed(`${name}=${one}`), await listed(`${name}=${other}`)]).toEqual([
      ['ann@acme.co.uk'],
      ['ann@acme.co.uk'],
    ]);
    await done('POST', `/api/merges/${mergeId}/undo`);
    expect(await listed(`${name}=${one}`)).toEqual(['ann@acme.co.uk', 'bob@acme.co.uk']);
    expect(await listed(`${name}=${other}`)).toEqual(['bob@acme.co.uk']);
  });

  it('parts what merged contacts had only from who has it by no other merge', async () => {
    const [ann, bob, cat] = await addAll('ann@acme.co.uk', 'bob@acme.co.uk', 'cat@acme.co.uk');
    const [one, other] = [await make('One'), await make('Other')];
    for (const id of [one, other]) await done('POST', `${path}/${id}/contacts`, { ids: [bob, cat] });
    const merges = [await mergeInto(ann, bob), await mergeInto(ann, cat)];
    await done('DELETE', `${path}/${other}/contacts`, { ids: [ann] });
    await done('POST', `/api/merges/${merges[0]}/undo`);
    expect(await listed(`${name}=${one}`)).toEqual(['ann@acme.co.uk', 'bob@acme.co.uk']);
    // Somebody took it off since, and no merge knows better.
    expect(await listed(`${name}=${other}`)).toEqual(['bob@acme.co.uk']);
    await done('POST', `/api/merges/${merges[1]}/undo`);
    expect(await listed(`${name}=${one}`)).toEqual(['bob@acme.co.uk', 'cat@acme.co.uk']);
  });

  it('parts it in the bin too, where a kept contact has gone since', async () => {
    const [ann, bob, cat] = await addAll('ann@acme.co.uk', 'bob@acme.co.uk', 'cat@acme.co.uk');
    const [one, other] = [await make('One'), await make('Other')];
    await done('POST', `${path}/${one}/contacts`, { ids: [bob, cat] });
    await done('POST', `${path}/${other}/contacts`, { ids: [bob] });
    const [first] = [await mergeInto(ann, bob), await mergeInto(ann, cat)];
    const { removalId } = await done('DELETE', '/api/emails/bulk', { ids: [ann] });
    await done('POST', `/api/merges/${first}/undo`);
    await done('POST', `/api/removals/${removalId}/restore`);
    expect(await listed(`${name}=${one}`)).toEqual(['ann@acme.co.uk', 'bob@acme.co.uk']);
    expect(await listed(`${name}=${other}`)).toEqual(['bob@acme.co.uk']);
  });

  it.each(['hand', 'a file', 'an undo'])('leaves on it who was added by %s since a merge', async (by) => {
    const [ann, bob] = await addAll('ann@acme.co.uk', 'bob@acme.co.uk');
    const id = await make();
    await done('POST', `${path}/${id}/contacts`, { ids: by === 'an undo' ? [ann, bob] : [bob] });
    const { changeId } = await done('DELETE', `${path}/${id}/contacts`, { ids: [ann] });
    const mergeId = await mergeInto(ann, bob);
    if (by === 'hand') {
      const added = await done('POST', `${path}/${id}/contacts`, { ids: [ann] });
      expect(added).toMatchObject({ added: 0, alreadyThere: 1, changeId: null });
    } else if (by === 'a file') await importInto(id, 'ann@acme.co.uk');
    else await done('POST', `/api/membership-changes/${changeId}/undo`);
    expect(await counted(id)).toBe(1);
    await done('POST', `/api/merges/${mergeId}/undo`);
    expect(await listed(`${name}=${id}`)).toEqual(['ann@acme.co.uk', 'bob@acme.co.uk']);
  });

  it.each(['hand', 'a file'])('leaves a merge what it gave, when an addition by %s is undone', async (by) => {
    const [ann, bob] = await addAll('ann@acme.co.uk', 'bob@acme.co.uk', 'cat@acme.co.uk');
    const id = await make();
    await done('POST', `${path}/${id}/contacts`, { ids: [bob] });
    const mergeId = await mergeInto(ann, bob);
    if (by === 'hand') {
      const added = await done('POST', `${path}/${id}/contacts`, { filter: {} });
      expect(added).toMatchObject({ added: 1, alreadyThere: 1 });
      const undo = await done('POST', `/api/membership-changes/${added.changeId}/undo`);
      expect(undo).toEqual({ undone: 1 });
    } else {
      const importId = await importInto(id, 'ann@acme.co.uk', 'cat@acme.co.uk');
      await done('POST', `/api/imports/${importId}/undo`);
    }
    expect(await listed(`${name}=${id}`)).toEqual(['ann@acme.co.uk']);
    await done('POST', `/api/merges/${mergeId}/undo`);
    expect(await listed(`${name}=${id}`)).toEqual(['bob@acme.co.uk']);
  });

  it('keeps nothing of a merge where somebody took it off before an addition that is undone', async () => {
    const [ann, bob] = await addAll('ann@acme.co.uk', 'bob@acme.co.uk');
    const id = await make();
    await done('POST', `${path}/${id}/contacts`, { ids: [bob] });
    await mergeInto(ann, bob);
    await done('DELETE', `${path}/${id}/contacts`, { ids: [ann] });
    const { changeId } = await done('POST', `${path}/${id}/contacts`, { ids: [ann] });
    expect(await done('POST', `/api/membership-changes/${changeId}/undo`)).toEqual({ undone: 1 });
    expect(await counted(id)).toBe(0);
  });

  it.each(['an addition', 'a file', 'a merge'])(
    'does not bring back what %s gave that is undone, by undoing a removal since',
    async (by) => {
      const [ann, bob] = await addAll('ann@acme.co.uk', 'bob@acme.co.uk', 'cat@acme.co.uk');
      const id = await make();
      await done('POST', `${path}/${id}/contacts`, { ids: [bob] });
      let undo: string;
      if (by === 'an addition') {
        const { changeId } = await done('POST', `${path}/${id}/contacts`, { ids: [ann] });
        undo = `/api/membership-changes/${changeId}/undo`;
      } else if (by === 'a file') undo = `/api/imports/${await importInto(id, 'ann@acme.co.uk')}/undo`;
      else undo = `/api/merges/${await mergeInto(ann, bob)}/undo`;
      const removed = await done('DELETE', `${path}/${id}/contacts`, { filter: {} });
      await done('POST', undo);
      await done('POST', `/api/membership-changes/${removed.changeId}/undo`);
      expect(await listed(`${name}=${id}`)).toEqual(['bob@acme.co.uk']);
    },
  );

  it('takes many as a task, in pieces, and undoes it', async () => {
    await addMany(25_000);
    const id = await make();
    const added = await done('POST', `${path}/${id}/contacts`, { filter: {} });
    expect(added).toMatchObject({ added: 25_000, alreadyThere: 0 });
    expect(await counted(id)).toBe(25_000);
    const removed = await done('DELETE', `${path}/${id}/contacts`, { filter: { search: 'many1' } });
    expect(await counted(id)).toBe(25_000 - removed.removed);
    expect((await done('POST', `/api/membership-changes/${removed.changeId}/undo`)).undone).toBe(
      removed.removed,
    );
    expect((await done('POST', `/api/membership-changes/${added.changeId}/undo`)).undone).toBe(25_000);
    expect(await counted(id)).toBe(0);
    const { items } = await done('GET', '/api/audit?area=lists');
    expect(items.map(({ action }: { action: string }) => action)).toContain(`${name}.contacts_added`);
  });

  it('takes out in pieces, also who goes to the bin between two of them', async () => {
    await addMany(20_500);
    const id = await make();
    const { changeId } = await done('POST', `${path}/${id}/contacts`, { filter: {} });
    const { workspaceId } = person;
    const { rows } = await app.database.asTenant(workspaceId, (tx) =>
      sql<{ last: number }>`select max(id) as last from contacts where workspace_id = ${workspaceId}`.execute(
        tx,
      ),
    );
    // The first piece waits for the list or tag, and the removal of the last one for that piece.
    const { undo, removal } = await app.database.asTenant(workspaceId, async (tx) => {
      await sql`select from ${sql.table(`${name}s`)} where workspace_id = ${workspaceId} and id = ${id} for update`.execute(
        tx,
      );
      const undo = inBackground(() => done('POST', `/api/membership-changes/${changeId}/undo`));
      await expect.poll(() => waitingForLocks(app)).toBe(1);
      const removal = inBackground(() => done('DELETE', `/api/emails/${rows[0]?.last}`));
      await expect.poll(() => waitingForLocks(app)).toBe(2);
      return { undo, removal };
    });
    const { removalId } = await removal;
    expect(await undo).toEqual({ undone: 20_499 });
    await done('POST', `/api/removals/${removalId}/restore`);
    expect(await counted(id)).toBe(0);
  });

  it('undoes an addition of a few by a task, wherever they are among many', async () => {
    await addMany(10_001);
    const id = await make();
    await done('POST', `${path}/${id}/contacts`, { filter: {} });
    await add('late@acme.co.uk');
    const { added, changeId } = await done('POST', `${path}/${id}/contacts`, { filter: {} });
    expect(added).toBe(1);
    expect(await done('POST', `/api/membership-changes/${changeId}/undo`)).toEqual({ undone: 1 });
    expect(await counted(id)).toBe(10_001);
  });

  it('stops a task or an undo whose group is deleted meanwhile, and says so', async () => {
    await addMany(10_001);
    const id = await make();
    const respondAsync = { cookie: person.cookie, prefer: 'respond-async' };
    const { workspaceId } = person;
    const failsWhenDeleted = async (url: string, payload?: object) => {
      const task = await app.database.asTenant(workspaceId, async (tx) => {
        await holdRemovals(tx, workspaceId);
        const { body } = await call('POST', url, payload, respondAsync);
        await done('DELETE', `${path}/${id}`);
        return body.taskId;
      });
      await expect.poll(async () => (await done('GET', `/api/tasks/${task}`)).status).toBe('failed');
      expect((await done('GET', `/api/tasks/${task}`)).error).toContain('was deleted');
    };
    await failsWhenDeleted(`${path}/${id}/contacts`, { filter: {} });
    expect((await done('POST', `${path}/${id}/restore`)).contactCount).toBe(0);

    const { changeId } = await done('POST', `${path}/${id}/contacts`, { filter: {} });
    await failsWhenDeleted(`/api/membership-changes/${changeId}/undo`);
    const { items } = await done('GET', '/api/audit?area=lists');
    expect(items[0]).toMatchObject({
      action: `${name}.contacts_put_back`,
      details: { undone: 0, end: 'failed' },
    });
    await done('POST', `${path}/${id}/restore`);
    expect(await done('POST', `/api/membership-changes/${changeId}/undo`)).toEqual({ undone: 10_001 });
  });

  it('is refused to a viewer of another workspace, and asks for a name', async () => {
    const id = await make();
    const other = await signUp(app.app);
    for (const [method, url] of [
      ['GET', `${path}/${id}`],
      ['DELETE', `${path}/${id}`],
      ['POST', `${path}/${id}/restore`],
    ] as const)
      expect((await call(method, url, undefined, { cookie: other.cookie })).status).toBe(404);
    const { status, body } = await call('POST', path, { name: '  ' });
    expect([status, body.message]).toEqual([
      400,
      expect.stringContaining(name === 'list' ? 'List name is required' : 'Tag name is required'),
    ]);
    expect((await call('POST', path, {})).body.message).toContain('name is required');
  });
});

describe('what is forgotten at night', () => {
  const forget = () => purge(app.database, person.workspaceId, [listKind, tagKind], undefined);
  const raw = (statement: ReturnType<typeof sql>) => statement.execute(app.owner.system);
  /** Makes all changes so many days and a minute old. */
  const age = (days: number) =>
    raw(sql`
      update membership_changes set created_at = now() - make_interval(days => ${days}::int, mins => 1)
      where workspace_id = ${person.workspaceId}`);

  /** An undo that is killed as soon as it has begun. */
  async function begunUndo(changeId: number) {
    const task = undoTask(app.use(membershipsPort));
    const killed = new AbortController();
    const begun = {
      ...{ workspaceId: person.workspaceId, taskId: 1, userId: null, actor: person.email },
      ...{ input: { changeId, count: 2 }, signal: killed.signal, progress: () => killed.abort() },
      state: null as TaskContext<unknown>['state'],
      async checkpoint(_tx: unknown, state: Record<string, unknown>) {
        begun.state = state;
      },
    };
    await expect(task.run(begun)).rejects.toThrow('aborted');
    const again = () => ({ ...begun, signal: new AbortController().signal, progress: () => {} });
    return {
      goesOn: () => task.run(again()),
      breaksOff: () => task.broken?.(again(), { status: 'failed', message: '' }),
    };
  }

  it('is nothing that an undo under way still takes', async () => {
    await addAll('ann@acme.co.uk', 'bob@acme.co.uk');
    const { id } = await done('POST', '/api/lists', { name: 'VIP' });
    const { changeId: added } = await done('POST', `/api/lists/${id}/contacts`, { filter: {} });
    const { changeId: removed } = await done('DELETE', `/api/lists/${id}/contacts`, { filter: {} });
    for (const changeId of [removed, added]) {
      await age(29);
      const undo = await begunUndo(changeId);
      await age(30);
      await forget();
      expect(await undo.goesOn()).toEqual({ undone: 2 });
      expect(await listed(`list=${id}`)).toHaveLength(changeId === removed ? 2 : 0);
    }
  });

  it('is a change that is older, and an undo of it says so', async () => {
    await addAll('ann@acme.co.uk', 'bob@acme.co.uk');
    const { id } = await done('POST', '/api/lists', { name: 'VIP' });
    const { changeId } = await done('POST', `/api/lists/${id}/contacts`, { filter: {} });
    const undo = await begunUndo(changeId);
    await age(31);
    await forget();
    await expect(undo.goesOn()).rejects.toMatchObject({ kind: 'not_found' });
    expect(await undo.breaksOff()).toEqual({ undone: 0 });
    expect(await listed(`list=${id}`)).toHaveLength(2);
  });

  it.each(kinds)('is a $name that was deleted long ago, and none that is restored just then', async (one) => {
    const { path, name } = one;
    const [groups, members] = name === 'list' ? ['lists', 'list_members'] : ['tags', 'contact_tags'];
    const { workspaceId } = person;
    await addAll('ann@acme.co.uk', 'bob@acme.co.uk');
    const { id } = await done('POST', path, { name: 'VIP' });
    await done('POST', `${path}/${id}/contacts`, { filter: {} });
    const wasDeleted = (ago: string | null) => sql`
      update ${sql.table(groups)} set deleted_at = now() - ${ago}::interval
      where workspace_id = ${workspaceId} and id = ${id}`;
    const countIn = async (table: string) =>
      (await raw(sql`select from ${sql.table(table)} where workspace_id = ${workspaceId}`)).rows.length;
    await raw(wasDeleted('30 days 1 minute'));
    await forget();
    expect(await countIn(groups)).toBe(1);

    await raw(wasDeleted('32 days'));
    const { forgetting } = await app.database.asTenant(workspaceId, async (tx) => {
      await wasDeleted(null).execute(tx);
      const forgetting = inBackground(forget);
      await expect.poll(() => waitingForLocks(app)).toBe(1);
      return { forgetting };
    });
    await forgetting;
    expect(await listed(`${name}=${id}`)).toHaveLength(2);

    await raw(wasDeleted('32 days'));
    await forget();
    expect([await countIn(groups), await countIn(members)]).toEqual([0, 0]);
  });
});
