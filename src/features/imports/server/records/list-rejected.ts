import { createJudge } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { LeftOutRow } from '../../contract.ts';
import { addressToCorrect } from '../../rules/address-to-correct.ts';
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
  const { samples, suggest } = await db.asTenant(workspaceId, async (tx) => ({
    samples: await findSamples(tx, workspaceId, importId),
    suggest: await suggesterOf(tx, workspaceId),
  }));
  const items = samples
    .filter((sample) => !query.fate || sample.fate === query.fate)
    .slice(0, query.limit)
    .map((sample) => shownRow(sample, suggest));
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
export const mayBeCorrected = ({ fate, values }: SampleRow): boolean =>
  (fate === 'invalid' || fate === 'nonUk') && values !== undefined;

/** Says which address was probably meant, or nothing. */
type Suggester = (text: string) => string | null;

export async function suggesterOf(tx: TenantTx, workspaceId: number): Promise<Suggester> {
  const { emailValidation } = await readSettings(tx, workspaceId);
  const { strictValidation: strict, allowedDomains, ukPolicy } = emailValidation;
  const judge = createJudge({ strict, allowedDomains, ukPolicy, idna });
  return (text) => judge(text).suggestion;
}

/** A kept row as the API shows it. */
export function shownRow(sample: SampleRow, suggest: Suggester): LeftOutRow {
  const { values: _, corrected, ...row } = sample;
  const canBeCorrected = !corrected && mayBeCorrected(sample);
  const standing = canBeCorrected ? addressToCorrect(row) : '';
  return {
    ...row,
    corrected: corrected ?? null,
    canBeCorrected,
    suggestion: canBeCorrected ? (suggest(standing) ?? standing) : null,
  };
}
