import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { miscounted } from '#test/support/miscounted.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

/*
 * Two hundred random things that people do, beside a plain model of who is on which list and has
 * which tag. After each the counts are those in the tables, and in the end so are all members.
 */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let app: TestApp;
let person: SignedIn;

beforeAll(async () => {
  app = await openTestApp();
  app.tasks.startWork();
  person = await signUp(app.app);
});
afterAll(() => app.close());

type Method = 'GET' | 'POST' | 'DELETE';
async function call(method: Method, url: string, payload?: object) {
  const { cookie } = person;
  const answer = await app.app.inject({ method, url, headers: { cookie }, ...(payload ? { payload } : {}) });
  return { isDone: answer.statusCode < 300, body: answer.json() };
}

interface Group {
  path: string;
  id: number;
  isDeleted: boolean;
  /** Each member, also in the bin, with the change, the import or the merge it came by. */
  members: Map<number, string>;
}

interface Model {
  alive: Set<number>;
  groups: Group[];
  changes: { id: number; group: Group; removed: Map<number, string> | null }[];
  removals: { id: number; contacts: number[] }[];
  merges: { id: number; kept: number; others: number[] }[];
  imports: number;
  /** Imports into a group that can be undone. */
  undoable: { id: number; group: Group }[];
}

interface Draw {
  what: number;
  one: number;
  other: number;
  some: number[];
}

const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)];
const idsOf = ({ alive }: Model, { some }: Draw): number[] => {
  const all = [...alive];
  return [...new Set(some.flatMap((at) => pick(all, at) ?? []))];
};

async function importSome(model: Model): Promise<void> {
  model.imports += 1;
  const rows = Array.from({ length: 12 }, (_, at) => `n${model.imports}x${at}@acme.co.uk`);
  const { id } = (await importCsv(app.app, person.cookie, `email\n${rows.join('\n')}\n`)).json();
  const { emails } = (await call('GET', `/api/emails?importId=${id}&limit=200`)).body;
  for (const contact of emails) model.alive.add(contact.id);
}

async function everybody(): Promise<{ id: number; address: string }[]> {
  const all: { id: number; address: string }[] = [];
  for (let page = 1; ; page++) {
    const { emails } = (await call('GET', `/api/emails?limit=200&page=${page}`)).body;
    all.push(...emails);
    if (emails.length < 200) return all;
  }
}

/** Brings contacts into a group: some new ones, and those of an earlier file. */
async function importInto(model: Model, { one, other }: Draw): Promise<void> {
  const group = pick(
    model.groups.filter(({ isDeleted }) => !isDeleted),
    one,
  );
  if (!group) return;
  model.imports += 1;
  const fresh = Array.from({ length: 3 }, (_, at) => `n${model.imports}x${at}@acme.co.uk`);
  const known = (await everybody()).filter(({ address }) => address.includes(`n${1 + (other % 5)}x`));
  const rows = [...fresh, ...known.slice(0, 3).map(({ address }) => address)];
  const options = group.path === '/api/lists' ? { listId: group.id } : { tagIds: [group.id] };
  const csv = `email\n${rows.join('\n')}\n`;
  const { id } = (await importCsv(app.app, person.cookie, csv, { options })).json();
  for (const contact of await everybody()) {
    if (!rows.includes(contact.address)) continue;
    model.alive.add(contact.id);
    if (!group.members.has(contact.id)) group.members.set(contact.id, `import ${id}`);
  }
  model.undoable.push({ id, group });
}

async function undoImport(model: Model, { one }: Draw): Promise<void> {
  const found = pick(model.undoable, one);
  if (!found) return;
  model.undoable.splice(model.undoable.indexOf(found), 1);
  const { isDone, body } = await call('POST', `/api/imports/${found.id}/undo`);
  expect(isDone).toBe(true);
  const binned = new Set<number>();
  if (body.removalId !== null) {
    const now = new Set((await everybody()).map(({ id }) => id));
    for (const id of model.alive) if (!now.has(id)) binned.add(id);
    for (const id of binned) model.alive.delete(id);
    model.removals.push({ id: body.removalId, contacts: [...binned] });
  }
  expect(body.removed).toBe(binned.size);
  const { members } = found.group;
  for (const [id, by] of members) if (by === `import ${found.id}` && !binned.has(id)) members.delete(id);
}

async function makeGroup(model: Model, { one }: Draw): Promise<void> {
  const path = one % 2 === 0 ? '/api/lists' : '/api/tags';
  const { body } = await call('POST', path, { name: `Group ${model.groups.length}` });
  model.groups.push({ path, id: body.id, isDeleted: false, members: new Map() });
}

async function add(model: Model, draw: Draw): Promise<void> {
  const group = pick(model.groups, draw.one);
  const search = draw.other % 3 === 0 ? `n${1 + (draw.other % 5)}x` : null;
  const meant = search ? await matching(search) : idsOf(model, draw);
  if (!group || meant.length === 0) return;
  const asked = search ? { filter: { search } } : { ids: meant };
  const before = new Map(group.members);
  const { isDone, body } = await call('POST', `${group.path}/${group.id}/contacts`, asked);
  expect(isDone).toBe(!group.isDeleted);
  if (!isDone) return;
  for (const id of meant) if (!before.has(id)) group.members.set(id, `change ${body.changeId}`);
  expect(body.added).toBe(group.members.size - before.size);
  if (body.changeId !== null) model.changes.push({ id: body.changeId, group, removed: null });
}

const matching = async (search: string): Promise<number[]> =>
  (await call('GET', `/api/emails?search=${search}&limit=200`)).body.emails.map(
    ({ id }: { id: number }) => id,
  );

async function takeOut(model: Model, draw: Draw): Promise<void> {
  const group = pick(model.groups, draw.one);
  const ids = idsOf(model, draw);
  if (!group || ids.length === 0) return;
  const { isDone, body } = await call('DELETE', `${group.path}/${group.id}/contacts`, { ids });
  expect(isDone).toBe(!group.isDeleted);
  if (!isDone) return;
  const removed = new Map([...group.members].filter(([id]) => ids.includes(id)));
  for (const id of removed.keys()) group.members.delete(id);
  expect(body.removed).toBe(removed.size);
  if (body.changeId !== null) model.changes.push({ id: body.changeId, group, removed });
}

async function undoChange(model: Model, { one }: Draw): Promise<void> {
  const change = pick(model.changes, one);
  if (!change) return;
  const { isDone } = await call('POST', `/api/membership-changes/${change.id}/undo`);
  expect(isDone).toBe(!change.group.isDeleted);
  if (!isDone) return;
  model.changes.splice(model.changes.indexOf(change), 1);
  const { members } = change.group;
  for (const [id, by] of change.removed ?? []) if (!members.has(id)) members.set(id, by);
  if (change.removed) return;
  for (const [id, by] of members) if (by === `change ${change.id}`) members.delete(id);
}

async function bin(model: Model, draw: Draw): Promise<void> {
  const ids = idsOf(model, draw);
  if (ids.length === 0) return;
  const { body } = await call('DELETE', '/api/emails/bulk', { ids });
  for (const id of ids) model.alive.delete(id);
  model.removals.push({ id: body.removalId, contacts: ids });
}

async function restore(model: Model, { one }: Draw): Promise<void> {
  const removal = pick(model.removals, one);
  if (!removal) return;
  await call('POST', `/api/removals/${removal.id}/restore`);
  model.removals.splice(model.removals.indexOf(removal), 1);
  for (const id of removal.contacts) model.alive.add(id);
}

async function merge(model: Model, draw: Draw): Promise<void> {
  const [kept, ...others] = idsOf(model, draw);
  if (kept === undefined || others.length === 0) return;
  const { body } = await call('POST', '/api/review/duplicates/merge', { keepId: kept, otherIds: others });
  for (const id of others) model.alive.delete(id);
  for (const { members } of model.groups) {
    if (!members.has(kept) && others.some((id) => members.has(id)))
      members.set(kept, `merge ${body.mergeId}`);
  }
  model.merges.push({ id: body.mergeId, kept, others });
}

async function unmerge(model: Model, { one }: Draw): Promise<void> {
  const found = pick(
    model.merges.filter(({ kept }) => model.alive.has(kept)),
    one,
  );
  if (!found) return;
  const { isDone } = await call('POST', `/api/merges/${found.id}/undo`);
  expect(isDone).toBe(true);
  model.merges.splice(model.merges.indexOf(found), 1);
  for (const id of found.others) model.alive.add(id);
  for (const { members } of model.groups) {
    if (members.get(found.kept) === `merge ${found.id}`) members.delete(found.kept);
  }
}

async function deleteOrRestore(model: Model, { one }: Draw): Promise<void> {
  const group = pick(model.groups, one);
  if (!group) return;
  const url = `${group.path}/${group.id}`;
  const { isDone } = group.isDeleted ? await call('POST', `${url}/restore`) : await call('DELETE', url);
  expect(isDone).toBe(true);
  group.isDeleted = !group.isDeleted;
}

const steps = [
  importSome,
  importInto,
  importInto,
  undoImport,
  makeGroup,
  add,
  add,
  add,
  takeOut,
  undoChange,
  bin,
  restore,
  merge,
  unmerge,
  deleteOrRestore,
];

const draw: fc.Arbitrary<Draw> = fc.record({
  what: fc.nat(steps.length - 1),
  one: fc.nat(1000),
  other: fc.nat(1000),
  some: fc.array(fc.nat(1000), { minLength: 1, maxLength: 6 }),
});

it('keeps every count right, whatever people do, and knows who is where', async () => {
  const model: Model = {
    alive: new Set(),
    groups: [],
    changes: [],
    removals: [],
    merges: [],
    imports: 0,
    undoable: [],
  };
  const [draws = []] = fc.sample(fc.array(draw, { minLength: 200, maxLength: 200, size: 'max' }), 1);
  for (const [at, one] of [
    ...[0, 1, 1, 1, 1].map((what, place) => ({ ...draws[place], what, one: place })),
    ...draws,
  ].entries()) {
    const step = steps[(one as Draw).what] as (typeof steps)[number];
    await step(model, one as Draw);
    expect(await miscounted(app, person.workspaceId), `after ${step.name}, step ${at}`).toEqual([]);
  }
  let seen = 0;
  for (const { path, id, isDeleted, members } of model.groups.filter(({ isDeleted }) => !isDeleted)) {
    const filter = path === '/api/lists' ? 'list' : 'tag';
    const { emails, totalCount } = (await call('GET', `/api/emails?${filter}=${id}&limit=200`)).body;
    const there = [...members.keys()].filter((one) => model.alive.has(one));
    expect(isDeleted).toBe(false);
    expect(new Set(emails.map((contact: { id: number }) => contact.id))).toEqual(new Set(there));
    expect(totalCount).toBe(there.length);
    seen += there.length;
  }
  expect(seen).toBeGreaterThan(20);
});
