import { createJudge } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { FileStore } from '#platform/server/files.ts';
import type { LeftOutRow } from '../../contract.ts';
import { addressToCorrect } from '../../rules/address-to-correct.ts';
import { tooLongVerdict } from '../../rules.ts';
import { mayBeOpen, type SampleRow } from '../engine/receipt.ts';
import { countsOf, needImport } from './get-import.ts';
import { createAddressCell, receiptRows } from './receipt-rows.ts';
import { findCorrected, findSamples, type ImportRow, selectPresent } from './record-queries.ts';

interface Query {
  fate?: 'duplicate' | 'invalid' | 'nonUk' | 'suppressed' | undefined;
  /** Only the rows of this line, also those beyond the sample. */
  line?: number | undefined;
  limit: number;
}

/**
 * The kept sample of the rows that were left out, and their total number; or all rows of a line.
 */
export async function listRejected(
  { db, files }: { db: Database; files: FileStore },
  workspaceId: number,
  importId: number,
  query: Query,
): Promise<{ items: LeftOutRow[]; totalCount: number }> {
  const row = await needImport({ db }, workspaceId, importId);
  const { samples, suggest, present } = await db.asTenant(workspaceId, async (tx) => ({
    samples: await findSamples(tx, workspaceId, importId),
    suggest: await suggesterOf(tx, workspaceId),
    present: await selectPresent(tx, workspaceId, await findCorrected(tx, workspaceId, importId)),
  }));
  const shown = (sample: SampleRow) => shownRow(sample, row, suggest, present);
  const kept = samples.filter(
    ({ fate, line }) => (!query.fate || fate === query.fate) && (query.line ?? line) === line,
  );
  if (query.line !== undefined) {
    const isNew = ({ part, fate }: SampleRow) =>
      (!query.fate || fate === query.fate) && !kept.some((row) => row.part === part);
    kept.push(...(await receiptRows({ files }, row, query.line)).filter(isNew));
    kept.sort((a, b) => a.part - b.part);
    const items = kept.slice(0, query.limit).map(shown);
    return { items, totalCount: kept.length };
  }
  const items = kept.slice(0, query.limit).map(shown);
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

/**
 * Rows whose address alone kept them out, as long as their other cells are known. Those of a row
 * that is too long to read are not, and may say not to mail.
 */
export const mayBeCorrected = (
  { fate, why, values }: SampleRow,
  { receiptKey, readAs }: Pick<ImportRow, 'receiptKey' | 'readAs'>,
): boolean => {
  const isInReceipt = receiptKey !== null && readAs !== null;
  const isRead = why !== tooLongVerdict.why;
  return isRead && mayBeOpen(fate) && values !== undefined && (values !== null || isInReceipt);
};

/** Says which address was probably meant, or nothing. */
type Suggester = (text: string) => string | null;

export async function suggesterOf(tx: TenantTx, workspaceId: number): Promise<Suggester> {
  const { emailValidation } = await readSettings(tx, workspaceId);
  const { strictValidation: strict, allowedDomains, ukPolicy } = emailValidation;
  const judge = createJudge({ strict, allowedDomains, ukPolicy, idna });
  return (text) => judge(text).suggestion;
}

/** A kept row as the API shows it. */
export function shownRow(
  sample: SampleRow,
  record: Pick<ImportRow, 'receiptKey' | 'readAs'>,
  suggest: Suggester,
  present: ReadonlySet<number>,
): LeftOutRow {
  const { values: _, corrected, ...row } = sample;
  const canBeCorrected = !corrected && mayBeCorrected(sample, record);
  const { readAs } = record;
  const cell = canBeCorrected && readAs ? createAddressCell(readAs)(row.text, row.part) : undefined;
  const standing = canBeCorrected
    ? addressToCorrect({ ...row, ...(cell === undefined ? {} : { cell }) })
    : '';
  return {
    ...row,
    corrected: corrected ? { ...corrected, isRemoved: !present.has(corrected.contactId) } : null,
    canBeCorrected,
    suggestion: canBeCorrected ? (suggest(standing) ?? standing) : null,
  };
}
