import { type AuditRow, selectLinesAbout, whoDid } from '#features/audit/server/index.ts';
import type { StoredContact } from '#features/contacts/rules.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { BinEvent } from '../contract/contact-events.ts';
import { type ReturnRow, selectReturns } from './event-queries.ts';
/**
 * The removals a contact came back from. The tables know what and when; the audit log knows who.
 */
export async function tellEvents(
  tx: TenantTx,
  workspaceId: number,
  { id }: StoredContact,
  limit: number,
): Promise<BinEvent[]> {
  const lines = await selectLinesAbout(tx, workspaceId, [`contact:${id}`], limit);
  const returns = await selectReturns(tx, workspaceId, id, removalsIn(lines));
  const ends = returns.map(({ keptId, id: removal }) =>
    keptId === null ? `removal:${removal}` : `contact:${keptId}`,
  );
  return returned(returns, await selectLinesAbout(tx, workspaceId, ends, limit));
}

/** Removals of this contact alone, by the log's entries for it. */
const removalsIn = (lines: readonly AuditRow[]): number[] =>
  lines.flatMap(({ action, details }) =>
    action === 'contact.removed' && typeof details.removalId === 'number' ? details.removalId : [],
  );

/**
 * A removal may be restored several times, as some of it stays in the bin. The restore that brought
 * this contact back is the first that was recorded at that time or later.
 */
function returned(returns: readonly ReturnRow[], undone: readonly AuditRow[]): BinEvent[] {
  return returns.flatMap(({ id, kind: how, by, at, restoredAt, mergeId, keptAddress }) => {
    const gone: BinEvent = { kind: 'removed', how, into: keptAddress, at: at.toISOString(), by };
    if (!restoredAt) return [gone];
    const who =
      how === 'merge'
        ? whoDid(
            undone.filter(({ details }) => details.mergeId === mergeId),
            'contacts.unmerged',
          )
        : whoDid(
            undone
              .filter(({ subject, createdAt }) => subject === `removal:${id}` && createdAt >= restoredAt)
              .reverse(),
            'contacts.restored',
          );
    return [gone, { kind: 'restored', how, at: restoredAt.toISOString(), by: who }];
  });
}
