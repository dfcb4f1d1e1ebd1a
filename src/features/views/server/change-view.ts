import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { View, ViewState } from '../contract.ts';
import { plainState, readViewState, sameState } from '../rules.ts';
import { findView, needView, present } from './find-view.ts';
import { note, tellShared } from './note-and-tell.ts';
import { needEditor, type Person } from './person.ts';
import { lockView, updateView, type ViewRow } from './queries.ts';
import { checkedName, named } from './view-names.ts';

/**
 * Changes a view. Writing the same values again leaves no trace. Throws `changed_meanwhile` when
 * the view is newer than `updatedAt`.
 */
export async function changeView(
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
  await lockView(tx, workspaceId, id);
  const row = await needView(tx, person, id);
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
    updateView(tx, workspaceId, id, { name, shared, state: problem ? row.state : state }, person.userId),
  );
  await note(tx, person, 'view.changed', id, { name: row.name, ...changed });
  if (shared && !row.shared) await tellShared(tx, person, { id, name, state });
  return findView(tx, person, id);
}

/** A person who saw an older version has not seen what they would overwrite. */
function refuseChanged(
  { name, updatedAt, updatedById, updatedBy }: ViewRow,
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
