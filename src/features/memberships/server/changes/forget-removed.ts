import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { GroupKind } from '../group-kind.ts';

/**
 * Forgets the memberships `r` for which `isUndone` is true among those that removals keep for their
 * undo. What gave these memberships is undone itself, and a removal does not bring them back.
 */
export async function forgetRemoved(
  tx: TenantTx,
  workspaceId: number,
  { kind }: GroupKind,
  isUndone: Fragment,
): Promise<void> {
  await sql`
    delete from removed_memberships r
    where r.workspace_id = ${workspaceId} and r.change_id <> 0 and r.kind = ${kind} and ${isUndone}`.execute(
    tx,
  );
}
