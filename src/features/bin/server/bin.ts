import type { Readable } from 'node:stream';
import { readSettings } from '#features/settings/server/index.ts';
import { streamCsv } from '#platform/server/csv-copy.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Removal } from '../contract.ts';
import {
  findRemoval,
  listRemovalRows,
  listRemovedRows,
  type RemovalRow,
  receiptQuery,
} from './bin-queries.ts';
import { freeRestored, purgePieceOfBin } from './removal-queries.ts';

/** Reads the bin: what was removed. Restoring belongs to the removals. */
export async function listBin(
  tx: TenantTx,
  workspaceId: number,
  page: { page: number; limit: number },
): Promise<{ items: Removal[]; totalCount: number }> {
  const { binDays } = (await readSettings(tx, workspaceId)).retention;
  const { rows, totalCount } = await listRemovalRows(tx, workspaceId, {
    limit: page.limit,
    offset: (page.page - 1) * page.limit,
  });
  const now = Date.now();
  return { items: rows.map((row) => presentRemoval(row, binDays, now)), totalCount };
}

const dayMs = 86_400_000;

function presentRemoval(row: RemovalRow, binDays: number, now: number): Removal {
  const { duplicates, invalid, nonUk } = row;
  const expires = row.createdAt.getTime() + binDays * dayMs;
  return {
    id: row.id,
    kind: row.kind,
    contacts: row.contacts,
    reasons:
      row.kind !== 'clean' || duplicates === null || invalid === null || nonUk === null
        ? null
        : { duplicates, invalid, nonUk },
    why: row.why,
    importId: row.importId,
    removedBy: row.removedBy,
    createdAt: row.createdAt.toISOString(),
    expiresAt: new Date(expires).toISOString(),
    state: stateOf(row, expires < now),
    restored: row.restored,
  };
}

/** What was restored is in the bin as long as some of it is left there. */
function stateOf(row: RemovalRow, isExpired: boolean): Removal['state'] {
  if (row.isOpen) return 'removing';
  if (row.isRestoring || (row.restoredAt && (row.isEmpty || isExpired))) return 'restored';
  return isExpired ? 'expired' : 'in-bin';
}

export async function listRemovedOf(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  query: { search?: string | undefined; after: number; limit: number },
): ReturnType<typeof listRemovedRows> {
  await needRemoval(tx, workspaceId, removalId);
  const search = (query.search ?? '').trim().toLowerCase();
  return listRemovedRows(tx, workspaceId, removalId, { ...query, search });
}

async function needRemoval(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  if (!(await findRemoval(tx, workspaceId, id))) throw new AppError('not_found', 'There is no such removal.');
}

/** What a removal holds, as a stream of CSV. */
export async function streamReceipt(db: Database, workspaceId: number, removalId: number): Promise<Readable> {
  await db.asTenant(workspaceId, (tx) => needRemoval(tx, workspaceId, removalId));
  return streamCsv(db, workspaceId, receiptQuery(workspaceId, removalId), [
    'email',
    'name',
    'source',
    'date',
    'notes',
    'first_name',
    'last_name',
  ]);
}

/** Contacts in one transaction. Whoever moves others to the bin and back waits for its end. */
const pieceToPurge = 20_000;

/**
 * Deletes from the bin what can no longer be restored, also what only looks as if a task were
 * restoring it. It works piece by piece, so it may be interrupted and holds no lock for long.
 * Answers how many contacts were deleted for good.
 */
export async function purgeBin(
  db: Database,
  workspaceId: number,
  binDays: number,
  options: { signal?: AbortSignal | undefined; onGone?: (total: number) => void } = {},
): Promise<number> {
  await db.asTenant(workspaceId, (tx) => freeRestored(tx, workspaceId));
  let total = 0;
  while (!options.signal?.aborted) {
    const gone = await db.asTenant(workspaceId, (tx) =>
      purgePieceOfBin(tx, workspaceId, binDays, pieceToPurge),
    );
    if (gone === null) break;
    total += gone;
    options.onGone?.(total);
  }
  return total;
}
