import type { TenantTx } from '#platform/server/database.ts';
import { needView } from './find-view.ts';
import { note, tell } from './note-and-tell.ts';
import { needEditor, type Person } from './person.ts';
import { forgetDeleted, lockView, markDeleted } from './queries.ts';

/** Deletes a view. It can be restored for a day. */
export async function removeView(tx: TenantTx, person: Person, id: number): Promise<{ deleted: 1 }> {
  const { workspaceId } = person;
  await lockView(tx, workspaceId, id);
  const row = await needView(tx, person, id);
  if (row.shared) needEditor(person);
  await forgetDeleted(tx, workspaceId);
  await markDeleted(tx, workspaceId, id);
  await note(tx, person, 'view.deleted', id, { name: row.name, shared: row.shared });
  if (row.shared) await tell(tx, person, 'View Deleted', `The shared view “${row.name}” was deleted`);
  return { deleted: 1 };
}
