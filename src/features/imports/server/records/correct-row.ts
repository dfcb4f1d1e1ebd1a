import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { addOne, changeMany, refuseDeadDomain } from '#features/contacts/server/index.ts';
import { answersCall, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { LeftOutRow } from '../../contract.ts';
import type { RowValues } from '../../rules/row-values.ts';
import { importSubject } from '../complete.ts';
import type { ImportsContext } from '../context.ts';
import { needImport } from './get-import.ts';
import { mayBeCorrected, shownRow, suggesterOf } from './list-rejected.ts';
import { lockSamples, writeSamples } from './record-queries.ts';

interface Correction {
  line: number;
  part: number;
  email: string;
  checkSuppressions: boolean;
}

/**
 * Adds the contact of a row that was left out, under a corrected address, and notes in the receipt
 * what became of the row. It counts as added by hand: undoing the import leaves it.
 */
export async function correctRow(
  { db, judge, whyDead }: Pick<ImportsContext, 'db' | 'judge' | 'whyDead'>,
  { workspaceId, importId, caller }: { workspaceId: number; importId: number; caller: Caller },
  { line, part, email, checkSuppressions }: Correction,
): Promise<LeftOutRow> {
  await needImport({ db }, workspaceId, importId);
  // Before the transaction, which would otherwise hold its locks while it waits for name servers.
  await refuseDeadDomain(db, workspaceId, email, whyDead);
  const actor: Actor = { workspaceId, email: caller.email };
  const work = async (tx: TenantTx) => {
    const kept = await lockSamples(tx, workspaceId, importId);
    if (!kept) throw new AppError('conflict', 'This import has no rows to correct any more.');
    const row = kept.samples.find((one) => one.line === line && one.part === part && mayBeCorrected(one));
    if (!row) throw new AppError('not_found', 'There is no such row that can be corrected.');
    if (row.corrected) throw new AppError('conflict', 'This row has been corrected already.');
    const { name, firstName, lastName, notes, ...others } = row.values ?? {};
    const given = { email, name, firstName, lastName, notes, checkSuppressions };
    const contact = await addOne(tx, actor, given, judge);
    await keepOthers(tx, workspaceId, contact.id, others);
    row.corrected = {
      email: contact.address,
      contactId: contact.id,
      by: caller.name || caller.email,
      at: new Date().toISOString(),
    };
    await writeSamples(tx, workspaceId, importId, kept.samples);
    await recordAudit(tx, workspaceId, {
      actor: caller.email,
      action: 'import.corrected',
      subject: importSubject(importId),
      details: { fileName: kept.fileName, line, email: contact.address },
    });
    return shownRow(row, await suggesterOf(tx, workspaceId));
  };
  return db.asTenant(workspaceId, work, answersCall);
}

/** The cells that only a file brings. */
async function keepOthers(
  tx: TenantTx,
  workspaceId: number,
  contactId: number,
  { source, date, attributes }: Pick<RowValues, 'source' | 'date' | 'attributes'>,
): Promise<void> {
  if (!source && !date && !attributes) return;
  await changeMany(tx, workspaceId, [contactId], (before) => ({
    ...before,
    source: source ?? before.source,
    date: date ?? before.date,
    attributes: { ...before.attributes, ...attributes },
  }));
}
