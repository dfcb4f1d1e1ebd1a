import type { TenantTx } from '#platform/server/database.ts';
import type { View } from '../contract.ts';
import { findView } from './find-view.ts';
import { note } from './note-and-tell.ts';
import { needEditor, type Person } from './person.ts';
import { lockChoices, lockView, selectView, unmarkDeleted } from './queries.ts';
import { refuseTooMany } from './refuse-too-many.ts';
import { named } from './view-names.ts';

/** Restores a view. One that is not deleted stays as it is. */
export async function restoreView(tx: TenantTx, person: Person, id: number): Promise<View> {
  const { workspaceId } = person;
  await lockView(tx, workspaceId, id);
  const row = await selectView(tx, workspaceId, person.userId, id, true);
  if (!row) return findView(tx, person, id);
  if (row.shared) needEditor(person);
  await lockChoices(tx, workspaceId, row.ownerId, row.screen);
  await refuseTooMany(tx, workspaceId, row.ownerId, row.screen);
  await named(row.name, row.shared, () => unmarkDeleted(tx, workspaceId, id));
  await note(tx, person, 'view.restored', id, { name: row.name, shared: row.shared });
  return findView(tx, person, id);
}
