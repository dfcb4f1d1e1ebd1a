import type { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { ContactSelection } from '#features/audience/contract.ts';
import type { Tree } from '#features/audience/rules/tree.ts';
import { type Audience, listFields } from '#features/audience/server/index.ts';
import { contactsWithSuppression } from '#features/contacts/server/index.ts';
import { csvLine } from '#features/csv/rules.ts';
import { readSettings } from '#features/settings/server/index.ts';
import { copyText } from '#platform/server/csv-copy.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import { streamFrom } from '#platform/server/stream-from.ts';
import { AppError } from '#platform/shared/errors.ts';
import { formatNumber } from '#platform/shared/words.ts';
import type { ExportFormat, ExportInclude } from '../contract.ts';
import { exportFileName } from '../rules.ts';
import { basisColumns, basisJoins, isAnyBasisKnown } from './export-basis-queries.ts';
import { membershipColumns } from './export-membership-queries.ts';
import { copyOptions, recordsQuery, tableColumns } from './export-queries.ts';
import { RecordSource } from './export-records.ts';
import { contactsWithVerdicts, selectWholeRuns, verdictColumns } from './export-verdict-queries.ts';
import { sheetRows, workbookEntries } from './export-workbook.ts';
import { type ZipEntry, zipped } from './export-zip.ts';

/** What is needed to export. */
export interface ExportsContext {
  db: Database;
  audience: Audience;
}

/**
 * What a caller may choose: the format (the workspace's own when absent), and what the file holds
 * besides the usual columns.
 */
export interface ExportChoice {
  format?: ExportFormat | undefined;
  include?: ExportInclude;
}

/** Records in a transaction which file somebody takes. */
export type RecordExport = (tx: TenantTx, file: { fileName: string; contacts: number }) => Promise<void>;

/** A file being sent. */
export interface ExportFile {
  fileName: string;
  contentType: string;
  format: ExportFormat;
  contacts: number;
  parts: number;
  /**
   * The bytes, straight from the server's COPY, as fast as PostgreSQL writes and with only a few
   * buffers in memory. Uses one stream connection until the stream ends or is destroyed. If
   * anything fails on the way, the stream fails and cuts the connection to the reader, so that half
   * a file is not mistaken for a whole one.
   */
  bytes: Readable;
}

const contentTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** More files than this in one zip help nobody. */
const mostParts = 10_000;

/** With more records than this, one file in a zip may exceed 4 GB. */
const hugeRecords = 5_000_000;

interface Plan {
  format: ExportFormat;
  statement: string;
  headers: string[] | null;
  contacts: number;
  perPart: number;
  parts: number;
}

/**
 * Begins the export of a selection, in the workspace's own format unless another is requested. More
 * contacts than a file may hold become a zip of numbered parts. `record` records who takes it,
 * before the first byte. Throws before that if there would be too many files.
 */
export async function openExport(
  context: ExportsContext,
  workspaceId: number,
  tree: Tree,
  { now, record, ...choice }: ExportChoice & { now: Date; record: RecordExport },
): Promise<ExportFile> {
  let plan: Plan | undefined;
  const bytes = await streamFrom(context.db, workspaceId, async (loan) => {
    // In a separate transaction: before the first byte, and kept if the rest fails.
    await loan.begin();
    const planned = await planExport(context, loan.tx, workspaceId, tree, choice);
    await record(loan.tx, { fileName: fileNameOf(planned, now), contacts: planned.contacts });
    await loan.commit();
    // One snapshot for the records and for the count, which decides the number of parts.
    await loan.begin('isolation level repeatable read, read only');
    plan = await planExport(context, loan.tx, workspaceId, tree, choice);
    return write(plan, await loan.copy(plan.statement), now);
  });
  if (!plan) throw new Error('an export began without a plan');
  return {
    fileName: fileNameOf(plan, now),
    contentType: plan.parts > 1 ? 'application/zip' : contentTypes[plan.format],
    format: plan.format,
    contacts: plan.contacts,
    parts: plan.parts,
    bytes,
  };
}

/** What the export would be, without starting it. Throws the errors that the export would. */
export async function checkExport(
  context: ExportsContext,
  workspaceId: number,
  selection: ContactSelection,
  { now, ...choice }: ExportChoice & { now: Date },
): Promise<Pick<ExportFile, 'fileName' | 'contacts' | 'parts'>> {
  const tree = context.audience.of(selection);
  const plan = await context.db.asTenant(workspaceId, (tx) =>
    planExport(context, tx, workspaceId, tree, choice),
  );
  return { fileName: fileNameOf(plan, now), contacts: plan.contacts, parts: plan.parts };
}

const fileNameOf = ({ parts, format }: Plan, now: Date) => exportFileName(now, parts > 1 ? 'zip' : format);

async function planExport(
  { db, audience }: ExportsContext,
  tx: TenantTx,
  workspaceId: number,
  tree: Tree,
  { format: asked, include }: ExportChoice,
): Promise<Plan> {
  const settings = await readSettings(tx, workspaceId);
  const format = asked ?? settings.export.defaultFormat;
  const withHeader = settings.export.includeHeaders && format !== 'json';
  const most = settings.export.maxRecordsPerFile;
  const perPart = format === 'xlsx' ? Math.min(most, sheetRows - (withHeader ? 1 : 0)) : most;
  const where = await audience.conditionForCopy(tx, workspaceId, tree);
  const contacts = await audience.count(tx, workspaceId, tree);
  const parts = Math.max(1, Math.ceil(contacts / perPart));
  if (parts > mostParts) {
    throw new AppError(
      'invalid_input',
      `With ${formatNumber(perPart)} contacts a file this export would be ${formatNumber(parts)} files. ` +
        'Raise the number of records per file in Settings, under Export.',
    );
  }
  const [withVerdicts, withLists] = (['verdict', 'lists'] as const).map((what) => include?.includes(what));
  const verdicts = withVerdicts ? verdictColumns(await selectWholeRuns(tx, workspaceId)) : [];
  const besides = [...verdicts, ...(withLists ? membershipColumns : [])];
  const hasBases = await isAnyBasisKnown(tx, workspaceId);
  const bases = hasBases ? basisColumns : [];
  const contactsFrom = withVerdicts ? contactsWithVerdicts : contactsWithSuppression;
  const from = hasBases ? sql`${contactsFrom} ${basisJoins}` : contactsFrom;
  const extraFields = format === 'json' ? [] : (await listFields(tx, workspaceId)).items;
  const columns = tableColumns(settings.import.allowedColumns, extraFields, { bases, besides });
  const query = recordsQuery({ format, columns, bases, besides, from, where, withHeader, perPart });
  return {
    format,
    statement: copyText(db.system, query, copyOptions(format, columns)),
    headers: withHeader ? columns.map(({ header }) => header) : null,
    contacts,
    perPart,
    parts,
  };
}

/** The file's bytes. */
async function* write(plan: Plan, rows: AsyncIterable<Buffer>, now: Date): AsyncGenerator<Buffer, void> {
  const { format, contacts, parts, perPart } = plan;
  const source = new RecordSource(rows, format);
  const zip = (entries: ZipEntry[]) =>
    zipped(entries, { mtime: now, hugeEntries: perPart > hugeRecords && contacts > hugeRecords });
  const file = (records: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
    format === 'xlsx'
      ? zip(workbookEntries(records, plan.headers))
      : format === 'json'
        ? asArray(records)
        : asTable(records, plan.headers);
  if (parts === 1) {
    yield* file(source.takeAll());
  } else {
    yield* zip(
      Array.from({ length: parts }, (_, index) => ({
        name: exportFileName(now, format, { number: index + 1, of: parts }),
        bytes: () => file(index === parts - 1 ? source.takeAll() : source.take(perPart)),
        isCompressed: format === 'xlsx',
      })),
    );
  }
}

async function* asTable(
  records: AsyncIterable<Buffer>,
  headers: readonly string[] | null,
): AsyncGenerator<Buffer, void> {
  if (headers) yield Buffer.from(csvLine(headers).replace(/\r\n$/, '\n'));
  yield* records;
}

/** Each record begins with a comma. The first one's becomes the bracket. */
async function* asArray(records: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let isFirst = true;
  for await (const piece of records) {
    if (isFirst) piece[0] = '['.charCodeAt(0);
    isFirst = false;
    yield piece;
  }
  yield Buffer.from(isFirst ? '[]\n' : ']\n');
}
