import { sql } from 'kysely';
import { recordActivity } from '#features/activities/server/index.ts';
import { idna } from '#features/addresses/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { TaskContext, Tasks } from '#features/tasks/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { ContactFilter, ContactSelection } from '../contract.ts';
import { contactStates, type SearchFilter } from '../rules.ts';
import { type CleanPlan, planClean } from './clean.ts';
import { cleanReason, isToClean } from './clean-queries.ts';
import { type Fragment, matchesAddress } from './filter-queries.ts';
import {
  closeRemoval,
  countByReason,
  countContacts,
  hasId,
  type IdRange,
  isUntouched,
  lockRemoval,
  markRestoring,
  moveIntoRemoval,
  moveToBin,
  openRemoval,
  type Removal,
  selectInBin,
  takeFromBin,
  unmarkRestoring,
} from './removal-queries.ts';
import { closeBroken, type RemovalResult, type RemovalWords, removePieceByPiece } from './removal-tasks.ts';
import { countAll, filterFor, plainConditionFor } from './search.ts';
import { selectCounts } from './stats-queries.ts';
import { hasVerdicts } from './verdict-queries.ts';

/**
 * Taking contacts out and bringing them back. A few thousand are done within the call; more are a task, which the calls
 * wait for or not, as the caller prefers.
 */
export interface RemovalsContext {
  db: Database;
  tasks: Tasks;
  judge?: JudgeContacts | undefined;
}

/** Gives contacts their verdicts in the transaction that has just brought them in. */
export type JudgeContacts = (tx: TenantTx, workspaceId: number, ids: readonly number[]) => Promise<void>;

/** Up to so many contacts are moved within the call: about 0.2 s. */
const fewContacts = 5_000;
/** Up to so many contacts in all, a clean looks through them within the call. */
const fewToClean = 50_000;
const pieceOfBin = 20_000;

const thousands = new Intl.NumberFormat('en-GB');
const contactsInWords = (count: number) =>
  count === 1 ? '1 contact' : `${thousands.format(count)} contacts`;

const deleteWords: RemovalWords = {
  action: 'Bulk Delete',
  icon: 'trash',
  iconColor: 'error',
  audit: 'contacts.removed',
  done: ({ removed }) => `${contactsInWords(removed)} moved to the bin`,
};

const cleanWords: RemovalWords = {
  action: 'Database Cleaned',
  icon: 'sparkles',
  iconColor: 'accent',
  audit: 'contacts.cleaned',
  done: ({ removed, duplicates, invalid, nonUk }) =>
    `${contactsInWords(removed)} removed: ${thousands.format(duplicates)} duplicate, ` +
    `${thousands.format(invalid)} invalid, ${thousands.format(nonUk)} non-UK`,
};

const stored = (tx: TenantTx, workspaceId: number, filter: ContactFilter) =>
  filterFor(tx, workspaceId, filter, idna.toAscii);

type RemoveInput = { selection: ContactSelection; count: number };
type RestoreInput = { removalId: number; count: number };

/** Makes this feature's long work known. */
export function defineRemovalTasks({ db, tasks, judge }: RemovalsContext): void {
  const outcome = (words: RemovalWords) => ({
    summary: (result: Record<string, unknown>) => `${words.done(result as unknown as RemovalResult)}.`,
    link: ({ removalId }: Record<string, unknown>) => (removalId ? `/bin?removal=${removalId}` : null),
  });
  tasks.define<RemoveInput>({
    kind: 'contacts.remove',
    title: ({ count }) => `Delete ${contactsInWords(count)}`,
    run: async (context) => toResult(await runRemove(db, context)),
    broken: async (context, { status }) =>
      toResult(await closeBroken(db, context, wordsOf(context.input.selection), status)),
    ...outcome(deleteWords),
  });
  tasks.define({
    kind: 'contacts.clean',
    title: () => 'Clean the database',
    run: async (context) => ({ ...(await cleanInPieces(db, context)) }),
    broken: async (context, { status }) => ({ ...(await closeBroken(db, context, cleanWords, status)) }),
    ...outcome(cleanWords),
  });
  tasks.define<RestoreInput>({
    kind: 'contacts.restore',
    title: ({ count }) => `Bring back ${contactsInWords(count)}`,
    run: (context) => runRestore(db, context, judge),
    broken: (context) => breakOffRestore(db, context),
    summary: ({ restored }) => `${contactsInWords(Number(restored ?? 0))} brought back.`,
    link: () => '/email-database',
  });
}

const toResult = ({ removed, removalId }: RemovalResult) => ({ removed, removalId });

const wordsOf = (selection: ContactSelection): RemovalWords => ({
  ...deleteWords,
  auditDetails:
    'ids' in selection
      ? { named: selection.ids.length }
      : { filter: selection.filter as Record<string, unknown> },
});

/** Removes what is selected; answers the task where that takes long. */
export async function removeSelected(
  { db, tasks }: RemovalsContext,
  workspaceId: number,
  caller: Caller,
  selection: ContactSelection,
): Promise<{ removed: number; removalId: number | null } | Task> {
  const started = await db.asTenant(workspaceId, async (tx) => {
    const count = await countSelected(tx, workspaceId, selection);
    if (count > fewContacts) return count;
    const condition =
      'ids' in selection
        ? hasId(selection.ids)
        : await plainConditionFor(tx, workspaceId, await stored(tx, workspaceId, selection.filter));
    const removal = await moveToBin(tx, workspaceId, condition, { kind: 'delete', removedBy: caller.email });
    const result = { removed: removal?.contacts ?? 0, removalId: removal?.id ?? null };
    if (removal) await recordDone(tx, workspaceId, caller.email, wordsOf(selection), result);
    return result;
  });
  if (typeof started !== 'number') return started;
  return tasks.start(workspaceId, 'contacts.remove', { selection, count: started }, caller);
}

/** Writes the activity and the audit log's line of a removal that was done within the call. */
async function recordDone(
  tx: TenantTx,
  workspaceId: number,
  actor: string,
  words: RemovalWords,
  result: { removed: number; removalId: number | null } & Partial<RemovalResult>,
): Promise<void> {
  await recordAudit(tx, workspaceId, {
    actor,
    action: words.audit,
    subject: result.removalId ? `removal:${result.removalId}` : 'contacts',
    details: { ...words.auditDetails, ...result },
  });
  await recordActivity(tx, workspaceId, {
    action: words.action,
    details: words.done({ duplicates: 0, invalid: 0, nonUk: 0, ...result }),
    status: 'completed',
    icon: words.icon,
    iconColor: words.iconColor,
    actor,
    ...(result.removalId ? { link: `/bin?removal=${result.removalId}` } : {}),
  });
}

export async function countSelected(
  tx: TenantTx,
  workspaceId: number,
  selection: ContactSelection,
): Promise<number> {
  if ('ids' in selection) return countContacts(tx, workspaceId, hasId(selection.ids));
  return countAll(tx, workspaceId, await stored(tx, workspaceId, selection.filter));
}

async function runRemove(db: Database, context: TaskContext<RemoveInput>): Promise<RemovalResult> {
  const { workspaceId } = context;
  const { selection, count } = context.input;
  const chosen = await db.asTenant(workspaceId, (tx) => conditionForWalk(tx, workspaceId, selection));
  return removePieceByPiece(db, context, {
    removal: { kind: 'delete', removedBy: context.actor },
    chosen: () => chosen,
    total: count,
    words: wordsOf(selection),
  });
}

/** True for the contacts `c` that a selection holds, for work that walks all contacts by id, piece by piece. */
export async function conditionForWalk(
  tx: TenantTx,
  workspaceId: number,
  selection: ContactSelection,
): Promise<Fragment> {
  if ('ids' in selection) return hasId(selection.ids);
  return conditionOnContact(workspaceId, await stored(tx, workspaceId, selection.filter));
}

/**
 * A filter as a condition on the contact alone, for a walk by id over all contacts: it is tested once a contact, so that no
 * index has to find again for every piece what is left.
 */
function conditionOnContact(workspaceId: number, filter: SearchFilter): Fragment {
  const address = matchesAddress(workspaceId, filter);
  if (filter.status === null) return address;
  const suppressed = sql`(
    exists (
      select from suppressions s
      where s.workspace_id = c.workspace_id and s.domain = c.domain and s.local = c.local
    ) or exists (
      select from contact_domains b where b.workspace_id = c.workspace_id and b.domain = c.domain and b.blocked
    ))`;
  if (filter.status === 'suppressed') return sql`${address} and ${suppressed}`;
  const state = {
    active: contactStates.valid,
    invalid: contactStates.invalid,
    duplicate: contactStates.copy,
  };
  return sql`${address} and c.state = ${sql.lit(state[filter.status])} and not ${suppressed}`;
}

/** What `clean` would remove now. Reads only: nobody waits for it. */
export async function previewClean(tx: TenantTx, workspaceId: number): Promise<RemovalResult> {
  const { emailValidation } = await readSettings(tx, workspaceId);
  const { duplicates, invalid, nonUk } = await planClean(tx, workspaceId, emailValidation);
  return { removed: duplicates + invalid + nonUk, duplicates, invalid, nonUk, removalId: null };
}

/** Removes duplicate, invalid and non-UK contacts by the current settings; answers the task where that takes long. */
export async function clean(
  { db, tasks }: RemovalsContext,
  workspaceId: number,
  caller: Caller,
): Promise<RemovalResult | Task> {
  const done = await db.asTenant(workspaceId, async (tx) => {
    const { active, suppressed, invalid, duplicate } = await selectCounts(tx, workspaceId);
    if (active + suppressed + invalid + duplicate > fewToClean) return null;
    return cleanAtOnce(tx, workspaceId, caller.email);
  });
  return done ?? tasks.start(workspaceId, 'contacts.clean', {}, caller);
}

async function cleanAtOnce(tx: TenantTx, workspaceId: number, actor: string): Promise<RemovalResult> {
  const { emailValidation } = await readSettings(tx, workspaceId);
  const plan = await planClean(tx, workspaceId, emailValidation);
  const id = await openRemoval(tx, workspaceId, { kind: 'clean', removedBy: actor });
  await moveIntoRemoval(tx, workspaceId, id, isToClean(plan), { reason: cleanReason(plan) });
  const counts = await countByReason(tx, workspaceId, id);
  const closed = await closeRemoval(tx, workspaceId, id, counts);
  const result = { removed: closed?.contacts ?? 0, ...counts, removalId: closed?.id ?? null };
  await recordDone(tx, workspaceId, actor, cleanWords, result);
  return result;
}

/** A clean within a task; maintenance runs it as a part of its own. */
export async function cleanInPieces(db: Database, context: TaskContext<unknown>): Promise<RemovalResult> {
  const { workspaceId } = context;
  context.progress(0, null, 'Looking for what to remove');
  const plan = await db.asTenant(workspaceId, async (tx) =>
    planClean(tx, workspaceId, (await readSettings(tx, workspaceId)).emailValidation),
  );
  plan.invalidIds.sort((one, other) => one - other);
  const before = Number(context.state?.removed ?? 0);
  return removePieceByPiece(db, context, {
    removal: { kind: 'clean', removedBy: context.actor },
    chosen: (after) => isToClean(nextOf(plan, after)),
    reason: (after) => cleanReason(nextOf(plan, after)),
    total: before + plan.duplicates + plan.invalid + plan.nonUk,
    words: cleanWords,
  });
}

/** Closes a clean that was cancelled or has failed. */
export const closeBrokenClean = (
  db: Database,
  context: TaskContext<unknown>,
  end: 'failed' | 'cancelled',
): Promise<RemovalResult> => closeBroken(db, context, cleanWords, end);

/** The plan with no more invalid contacts than one piece can hold: a million ids need not be sent with each. */
function nextOf(plan: CleanPlan, after: number): CleanPlan {
  const first = plan.invalidIds.findIndex((id) => id > after);
  return { ...plan, invalidIds: first < 0 ? [] : plan.invalidIds.slice(first, first + 20_000) };
}

/** Brings a removal back; answers the task where that takes long. */
export async function restore(
  { db, tasks, judge }: RemovalsContext,
  workspaceId: number,
  caller: Caller,
  removalId: number,
): Promise<{ restored: number } | Task> {
  const done = await db.asTenant(workspaceId, async (tx) => {
    const removal = await needRestorable(tx, workspaceId, removalId);
    if (removal.contacts > fewContacts) return removal;
    const restored = await bringBack(tx, workspaceId, removalId, judge);
    await recordRestored(tx, workspaceId, caller.email, removalId, restored, removal.contacts);
    return { restored };
  });
  if ('restored' in done) return done;
  return tasks.start(workspaceId, 'contacts.restore', { removalId, count: done.contacts }, caller);
}

/**
 * Takes contacts, or a range of them, out of the bin and answers how many. Their verdicts went when they did: where the workspace has
 * verdicts at all they get new ones.
 */
async function bringBack(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  judge: JudgeContacts | undefined,
  range?: IdRange,
): Promise<number> {
  const ids = await takeFromBin(tx, workspaceId, removalId, range);
  if (judge && ids.length > 0 && (await hasVerdicts(tx, workspaceId))) await judge(tx, workspaceId, ids);
  return ids.length;
}

async function needRestorable(tx: TenantTx, workspaceId: number, removalId: number): Promise<Removal> {
  const { binDays } = (await readSettings(tx, workspaceId)).retention;
  const removal = await lockRemoval(tx, workspaceId, removalId, binDays);
  if (!removal) throw new AppError('not_found', 'There is no such removal.');
  if (removal.isOpen) {
    throw new AppError(
      'conflict',
      'These contacts are still being removed. Wait for the end, or cancel the task.',
    );
  }
  if (removal.restoredAt) throw new AppError('conflict', 'This was restored already.');
  if (removal.isExpired) {
    throw new AppError(
      'gone',
      `This was removed more than ${binDays} days ago and cannot be restored any more.`,
    );
  }
  return removal;
}

interface RestoreState {
  restored: number;
  looked: number;
  /** Set when it is done and has been told of. */
  isDone?: boolean;
}

async function runRestore(
  db: Database,
  context: TaskContext<RestoreInput>,
  judge: JudgeContacts | undefined,
): Promise<{ restored: number }> {
  const { workspaceId, input, checkpoint, progress, signal, actor } = context;
  const { removalId, count } = input;
  let state = context.state as unknown as RestoreState | null;
  if (!state) {
    const begun: RestoreState = { restored: 0, looked: 0 };
    await db.asTenant(workspaceId, async (tx) => {
      await needRestorable(tx, workspaceId, removalId);
      await markRestoring(tx, workspaceId, removalId);
      await checkpoint(tx, { ...begun });
    });
    state = begun;
  }
  while (!state.isDone) {
    signal.throwIfAborted();
    const before: RestoreState = state;
    progress(before.looked, count);
    state = await db.asTenant(workspaceId, async (tx) => {
      const range = await selectInBin(tx, workspaceId, removalId, pieceOfBin);
      const next = { ...before };
      if (range === null) {
        next.isDone = true;
        await recordRestored(tx, workspaceId, actor ?? '', removalId, next.restored, count);
      } else {
        next.restored += await bringBack(tx, workspaceId, removalId, judge, range);
        next.looked = Math.min(count, next.looked + pieceOfBin);
      }
      await checkpoint(tx, { ...next });
      return next;
    });
  }
  progress(count, count);
  return { restored: state.restored };
}

/** What came back stays; what is left in the bin can be restored later. */
async function breakOffRestore(
  db: Database,
  context: TaskContext<RestoreInput>,
): Promise<{ restored: number }> {
  const { workspaceId, input, actor } = context;
  const state = context.state as unknown as RestoreState | null;
  if (!state) return { restored: 0 };
  await db.asTenant(workspaceId, async (tx) => {
    await unmarkRestoring(tx, workspaceId, input.removalId);
    await recordAudit(tx, workspaceId, {
      actor,
      action: 'contacts.restored',
      subject: `removal:${input.removalId}`,
      details: { restored: state.restored, brokenOff: true },
    });
  });
  return { restored: state.restored };
}

async function recordRestored(
  tx: TenantTx,
  workspaceId: number,
  actor: string,
  removalId: number,
  restored: number,
  outOf: number,
): Promise<void> {
  await recordAudit(tx, workspaceId, {
    actor,
    action: 'contacts.restored',
    subject: `removal:${removalId}`,
    details: { restored, leftOut: outOf - restored },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Contacts Restored',
    details: `${contactsInWords(restored)} brought back`,
    status: 'completed',
    icon: 'restore',
    iconColor: 'success',
    actor,
    link: '/email-database',
    notify: outOf > fewContacts,
  });
}

/** What an import added and nobody changed since, as work for a task of the imports feature. */
export interface ImportToUndo {
  importId: number;
  fileName: string;
  firstId: number;
  lastId: number;
  total: number;
  /** Claims the import, in the first transaction, so that it is undone once. */
  begin(tx: TenantTx, removalId: number): Promise<void>;
}

const undoWords = ({ fileName, importId }: Pick<ImportToUndo, 'fileName' | 'importId'>): RemovalWords => ({
  action: 'Import Undone',
  icon: 'arrow-back-up',
  iconColor: 'warning',
  audit: 'import.undo',
  auditDetails: { importId },
  done: ({ removed }) => `${fileName}, ${contactsInWords(removed)} moved to the bin`,
});

/** Moves what an import added, and nobody changed since, to the bin; for the `run` of a task. */
export async function undoImportInPieces(
  db: Database,
  context: TaskContext<unknown>,
  undo: ImportToUndo,
): Promise<{ removed: number; removalId: number | null }> {
  const chosen = isUntouched(undo);
  const result = await removePieceByPiece(db, context, {
    removal: { kind: 'undo_import', importId: undo.importId, removedBy: context.actor },
    begin: undo.begin,
    chosen: () => chosen,
    between: { first: undo.firstId, last: undo.lastId },
    total: undo.total,
    words: undoWords(undo),
  });
  return toResult(result);
}

/** Closes the undo of an import that was cancelled or has failed. */
export async function closeBrokenUndo(
  db: Database,
  context: TaskContext<unknown>,
  undo: Pick<ImportToUndo, 'fileName' | 'importId'>,
  end: 'failed' | 'cancelled',
): Promise<{ removed: number; removalId: number | null }> {
  return toResult(await closeBroken(db, context, undoWords(undo), end));
}

/** The same within one transaction, for an import of a few thousand contacts. Answers no removal when nothing is left of it. */
export async function undoSmallImport(
  tx: TenantTx,
  workspaceId: number,
  undo: Omit<ImportToUndo, 'begin' | 'total'>,
  actor: string,
): Promise<{ removed: number; removalId: number | null }> {
  const removal = await moveToBin(tx, workspaceId, isUntouched(undo), {
    kind: 'undo_import',
    importId: undo.importId,
    removedBy: actor,
  });
  const result = { removed: removal?.contacts ?? 0, removalId: removal?.id ?? null };
  await recordDone(tx, workspaceId, actor, undoWords(undo), result);
  return result;
}

/** True where undoing an import of so many contacts is done within the call. */
export const isSmallImport = (contacts: number): boolean => contacts <= fewContacts;
