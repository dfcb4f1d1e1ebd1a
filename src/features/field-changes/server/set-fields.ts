import { sql } from 'kysely';
import { z } from 'zod';
import type { ContactSelection } from '#features/audience/contract.ts';
import type { Tree } from '#features/audience/rules/tree.ts';
import { type Audience, selectChosen, selectLastId } from '#features/audience/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { TaskContext, TaskDefinition } from '#features/tasks/server/index.ts';
import { answersCallWith, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type WhatChanges, whatChanges } from '../contract.ts';
import { changeInWords, problemOf } from '../rules.ts';
import { closeChange, openChange } from './change-queries.ts';
import { type FieldChangesContext, fewContacts } from './context.ts';
import { pieceSize, setPiece } from './pieces.ts';
import { changesLink, tellSet } from './tell.ts';

/*
 * Sets fields of chosen contacts. A few thousand are done within the call, in one transaction. More
 * become a task that walks the contacts by id, a transaction per piece, each with its checkpoint.
 * Contacts added after the call are left alone.
 *
 *   begun (the change is open) --(piece)--> … --(no more)--> closed
 *                                   \--(cancelled, failed)--> closed with what it has, and can be undone
 */

export type Asked = ContactSelection & WhatChanges;

export interface SetResult {
  changed: number;
  leftOut: number;
  changeId: number | null;
}

const setInput = ({ stored, asOf }: Audience) =>
  z.strictObject({ audience: stored, what: whatChanges, count: z.number(), asOf: asOf.optional() });
type SetInput = z.output<ReturnType<typeof setInput>>;

interface SetState {
  changeId: number;
  after: number;
  upTo: number;
  looked: number;
  changed: number;
  leftOut: number;
  result?: SetResult;
}

/** What a call asks for: for whom, and what. Throws `invalid_input`. */
export function readAsked(audience: Audience, { set, onlyEmpty, splitNames, ...selection }: Asked) {
  const what = { set, onlyEmpty, splitNames };
  const problem = problemOf(what);
  if (problem !== null) throw new AppError('invalid_input', problem, { fields: { set: problem } });
  return { tree: audience.of(selection), what };
}

/** Sets fields of the selected contacts. Answers the task if that takes long. */
export async function setFields(
  { db, tasks, audience }: FieldChangesContext,
  workspaceId: number,
  caller: Caller,
  asked: Asked,
): Promise<SetResult | Task> {
  const { tree, what } = readAsked(audience, asked);
  const done = await db.asTenant(
    workspaceId,
    async (tx) => {
      const count = await audience.count(tx, workspaceId, tree);
      if (count > fewContacts) return { count, asOf: await audience.now(tx, workspaceId, tree) };
      const { rows } = await sql<{ id: number }>`
      select id from (${await audience.ids(tx, workspaceId, tree)}) chosen`.execute(tx);
      const changeId = await openChange(tx, workspaceId, { what, changedBy: caller.email });
      const ids = rows.map(({ id }) => id);
      const set = await setPiece(tx, workspaceId, { changeId, what, ids });
      return close(tx, workspaceId, caller.email, {
        changeId,
        what,
        ...set,
        of: audience.record(tree),
        isTask: false,
      });
    },
    answersCallWith('changed'),
  );
  if (!('count' in done)) return done;
  return tasks.start(workspaceId, 'contacts.set_fields', { audience: tree, what, ...done }, caller);
}

async function close(
  tx: TenantTx,
  workspaceId: number,
  actor: string | null,
  told: Parameters<typeof tellSet>[3],
): Promise<SetResult> {
  const { changeId, leftOut } = told;
  const changed = await closeChange(tx, workspaceId, changeId);
  if (changed > 0) await tellSet(tx, workspaceId, actor, { ...told, changed });
  return { changed, leftOut, changeId: changed > 0 ? changeId : null };
}

export const setTask = (context: FieldChangesContext): TaskDefinition<SetInput> => ({
  kind: 'contacts.set_fields',
  input: setInput(context.audience),
  title: ({ what, count }) => changeInWords(what, count),
  run: async (task) => ({ ...(await setInPieces(context, task)) }),
  broken: async (task, { status }) => ({ ...(await closeBroken(context, task, status)) }),
  summary: ({ changed }, { what }) => `${changeInWords(what, Number(changed ?? 0))}.`,
  link: () => changesLink,
});

async function setInPieces(
  { db, audience }: FieldChangesContext,
  context: TaskContext<SetInput>,
): Promise<SetResult> {
  const { workspaceId, input, signal } = context;
  const { audience: tree, what, count, asOf } = input;
  let state = (context.state as SetState | null) ?? (await begin({ db }, context));
  while (!state.result) {
    signal.throwIfAborted();
    context.progress(state.looked, Math.max(count, state.looked));
    const before: SetState = state;
    state = await db.asTenant(
      workspaceId,
      async (tx) => {
        const chosen = await audience.conditionForWalk(tx, workspaceId, tree, asOf);
        const ids = await selectChosen(tx, workspaceId, chosen, { ...before, limit: pieceSize });
        const next =
          ids.length === 0 ? await end(tx, audience, context, before) : await goOn(tx, before, ids);
        await context.checkpoint(tx, { ...next });
        return next;
      },
      { signal },
    );
  }
  context.progress(state.looked, state.looked);
  return state.result;

  async function goOn(tx: TenantTx, before: SetState, ids: readonly number[]): Promise<SetState> {
    const { changed, leftOut } = await setPiece(tx, workspaceId, { ...before, what, ids });
    return {
      ...before,
      after: ids.at(-1) ?? before.upTo,
      looked: before.looked + ids.length,
      changed: before.changed + changed,
      leftOut: before.leftOut + leftOut,
    };
  }
}

const begin = ({ db }: Pick<FieldChangesContext, 'db'>, context: TaskContext<SetInput>): Promise<SetState> =>
  db.asTenant(context.workspaceId, async (tx) => {
    const { workspaceId, input, actor } = context;
    const state: SetState = {
      changeId: await openChange(tx, workspaceId, { what: input.what, changedBy: actor }),
      after: 0,
      upTo: await selectLastId(tx, workspaceId),
      looked: 0,
      changed: 0,
      leftOut: 0,
    };
    await context.checkpoint(tx, { ...state });
    return state;
  });

async function end(
  tx: TenantTx,
  audience: Audience,
  { workspaceId, input, actor }: TaskContext<SetInput>,
  state: SetState,
  brokenBy?: 'failed' | 'cancelled',
): Promise<SetState> {
  const { changeId, changed, leftOut } = state;
  const result = await close(tx, workspaceId, actor, {
    ...{ changeId, changed, leftOut, what: input.what, isTask: true, end: brokenBy },
    of: audience.record(input.audience as Tree),
  });
  return { ...state, result };
}

/** What was changed before the interruption can be undone like the rest. */
async function closeBroken(
  { db, audience }: FieldChangesContext,
  context: TaskContext<SetInput>,
  brokenBy: 'failed' | 'cancelled',
): Promise<SetResult> {
  const state = context.state as SetState | null;
  if (!state) return { changed: 0, leftOut: 0, changeId: null };
  if (state.result) return state.result;
  const closed = await db.asTenant(context.workspaceId, async (tx) => {
    const next = await end(tx, audience, context, state, brokenBy);
    await context.checkpoint(tx, { ...next });
    return next;
  });
  return closed.result as SetResult;
}
