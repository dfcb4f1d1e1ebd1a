import { readSettings } from '#features/settings/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { CorrectedContact, PastDecision } from '../../contract.ts';
import {
  countDecisions,
  type DecisionRow,
  selectCorrectedContacts,
  selectCorrectionSamples,
  selectCorrectionSize,
  selectDecisions,
  selectMergeSamples,
} from './history-queries.ts';

const samplesEach = 3;

interface Paging {
  page: number;
  limit: number;
}
const pageOf = ({ page, limit }: Paging) => ({ skip: (page - 1) * limit, take: limit });

/** What was corrected and merged, newest first. */
export async function listPastDecisions(
  tx: TenantTx,
  workspaceId: number,
  paging: Paging,
): Promise<{ items: PastDecision[]; totalCount: number }> {
  const { binDays } = (await readSettings(tx, workspaceId)).retention;
  const rows = await selectDecisions(tx, workspaceId, pageOf(paging), binDays);
  const corrections = rows.filter(({ kind }) => kind === 'correction').map(({ id }) => id);
  const removals = rows.flatMap(({ removalId }) => removalId ?? []);
  const corrected = await selectCorrectionSamples(tx, workspaceId, corrections, samplesEach);
  const binned = await selectMergeSamples(tx, workspaceId, removals, samplesEach);
  const samplesOf = ({ kind, id, removalId, keptAddress }: DecisionRow) =>
    kind === 'correction'
      ? corrected.filter(({ of }) => of === id)
      : binned.filter(({ of }) => of === removalId).map((one) => ({ ...one, after: keptAddress ?? '' }));
  const items = rows.map((row) => ({
    ...presented(row),
    samples: samplesOf(row).map(({ id, before, after }) => ({ id, before, after })),
  }));
  return { items, totalCount: await countDecisions(tx, workspaceId) };
}

function presented(row: DecisionRow): Omit<PastDecision, 'samples'> {
  const { kind, id, contacts, from, to, keptId, keptAddress, by, createdAt, undoneAt } = row;
  const isTooLate = undoneAt !== null || row.isExpired;
  return {
    kind,
    id,
    contacts,
    pattern: from !== null && to !== null ? { from, to } : null,
    kept: keptId !== null && keptAddress !== null ? { id: keptId, address: keptAddress } : null,
    by,
    createdAt: createdAt.toISOString(),
    undoneAt: undoneAt?.toISOString() ?? null,
    canUndo: !isTooLate && row.undoFirst === null,
    undoFirst: isTooLate ? null : row.undoFirst,
  };
}

export async function listCorrectedContacts(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  paging: Paging,
): Promise<{ items: CorrectedContact[]; totalCount: number }> {
  const totalCount = await selectCorrectionSize(tx, workspaceId, id);
  if (totalCount === undefined) throw new AppError('not_found', 'There is no such correction.');
  return { items: await selectCorrectedContacts(tx, workspaceId, id, pageOf(paging)), totalCount };
}
