import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { holdBases, sayImported } from '#features/basis/server/index.ts';
import { addOne, changeMany, refuseDeadDomain } from '#features/contacts/server/index.ts';
import { lockThere } from '#features/memberships/server/index.ts';
import { addImported } from '#features/memberships/server/thread.ts';
import { answersCall, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { waitAtMost } from '#platform/server/locks.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { LeftOutRow } from '../../contract.ts';
import { positionOf } from '../../rules/position.ts';
import { saidOfRow } from '../../rules/row-basis.ts';
import type { RowValues } from '../../rules/row-values.ts';
import { chosenGroups } from '../chosen-groups.ts';
import { importSubject } from '../complete.ts';
import type { ImportsContext } from '../context.ts';
import type { SampleRow } from '../engine/receipt.ts';
import { needImport } from './get-import.ts';
import { mayBeCorrected, shownRow, suggesterOf } from './list-rejected.ts';
import { receiptRows } from './receipt-rows.ts';
import { findSamples, type ImportRow, lockSamples, writeSamples } from './record-queries.ts';

/**
 * How long a correction waits in total. It takes the bases and the lists before its address, which
 * an import may hold that wants them. This is less than PostgreSQL's deadlock_timeout (1 s), which
 * might end that import.
 */
const patienceMs = 800;

interface Correction {
  line: number;
  part: number;
  email: string;
  checkSuppressions: boolean;
}

/**
 * Adds the contact of a row that was left out, under a corrected address and with all that the
 * import would have given it, and notes in the receipt what became of the row. Undoing the import
 * removes the contact too, unless somebody changed it since.
 */
export async function correctRow(
  context: Pick<ImportsContext, 'db' | 'files' | 'judge' | 'whyDead'>,
  { workspaceId, importId, caller }: { workspaceId: number; importId: number; caller: Caller },
  { line, part, email, checkSuppressions }: Correction,
): Promise<LeftOutRow> {
  const { db, judge, whyDead } = context;
  const record = await needImport({ db }, workspaceId, importId);
  // Before the transaction, which would otherwise hold its locks while it waits for name servers.
  await refuseDeadDomain(db, workspaceId, email, whyDead);
  const given = await findRow(context, workspaceId, record, { line, part });
  const actor: Actor = { workspaceId, email: caller.email };
  const work = async (tx: TenantTx) => {
    const kept = await lockSamples(tx, workspaceId, importId);
    if (!kept) throw new AppError('conflict', 'This import has no rows to correct any more.');
    const { samples } = kept;
    const sample = samples.find((one) => one.line === line && one.part === part);
    if (sample?.corrected) throw new AppError('conflict', 'This row has been corrected already.');
    if (!given) throw new AppError('not_found', 'There is no such row that can be corrected.');
    const { name, firstName, lastName, notes, ...others } = given.values;
    const contact = await addAsImported(tx, actor, record, given.values, () =>
      addOne(tx, actor, { email, name, firstName, lastName, notes, checkSuppressions }, judge),
    );
    await keepOthers(tx, workspaceId, contact.id, others);
    const row: SampleRow = sample ?? { ...given.row, values: null };
    row.corrected = {
      email: contact.address,
      contactId: contact.id,
      by: caller.name || caller.email,
      at: new Date().toISOString(),
    };
    if (!sample) insert(samples, row);
    await writeSamples(tx, workspaceId, importId, samples);
    await recordAudit(tx, workspaceId, {
      actor: caller.email,
      action: 'import.corrected',
      subject: importSubject(importId),
      details: { fileName: kept.fileName, line, email: contact.address },
    });
    return shownRow(row, record, await suggesterOf(tx, workspaceId), new Set([contact.id]));
  };
  const busy = 'An import is adding contacts at this moment. Try again when it has finished.';
  return db.asTenant(workspaceId, (tx) => waitAtMost(tx, patienceMs, busy, () => work(tx)), answersCall);
}

/** A row that may be corrected with its cells, from the record or else from the stored receipt. */
async function findRow(
  { db, files }: Pick<ImportsContext, 'db' | 'files'>,
  workspaceId: number,
  record: ImportRow,
  { line, part }: { line: number; part: number },
): Promise<{ row: SampleRow; values: RowValues } | null> {
  const isIt = (one: SampleRow) => one.line === line && one.part === part;
  const samples = await db.asTenant(workspaceId, (tx) => findSamples(tx, workspaceId, record.id));
  const sample = samples.find(isIt);
  const inReceipt = async () => (await receiptRows({ files }, record, line)).find(isIt);
  const row = sample?.values === null || !sample ? await inReceipt() : sample;
  return row?.values && mayBeCorrected(row, record) ? { row, values: row.values } : null;
}

/** Puts the row where it stands in the file. */
function insert(samples: SampleRow[], row: SampleRow): void {
  const position = positionOf(row.line, row.part);
  const next = samples.findIndex((one) => positionOf(one.line, one.part) > position);
  samples.splice(next < 0 ? samples.length : next, 0, row);
}

/**
 * Adds a contact with the marketing basis of its row or its file, and to the list and the tags of
 * the import that are still there. The locks come in the order of an import's own.
 */
async function addAsImported<T extends { id: number }>(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  { id: importId, options }: ImportRow,
  { basis }: RowValues,
  add: () => Promise<T>,
): Promise<T> {
  const said = saidOfRow(basis, options.basis);
  if (said) await holdBases(tx, workspaceId);
  const groups = await lockThere(tx, workspaceId, chosenGroups(options));
  const contact = await add();
  const judged = `(
    select 0 as fate, c.state, c.id, c.domain, c.local, null::text as detail, 0::bigint as line
    from contacts c where c.workspace_id = ${Number(workspaceId)} and c.id = ${Number(contact.id)}
  )`;
  const rows = { importId, judged, former: [] };
  if (said) await sayImported(tx, workspaceId, { ...rows, ofRows: null, ofFile: said, changedBy: email });
  await addImported(tx, workspaceId, { ...rows, groups });
  return contact;
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
