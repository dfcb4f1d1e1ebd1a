import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { recordActivity } from '#features/activities/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import { adjustForAddresses, blockDomains, holdFigures } from '#features/rollups/server/index.ts';
import type { TaskContext, TaskDefinition } from '#features/tasks/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { FileStore } from '#platform/server/files.ts';
import { AppError } from '#platform/shared/errors.ts';
import { formatNumber } from '#platform/shared/words.ts';
import type { ListImportResult } from '../../contract.ts';
import { dateIn, type ListForm, reasonIn } from '../../rules/list-file.ts';
import { entriesInWords } from '../../rules.ts';
import { countEntries, countsGiven } from '../queries.ts';
import {
  type BatchCounts,
  type BatchRow,
  batchDomains,
  batchKeys,
  completeBatch,
  type EntryLot,
  expectMany,
  failBatch,
  insertAddressLot,
  insertDomainLot,
  insertHashLot,
  type Newest,
  recogniseContacts,
  type Source,
  selectBatch,
  selectNewest,
  takeTurn,
} from './batch-queries.ts';
import { countLines, type ListLine, readList } from './list-file.ts';

/**
 * The import of a suppression list, as one transaction: all of it or nothing. After a crash the
 * stored file is read again from its start. Entries go in without the workspace's rollup lock,
 * because millions of them take minutes. The lock is taken once they are all in, and held while the
 * figures of the affected contacts change.
 */
const listImportInput = z.strictObject({ batchId: z.number(), fileName: z.string() });
export type ListImportInput = z.output<typeof listImportInput>;

export interface ListImportOptions {
  db: Database;
  files: FileStore;
}

const linesPerLot = 20_000;
const longestNote = 1000;
/**
 * From this many entries on, the planner is told that there are many. Fewer are found one by one.
 */
const many = 20_000;

export const receiptKeyOf = (workspaceId: number, batchId: number) =>
  `suppressions/${workspaceId}/${batchId}-receipt.csv`;

export function listImportTask({ db, files }: ListImportOptions): TaskDefinition<ListImportInput> {
  const find = (context: TaskContext<ListImportInput>) =>
    db.asTenant(context.workspaceId, (tx) => selectBatch(tx, context.workspaceId, context.input.batchId));
  return {
    kind: 'suppressions.import',
    input: listImportInput,
    title: ({ fileName }) => `Import the suppression list ${fileName}`,
    summary: (result) => `${linesInWords(result as Partial<ListImportResult>)}.`,
    // The dialog with what happened to the lines, and the receipt.
    link: (_result, { batchId }) => `/suppressions?dialog=import&list=${batchId}`,
    async run(context) {
      const batch = await find(context);
      if (!batch) throw new Error(`the list ${context.input.batchId} has no record`);
      // Its record says that nothing comes of it, so the task must not say that it is done.
      if (batch.status === 'failed') throw new AppError('conflict', batch.error ?? 'The list was given up.');
      if (batch.status === 'processing') await bringIn(db, files, context, batch);
      if (batch.fileKey) await files.remove(batch.fileKey);
      return resultOf(await find(context));
    },
    async broken(context, { message }) {
      const { workspaceId, input } = context;
      const batch = await find(context);
      await db.asTenant(workspaceId, (tx) => failBatch(tx, workspaceId, input.batchId, message));
      if (batch?.fileKey) await files.remove(batch.fileKey);
      await files.remove(receiptKeyOf(workspaceId, input.batchId));
      return {};
    },
  };
}

export function resultOf(batch: BatchRow | undefined): ListImportResult {
  return {
    id: batch?.id ?? 0,
    lines: batch?.lines ?? 0,
    added: batch?.added ?? 0,
    alreadyThere: batch?.alreadyThere ?? 0,
    invalid: batch?.invalid ?? 0,
    domains: batch?.domains ?? 0,
    hashes: batch?.hashes ?? 0,
    recognised: batch?.recognised ?? 0,
  };
}

async function bringIn(
  db: Database,
  files: FileStore,
  context: TaskContext<ListImportInput>,
  batch: BatchRow,
): Promise<void> {
  const { workspaceId, signal } = context;
  const receiptKey = receiptKeyOf(workspaceId, batch.id);
  const path = await files.pathFor(batch.fileKey ?? '');
  const receiptPath = await files.pathFor(receiptKey);
  const allLines = await countLines(path);
  await db.asTenant(workspaceId, async (tx) => {
    while (!(await takeTurn(tx, workspaceId))) {
      context.progress(0, null, 'Waiting for another list');
      await sleep(500, undefined, { signal });
    }
    const lots = new Lots(tx, workspaceId, batch);
    const { invalid } = await readList({
      path,
      receiptPath,
      form: batch.form as ListForm,
      onLine: (line) => lots.add(line),
      afterPiece: async (lines) => {
        signal.throwIfAborted();
        await lots.sendFull();
        context.progress(Math.min(lines, allLines), allLines, 'Reading the list');
      },
    });
    await lots.sendAll();
    context.progress(allLines, allLines, 'Holding it against your contacts');
    const recognised = await settle(tx, workspaceId, lots);
    const counts = lots.countsWith(invalid, recognised);
    await completeBatch(tx, workspaceId, batch.id, { counts, receiptKey: invalid > 0 ? receiptKey : null });
    await tell(tx, workspaceId, context, batch, counts);
    await context.checkpoint(tx, { imported: true });
  });
}

/** The lines of a list on their way into the database, some thousands at a time. */
class Lots {
  readonly source: Source;
  readonly byReason = { email: new Map<string, number>(), domain: new Map<string, number>() };
  readonly byKind = new Map<string, number>();
  #tx: TenantTx;
  #workspaceId: number;
  #reason: string;
  /** Those that could be read. */
  lines = 0;
  #emails = newLot();
  #domains = newLot();
  #hashes = newLot();
  readonly #now = Date.now();

  constructor(tx: TenantTx, workspaceId: number, batch: BatchRow) {
    this.#tx = tx;
    this.#workspaceId = workspaceId;
    this.#reason = batch.reason;
    this.source = { batchId: batch.id, createdBy: batch.createdBy };
  }

  add({ entry, reason, date, note }: ListLine): void {
    this.lines++;
    const lot = { email: this.#emails, domain: this.#domains, hash: this.#hashes }[entry.kind];
    if (entry.kind === 'email') lot.local.push(entry.local);
    if (entry.kind !== 'hash') lot.domain.push(entry.domain);
    else {
      lot.hash.push(entry.hash);
      lot.of.push(entry.of);
    }
    lot.reason.push(reasonIn(reason) ?? this.#reason);
    lot.date.push(dateIn(date, this.#now)?.toISOString() ?? null);
    lot.note.push(note?.trim().replaceAll('\0', '').toWellFormed().slice(0, longestNote) || null);
  }

  async sendFull(): Promise<void> {
    if (this.#emails.reason.length >= linesPerLot) await this.#sendEmails();
    if (this.#domains.reason.length >= linesPerLot) await this.#sendDomains();
    if (this.#hashes.reason.length >= linesPerLot) await this.#sendHashes();
  }

  async sendAll(): Promise<void> {
    await this.#sendEmails();
    await this.#sendDomains();
    await this.#sendHashes();
  }

  async #sendEmails(): Promise<void> {
    const lot = this.#emails;
    this.#emails = newLot();
    if (lot.reason.length === 0) return;
    note(this.byReason.email, await insertAddressLot(this.#tx, this.#workspaceId, lot, this.source));
  }

  async #sendDomains(): Promise<void> {
    const lot = this.#domains;
    this.#domains = newLot();
    if (lot.reason.length === 0) return;
    note(this.byReason.domain, await insertDomainLot(this.#tx, this.#workspaceId, lot, this.source));
  }

  async #sendHashes(): Promise<void> {
    const lot = this.#hashes;
    this.#hashes = newLot();
    if (lot.reason.length === 0) return;
    note(this.byKind, await insertHashLot(this.#tx, this.#workspaceId, lot, this.source));
  }

  /** `recognised` entries count by reason, but are not lines of the list. */
  countsWith(invalid: number, recognised: number): BatchCounts {
    const hashes = sumOf(this.byKind);
    const added = sumOf(this.byReason.email) - recognised + hashes;
    const domains = sumOf(this.byReason.domain);
    return {
      lines: this.lines + invalid,
      added,
      domains,
      alreadyThere: this.lines - added - domains,
      invalid,
      hashes,
      recognised,
    };
  }
}

const newLot = (): EntryLot => ({ local: [], domain: [], hash: [], of: [], reason: [], note: [], date: [] });
const sumOf = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((sum, one) => sum + one, 0);

const entriesOf = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([part, entries]) => ({ part, entries }));

function note(counts: Map<string, number>, added: { part: string; entries: number }[]): void {
  for (const { part, entries } of added) counts.set(part, (counts.get(part) ?? 0) + entries);
}

/**
 * Compares the new entries with the contacts, and updates all figures. Returns how many contacts
 * were recognised.
 */
async function settle(tx: TenantTx, workspaceId: number, lots: Lots): Promise<number> {
  const { source, byReason, byKind } = lots;
  const before = sumOf(byReason.email);
  // Also hashes that were there already may have become this list's.
  await expectMany(tx, lots.lines > many);
  // Most are checked before others have to wait. The few that came or changed since are checked
  // under the lock.
  const newest = await selectNewest(tx, workspaceId);
  const recognise = async (after?: Newest) => {
    for (const kind of byKind.keys()) {
      note(byReason.email, await recogniseContacts(tx, workspaceId, kind, source, after));
    }
  };
  await recognise();
  await holdFigures(tx, workspaceId);
  await recognise(newest);
  await countEntries(tx, workspaceId, 'hash', countsGiven(entriesOf(byKind)));
  if (byReason.email.size > 0) {
    await countEntries(tx, workspaceId, 'email', countsGiven(entriesOf(byReason.email)));
    await adjustForAddresses(tx, workspaceId, batchKeys(workspaceId, source.batchId), 1);
  }
  if (byReason.domain.size > 0) {
    await countEntries(tx, workspaceId, 'domain', countsGiven(entriesOf(byReason.domain)));
    await blockDomains(tx, workspaceId, batchDomains(workspaceId, source.batchId));
  }
  return sumOf(byReason.email) - before;
}

function linesInWords({ added = 0, domains = 0, invalid = 0 }: Partial<ListImportResult>): string {
  const both = domains === 0 ? '' : ` and ${entriesInWords('domain', domains)}`;
  const unread = invalid === 0 ? '' : `; lines that could not be read: ${formatNumber(invalid)}`;
  return `${entriesInWords('email', added)}${both} new on the list${unread}`;
}

async function tell(
  tx: TenantTx,
  workspaceId: number,
  { actor }: TaskContext<ListImportInput>,
  batch: BatchRow,
  counts: BatchCounts,
): Promise<void> {
  await recordAudit(tx, workspaceId, {
    actor,
    action: 'suppressions.imported',
    subject: `suppression_batch:${batch.id}`,
    details: { fileName: batch.fileName, reason: batch.reason, ...counts },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Suppression List Imported',
    details: `${batch.fileName}: ${linesInWords(counts)}`,
    status: 'completed',
    icon: 'user-off',
    iconColor: 'warning',
    actor,
    link: `/suppressions?dialog=import&list=${batch.id}`,
    notify: true,
  });
}
