import type { Database } from '#platform/server/database.ts';
import type { LeftOutRow } from '../../contract.ts';
import type { SampleRow } from '../engine/receipt.ts';
import { countsOf, needImport } from './get-import.ts';
import { findSamples } from './record-queries.ts';

/** The kept sample of the rows that were left out, and their total number. */
export async function listRejected(
  { db }: { db: Database },
  workspaceId: number,
  importId: number,
  query: { fate?: 'duplicate' | 'invalid' | 'nonUk' | 'suppressed' | undefined; limit: number },
): Promise<{ items: LeftOutRow[]; totalCount: number }> {
  const row = await needImport({ db }, workspaceId, importId);
  const samples = await db.asTenant(workspaceId, (tx) => findSamples(tx, workspaceId, importId));
  const items = samples
    .filter((sample) => !query.fate || sample.fate === query.fate)
    .slice(0, query.limit)
    .map(shownRow);
  const counts = countsOf(row);
  const by = {
    duplicate: counts?.duplicates ?? 0,
    invalid: counts?.invalid ?? 0,
    nonUk: counts?.nonUk ?? 0,
    suppressed: counts?.suppressed ?? 0,
  };
  const totalCount = query.fate ? by[query.fate] : by.duplicate + by.invalid + by.nonUk + by.suppressed;
  return { items, totalCount };
}

/** Rows that their address alone kept out. */
export const mayBeCorrected = ({ fate }: SampleRow): boolean => fate === 'invalid' || fate === 'nonUk';

/** A kept row as the API shows it. */
export function shownRow({ values: _, corrected = undefined, ...row }: SampleRow): LeftOutRow {
  return { ...row, corrected: corrected ?? null, canBeCorrected: !corrected && mayBeCorrected(row) };
}
