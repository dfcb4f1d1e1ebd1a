import { undoneUntil, undoStateOf } from '#features/tasks/rules/undoable.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { FieldChange } from '../contract.ts';
import { type ChangeRow, selectChanges } from './change-queries.ts';

/** A page of past changes, newest first. */
export async function listChanges(
  tx: TenantTx,
  workspaceId: number,
  page: { page: number; limit: number },
): Promise<{ items: FieldChange[]; totalCount: number }> {
  const { rows, totalCount } = await selectChanges(tx, workspaceId, page);
  const now = new Date();
  return { items: rows.map((row) => present(row, now)), totalCount };
}

function present(row: ChangeRow, now: Date): FieldChange {
  const { id, what, contacts, changedBy, createdAt, undone } = row;
  return {
    ...{ id, what, contacts, changedBy, undone },
    createdAt: createdAt.toISOString(),
    expiresAt: undoneUntil(createdAt).toISOString(),
    state: undoStateOf(row, now),
  };
}
