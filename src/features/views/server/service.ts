import { recordActivity } from '#features/activities/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import { sqlState, type TenantTx } from '#platform/server/database.ts';
import { mayAs, type Role } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { mostViews, type View, type ViewChoices, type ViewScreen, type ViewState } from '../contract.ts';
import { pathOfView, plainColumns, plainState, readViewState, sameState, viewNameProblem } from '../rules.ts';
import * as queries from './queries.ts';

/** Who works with views. */
export interface Person {
  workspaceId: number;
  userId: number;
  email: string;
  role: Role;
}

/** The views that a person sees, and what they chose. */
export async function listFor(
  tx: TenantTx,
  person: Person,
  screen: ViewScreen,
): Promise<ViewChoices & { items: View[] }> {
  const rows = await queries.selectViews(tx, person.workspaceId, person.userId, screen);
  return { items: rows.map((row) => present(row, person)), ...(await choicesOf(tx, person, screen)) };
}

/**
 * Stores what a screen shows under a name. Throws `forbidden`, `invalid_input`, `already_exists` or
 * `conflict`.
 */
export async function save(
  tx: TenantTx,
  person: Person,
  given: { screen: ViewScreen; name: string; shared: boolean; isDefault: boolean; state: ViewState },
): Promise<View> {
  const { workspaceId, userId } = person;
  const { screen, shared } = given;
  const name = checkedName(given.name);
  if (shared) needEditor(person);
  await queries.lockChoices(tx, workspaceId, userId, screen);
  await refuseTooMany(tx, workspaceId, userId, screen);
  const state = plainState(given.state);
  const id = await named(name, shared, () =>
    queries.insertView(tx, workspaceId, { screen, ownerId: userId, name, shared, state }),
  );
  if (given.isDefault) await queries.updateDefault(tx, workspaceId, userId, screen, id);
  await note(tx, person, 'view.created', id, { name, shared });
  if (shared) await tellShared(tx, person, { id, name, state });
  return findFor(tx, person, id);
}

/**
 * Changes a view. Writing the same values again leaves no trace. Throws `changed_meanwhile` when
 * the view is newer than `updatedAt`.
 */
export async function change(
  tx: TenantTx,
  person: Person,
  id: number,
  wanted: {
    name?: string | undefined;
    shared?: boolean | undefined;
    state?: ViewState | undefined;
    updatedAt?: string | undefined;
  },
): Promise<View> {
  const { workspaceId } = person;
  await queries.lockView(tx, workspaceId, id);
  const row = await seen(tx, person, id);
  const shared = wanted.shared ?? row.shared;
  if (row.shared || shared) needEditor(person);
  if (row.shared && !shared && row.ownerId !== person.userId) {
    throw new AppError(
      'forbidden',
      `Only ${row.madeBy ?? 'who made this view'} can make it private again. You can delete it.`,
    );
  }
  const name = wanted.name === undefined ? row.name : checkedName(wanted.name);
  const { state: before, problem } = readViewState(row.state);
  if (problem !== null && wanted.state !== undefined) throw new AppError('conflict', problem);
  const state = wanted.state === undefined ? before : plainState(wanted.state);
  const changed = {
    ...(name === row.name ? {} : { name: { from: row.name, to: name } }),
    ...(shared === row.shared ? {} : { shared: { from: row.shared, to: shared } }),
    ...(sameState(before, state) ? {} : { state }),
  };
  if (Object.keys(changed).length === 0) return present(row, person);
  refuseChanged(row, person, wanted.updatedAt);
  await named(name, shared, () =>
    queries.updateView(
      tx,
      workspaceId,
      id,
      { name, shared, state: problem ? row.state : state },
      person.userId,
    ),
  );
  await note(tx, person, 'view.changed', id, { name: row.name, ...changed });
  if (shared && !row.shared) await tellShared(tx, person, { id, name, state });
  return findFor(tx, person, id);
}

/** Deletes a view. It can be restored for a day. */
export async function remove(tx: TenantTx, person: Person, id: number): Promise<{ deleted: 1 }> {
  const { workspaceId } = person;
  await queries.lockView(tx, workspaceId, id);
  const row = await seen(tx, person, id);
  if (row.shared) needEditor(person);
  await queries.forgetDeleted(tx, workspaceId);
  await queries.markDeleted(tx, workspaceId, id);
  await note(tx, person, 'view.deleted', id, { name: row.name, shared: row.shared });
  if (row.shared) await tell(tx, person, 'View Deleted', `The shared view “${row.name}” was deleted`);
  return { deleted: 1 };
}

/** Restores a view. One that is not deleted stays as it is. */
export async function restore(tx: TenantTx, person: Person, id: number): Promise<View> {
  const { workspaceId } = person;
  await queries.lockView(tx, workspaceId, id);
  const row = await queries.selectView(tx, workspaceId, person.userId, id, true);
  if (!row) return findFor(tx, person, id);
  if (row.shared) needEditor(person);
  await queries.lockChoices(tx, workspaceId, row.ownerId, row.screen);
  await refuseTooMany(tx, workspaceId, row.ownerId, row.screen);
  await named(row.name, row.shared, () => queries.unmarkDeleted(tx, workspaceId, id));
  await note(tx, person, 'view.restored', id, { name: row.name, shared: row.shared });
  return findFor(tx, person, id);
}

/** Stores which view opens first for a person, and which columns they usually see. */
export async function choose(
  tx: TenantTx,
  person: Person,
  screen: ViewScreen,
  wanted: { defaultId?: number | null | undefined; columns?: string[] | null | undefined },
): Promise<ViewChoices> {
  const { workspaceId, userId } = person;
  const { defaultId, columns } = wanted;
  await queries.lockChoices(tx, workspaceId, userId, screen);
  if (defaultId !== undefined) {
    if (defaultId !== null) await seen(tx, person, defaultId);
    await queries.updateDefault(tx, workspaceId, userId, screen, defaultId);
  }
  if (columns !== undefined) {
    await queries.updateColumns(tx, workspaceId, userId, screen, columns && plainColumns(columns));
  }
  return choicesOf(tx, person, screen);
}

async function choicesOf(tx: TenantTx, person: Person, screen: ViewScreen): Promise<ViewChoices> {
  const row = await queries.selectChoices(tx, person.workspaceId, person.userId, screen);
  // Uses the same reader as views do, because the stored columns may come from another version.
  const { columns } = readViewState({ columns: row.columns }).state;
  return { defaultId: row.defaultId, columns: columns ?? null };
}

const gone = () => new AppError('not_found', 'This view is not there any more. Reload the page.');

async function seen(tx: TenantTx, person: Person, id: number): Promise<queries.ViewRow> {
  const row = await queries.selectView(tx, person.workspaceId, person.userId, id);
  if (!row) throw gone();
  return row;
}

const findFor = async (tx: TenantTx, person: Person, id: number): Promise<View> =>
  present(await seen(tx, person, id), person);

/** A person who saw an older version has not seen what they would overwrite. */
function refuseChanged(
  { name, updatedAt, updatedById, updatedBy }: queries.ViewRow,
  { userId }: Person,
  seen: string | undefined,
): void {
  if (seen === undefined || Date.parse(seen) === updatedAt.getTime()) return;
  const message =
    updatedById === userId
      ? `You have changed “${name}” in another window since you opened it here.`
      : `${updatedBy ?? 'Somebody'} has changed “${name}” since you opened it.`;
  throw new AppError('changed_meanwhile', `${message} Nothing was saved yet.`);
}

const present = (
  { ownerId, state, createdAt, updatedAt, updatedById, updatedBy, ...row }: queries.ViewRow,
  person: Person,
): View => ({
  ...row,
  isOwn: ownerId === person.userId,
  ...readViewState(state),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

function checkedName(given: string): string {
  const problem = viewNameProblem(given);
  if (problem !== null) throw new AppError('invalid_input', problem, { fields: { name: problem } });
  return given.trim();
}

function needEditor({ role }: Person): void {
  if (mayAs(role, 'editor')) return;
  throw new AppError(
    'forbidden',
    `Shared views need the editor role; yours is ${role}. You can save a view for yourself.`,
  );
}

async function refuseTooMany(
  tx: TenantTx,
  workspaceId: number,
  ownerId: number,
  screen: ViewScreen,
): Promise<void> {
  if ((await queries.countOwn(tx, workspaceId, ownerId, screen)) < mostViews) return;
  throw new AppError('conflict', `A person has at most ${mostViews} views. Delete one first.`);
}

/** Runs work that names a view, and says in words when another view has the name. */
async function named<T>(name: string, shared: boolean, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) !== '23505') throw error;
    const whose = shared ? 'A shared view' : 'A view of yours';
    const message = `${whose} is already called “${name}”. Give another name.`;
    throw new AppError('already_exists', message, { fields: { name: message }, cause: error });
  }
}

const note = (tx: TenantTx, person: Person, action: string, id: number, details: Record<string, unknown>) =>
  recordAudit(tx, person.workspaceId, { actor: person.email, action, subject: `view:${id}`, details });

const tellShared = (tx: TenantTx, person: Person, { id, name, state }: Pick<View, 'id' | 'name' | 'state'>) =>
  tell(
    tx,
    person,
    'View Shared',
    `“${name}” is there for everybody in the workspace`,
    pathOfView({ id, state }),
  );

const tell = (tx: TenantTx, person: Person, action: string, details: string, link = '/email-database') =>
  recordActivity(tx, person.workspaceId, {
    action,
    details,
    status: 'completed',
    icon: 'bookmark',
    iconColor: 'primary',
    actor: person.email,
    link,
  });
