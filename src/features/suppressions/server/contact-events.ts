import { selectLinesAbout } from '#features/audit/server/index.ts';
import type { StoredContact } from '#features/contacts/rules.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { SuppressionEvent } from '../contract/contact-events.ts';
import {
  type CoveringEntry,
  type LiftedEntry,
  selectEntriesOver,
  selectLiftedEntriesOver,
} from './event-queries.ts';

/**
 * When a contact was put on the suppression list, by its address or its domain, and when it was
 * taken off. Covers what is on the list, and what was lifted so recently that it can still be put
 * back.
 */
export async function tellEvents(
  tx: TenantTx,
  workspaceId: number,
  contact: Pick<StoredContact, 'local' | 'domain'>,
  limit: number,
): Promise<SuppressionEvent[]> {
  const standing = await selectEntriesOver(tx, workspaceId, contact);
  const lifted = await selectLiftedEntriesOver(tx, workspaceId, contact, limit);
  const undone = lifted.filter((entry) => wasPutBack(entry, standing, lifted));
  const lines = await selectLinesAbout(
    tx,
    workspaceId,
    undone.map(({ liftingId }) => `lifting:${liftingId}`),
    limit,
  );
  const whoUndid = ({ liftingId }: LiftedEntry) =>
    lines.find(
      ({ subject, action }) => subject === `lifting:${liftingId}` && action === 'suppressions.lifting_undone',
    )?.actor ?? null;
  // An entry that was lifted and put back is the same entry.
  const entries = new Map([...lifted, ...standing].map((entry) => [keyOf(entry), entry]));
  return [
    ...[...entries.values()].map(suppressed),
    ...lifted.map(
      ({ onDomain: domain, why, liftedAt, liftedBy: by }): SuppressionEvent => ({
        kind: 'lifted',
        ...{ domain, why, by },
        at: liftedAt.toISOString(),
      }),
    ),
    ...undone.flatMap((entry): SuppressionEvent[] =>
      entry.undoneAt
        ? [
            {
              kind: 'put_back',
              domain: entry.onDomain,
              at: entry.undoneAt.toISOString(),
              by: whoUndid(entry),
            },
          ]
        : [],
    ),
  ];
}

const keyOf = ({ onDomain, id }: CoveringEntry): string => `${onDomain ?? ''} ${id}`;

/** Undoing a lifting skips what is on the list again by then, under another number. */
function wasPutBack(
  entry: LiftedEntry,
  standing: readonly CoveringEntry[],
  lifted: readonly LiftedEntry[],
): boolean {
  if (!entry.undoneAt) return false;
  const isSame = (other: CoveringEntry) => keyOf(other) === keyOf(entry);
  return standing.some(isSame) || lifted.some((other) => isSame(other) && other.liftingId > entry.liftingId);
}

const suppressed = ({ onDomain: domain, at, ...entry }: CoveringEntry): SuppressionEvent => ({
  kind: 'suppressed',
  domain,
  reason: entry.reason,
  note: entry.note,
  fileName: entry.fileName,
  at: at.toISOString(),
  by: entry.by,
});
