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

interface Membership {
  /** The change, the import or the merge that it came by. */
  by: string;
  /** The step in which the contact got it, or the one that was merged into it. */
  since: number;
}

interface Group {
  path: string;
  id: number;
  isDeleted: boolean;
  /** Each member, also in the bin. */
  members: Map<number, Membership>;
}

interface Model {
  step: number;
  alive: Set<number>;
  groups: Group[];
  changes: { id: number; group: Group; removed: Map<number, Membership> | null }[];
  removals: { id: number; contacts: number[] }[];
  merges: { id: number; at: number; kept: number; others: number[] }[];
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

const isByMerge = ({ by }: Membership) => by.startsWith('merge');

/** Puts a contact into a group, unless it is there by more than a merge. */
function put(model: Model, { members }: Group, id: number, by: string): void {
  const standing = members.get(id);
  if (!standing) members.set(id, { by, since: model.step });
  else if (isByMerge(standing) && model.merges.some(({ kept }) => kept === id))
    members.set(id, { ...standing, by });
}

/** Takes from contacts what they got by this, unless a merge gives it as well. */
function takeBack(
  { merges }: Model,
  { members }: Group,
  by: string,
  { ids = [...members.keys()], after = 0 }: { ids?: number[]; after?: number } = {},
): void {
  const given = (id: number, { since }: Membership): Membership | undefined => {
    for (const { id: number, at, kept, others } of merges) {
      if (kept !== id || at <= since || number <= after) continue;
      const theirs = others.flatMap((one) => members.get(one) ?? []).filter((one) => one.by !== by);
      if (theirs.length > 0)
        return { by: `merge ${number}`, since: Math.min(...theirs.map((one) => one.since)) };
    }
    return undefined;
  };
  const meant = ids.flatMap((id) => {
    const standing = members.get(id);
    return standing?.by === by ? [{ id, instead: given(id, standing) }] : [];
  });
  for (const { id, instead } of meant) {
    if (instead) members.set(id, instead);
    else members.delete(id);
  }
}

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
    put(model, group, contact.id, `import ${id}`);
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
  const ids = [...found.group.members.keys()].filter((id) => !binned.has(id));
  takeBack(model, found.group, `import ${found.id}`, { ids });
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
  for (const id of meant) put(model, group, id, `change ${body.changeId}`);
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
  for (const [id, was] of change.removed ?? []) {
    const standing = members.get(id);
    if (!standing || (isByMerge(standing) && !isByMerge(was))) members.set(id, was);
  }
  if (!change.removed) takeBack(model, change.group, `change ${change.id}`);
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
  const [one, ...more] = idsOf(model, draw);
  // Often one that others were merged into before.
  const again = pick(
    model.merges.filter((earlier) => model.alive.has(earlier.kept)),
    draw.one,
  );
  const kept = draw.other % 2 === 0 ? (again?.kept ?? one) : one;
  const others = [...(one === undefined ? [] : [one]), ...more].filter((id) => id !== kept);
  if (kept === undefined || others.length === 0) return;
  const { body } = await call('POST', '/api/review/duplicates/merge', { keepId: kept, otherIds: others });
  for (const id of others) model.alive.delete(id);
  for (const { members } of model.groups) {
    const theirs = others.flatMap((id) => members.get(id)?.since ?? []);
    if (!members.has(kept) && theirs.length > 0)
      members.set(kept, { by: `merge ${body.mergeId}`, since: Math.min(...theirs) });
  }
  model.merges.push({ id: body.mergeId, at: model.step, kept, others });
}

async function unmerge(model: Model, { one }: Draw): Promise<void> {
  const found = pick(model.merges, one);
  if (!found) return;
  const { isDone } = await call('POST', `/api/merges/${found.id}/undo`);
  const isPassedOn = model.merges.some(({ id, others }) => id > found.id && others.includes(found.kept));
  expect(isDone).toBe(!isPassedOn);
  if (!isDone) return;
  model.merges.splice(model.merges.indexOf(found), 1);
  for (const id of found.others) model.alive.add(id);
  for (const group of model.groups)
    takeBack(model, group, `merge ${found.id}`, { ids: [found.kept], after: found.id });
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
    step: 0,
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
    model.step = at + 1;
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
