import { sql } from 'kysely';
import { z } from 'zod';
import type { ContactSelection } from '#features/audience/contract.ts';
import type { Tree } from '#features/audience/rules/tree.ts';
import { type Audience, selectLastId } from '#features/audience/server/index.ts';
import { holdRemovals } from '#features/bin/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { TaskContext, TaskDefinition } from '#features/tasks/server/index.ts';
import { answersCallWith, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { type SaidBasis, saidBasis } from '../../contract.ts';
import { changeInWords } from '../../rules.ts';
import { type BasisContext, fewContacts, pieceSize } from '../context.ts';
import { holdBases } from '../count-queries.ts';
import { closeChange, openChange } from './change-queries.ts';
import { type Looked, sayBases } from './piece-queries.ts';
import { refuseUntrue } from './said.ts';
import { changesLink, tellSet } from './tell.ts';

/*
 * Says the basis of chosen contacts. A few thousand are done within the call, in one transaction.
 * More become a task that walks the contacts by id, a transaction per piece, each with its
 * checkpoint. Contacts added after the call are left alone.
 *
 *   begun (the change is open) --(piece)--> … --(no more)--> closed
 *                                   \--(cancelled, failed)--> closed with what it has, and can be undone
 */

type Asked = ContactSelection & SaidBasis & { onlyUnknown?: boolean | undefined };

interface SetResult {
  changed: number;
  changeId: number | null;
}

const setInput = ({ stored, asOf }: Audience) =>
  z.strictObject({
    ...{ audience: stored, said: saidBasis, onlyUnknown: z.boolean() },
    ...{ count: z.number(), asOf: asOf.optional() },
  });
type SetInput = z.output<ReturnType<typeof setInput>>;

interface SetState {
  changeId: number;
  after: number;
  upTo: number;
  looked: number;
  changed: number;
  result?: SetResult;
}

/** Says the basis of the selected contacts. Answers the task if that takes long. */
export async function setMany(
  { db, tasks, audience }: BasisContext,
  workspaceId: number,
  caller: Caller,
  { basis, source, givenOn, onlyUnknown = false, ...selection }: Asked,
): Promise<SetResult | Task> {
  const said = { basis, source, givenOn };
  refuseUntrue(said);
  const tree = audience.of(selection);
  const done = await db.asTenant(
    workspaceId,
    async (tx) => {
      const count = await audience.count(tx, workspaceId, tree);
      if (count > fewContacts) return { count, asOf: await audience.now(tx, workspaceId, tree) };
      const found = await audience.ids(tx, workspaceId, tree);
      const chosen = sql`select id from (${found}) found`;
      const changeId = await openChange(tx, workspaceId, { ...said, how: 'bulk', changedBy: caller.email });
      await sayPiece(tx, workspaceId, { said, onlyUnknown, changeId, chosen });
      const of = audience.record(tree);
      return close(tx, workspaceId, caller.email, { changeId, basis, of, isTask: false });
    },
    answersCallWith('changed'),
  );
  if (!('count' in done)) return done;
  return tasks.start(workspaceId, 'basis.set', { audience: tree, said, onlyUnknown, ...done }, caller);
}

async function sayPiece(
  tx: TenantTx,
  workspaceId: number,
  {
    said,
    ...piece
  }: Pick<Parameters<typeof sayBases>[2], 'changeId' | 'chosen' | 'onlyUnknown'> & {
    said: SaidBasis;
  },
): Promise<Looked> {
  await holdRemovals(tx, workspaceId);
  await holdBases(tx, workspaceId);
  // Who was chosen may have been moved to the bin before the lock was taken.
  const chosen = sql`
    select c.id from contacts c
    where c.workspace_id = ${workspaceId} and c.id = any(array(select p.id from (${piece.chosen}) p))`;
  return sayBases(tx, workspaceId, { ...said, ...piece, chosen, isWhole: false });
}

async function close(
  tx: TenantTx,
  workspaceId: number,
  actor: string | null,
  told: Omit<Parameters<typeof tellSet>[3], 'changed'>,
): Promise<SetResult> {
  const { changeId } = told;
  const changed = await closeChange(tx, workspaceId, changeId);
  if (changed > 0) await tellSet(tx, workspaceId, actor, { ...told, changed });
  return { changed, changeId: changed > 0 ? changeId : null };
}

export const setTask = (context: BasisContext): TaskDefinition<SetInput> => ({
  kind: 'basis.set',
  input: setInput(context.audience),
  title: ({ said, count }) => changeInWords(said.basis, count),
  run: async (task) => ({ ...(await setInPieces(context, task)) }),
  broken: async (task, { status }) => ({ ...(await closeBroken(context, task, status)) }),
  summary: ({ changed }, { said }) => `${changeInWords(said.basis, Number(changed ?? 0))}.`,
  link: () => changesLink,
});

async function setInPieces(
  { db, audience }: BasisContext,
  context: TaskContext<SetInput>,
): Promise<SetResult> {
  const { workspaceId, input, signal } = context;
  let state = (context.state as SetState | null) ?? (await begin({ db }, context));
  while (!state.result) {
    signal.throwIfAborted();
    context.progress(state.looked, Math.max(input.count, state.looked));
    const before: SetState = state;
    state = await db.asTenant(
      workspaceId,
      async (tx) => {
        await holdRemovals(tx, workspaceId);
        await holdBases(tx, workspaceId);
        const condition = await audience.conditionForWalk(tx, workspaceId, input.audience, input.asOf);
        const chosen = sql`
          select c.id from contacts c
          where c.workspace_id = ${workspaceId} and c.id > ${before.after} and c.id <= ${before.upTo} and (${condition})
          order by c.id limit ${pieceSize}`;
        const { said, onlyUnknown } = input;
        const piece = { ...said, onlyUnknown, changeId: before.changeId, chosen, isWhole: false };
        const { looked, last, changed } = await sayBases(tx, workspaceId, piece);
        const next: SetState = {
          ...before,
          after: last ?? before.upTo,
          looked: before.looked + looked,
          changed: before.changed + changed,
        };
        if (looked < pieceSize) next.result = await end(tx, audience, context, next);
        await context.checkpoint(tx, { ...next });
        return next;
      },
      { signal },
    );
  }
  context.progress(state.looked, state.looked);
  return state.result;
}

const begin = ({ db }: Pick<BasisContext, 'db'>, context: TaskContext<SetInput>): Promise<SetState> =>
  db.asTenant(context.workspaceId, async (tx) => {
    const { workspaceId, input, actor } = context;
    const state: SetState = {
      changeId: await openChange(tx, workspaceId, { ...input.said, how: 'bulk', changedBy: actor }),
      after: 0,
      upTo: await selectLastId(tx, workspaceId),
      looked: 0,
      changed: 0,
    };
    await context.checkpoint(tx, { ...state });
    return state;
  });

const end = (
  tx: TenantTx,
  audience: Audience,
  { workspaceId, input, actor }: TaskContext<SetInput>,
  { changeId }: SetState,
  brokenBy?: 'failed' | 'cancelled',
): Promise<SetResult> =>
  close(tx, workspaceId, actor, {
    ...{ changeId, basis: input.said.basis, isTask: true, end: brokenBy },
    of: audience.record(input.audience as Tree),
  });

/** What was said before the interruption can be undone like the rest. */
async function closeBroken(
  { db, audience }: BasisContext,
  context: TaskContext<SetInput>,
  brokenBy: 'failed' | 'cancelled',
): Promise<SetResult> {
  const state = context.state as SetState | null;
  if (!state) return { changed: 0, changeId: null };
  if (state.result) return state.result;
  return db.asTenant(context.workspaceId, async (tx) => {
    const result = await end(tx, audience, context, state, brokenBy);
    await context.checkpoint(tx, { ...state, result });
    return result;
  });
}
