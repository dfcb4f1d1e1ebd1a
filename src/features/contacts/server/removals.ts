import { sql } from 'kysely';
import { idna } from '#features/addresses/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { TaskContext } from '#features/tasks/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
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
  moveIntoRemoval,
  moveToBin,
  openRemoval,
} from './removal-queries.ts';
import { closeBroken, removePieceByPiece } from './removal-tasks.ts';
import {
  contactsInWords,
  fewContacts,
  type RemovalResult,
  type RemovalWords,
  recordDone,
  thousands,
  toResult,
} from './removal-words.ts';
import { defineRestore, type RestoreContext } from './restores.ts';
import { countAll, filterFor, plainConditionFor } from './search.ts';
import { selectCounts } from './stats-queries.ts';

/** Taking contacts out: a few thousand within the call; more as a task, which the calls wait for or not, as the caller prefers. */
export type RemovalsContext = RestoreContext;

/** Up to so many contacts in all, a clean looks through them within the call. */
const fewToClean = 50_000;

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
  defineRestore({ db, tasks, judge });
}

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
