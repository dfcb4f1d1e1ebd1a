import { sql } from 'kysely';
import { z } from 'zod';
import type { Tree } from '#features/audience/rules/tree.ts';
import { type Audience, selectLastId } from '#features/audience/server/index.ts';
import { holdRemovals } from '#features/bin/server/index.ts';
import { memberSources } from '#features/contacts/contract.ts';
import type { TaskContext, TaskDefinition } from '#features/tasks/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { changeInWords } from '../../rules.ts';
import { type MembershipsContext, pieceSize } from '../context.ts';
import type { GroupKind } from '../group-kind.ts';
import { selectGroups } from '../group-queries.ts';
import { nextMembers } from '../member-queries.ts';
import { kindOf } from '../registered.ts';
import { addedResult, removedResult } from './change-members.ts';
import { closeChange, openChange } from './change-queries.ts';
import { changePiece } from './pieces.ts';
import { tellChanged } from './tell.ts';

/*
 * Adds many contacts to a group, or takes many out. Walks the contacts by id, or the group, a
 * transaction per piece, each with its checkpoint. Contacts added after the call are left alone.
 *
 *   begun (the change is open) --(piece)--> … --(no more)--> closed
 *                                   \--(cancelled, failed)--> closed with what it has, and can be undone
 *
 * When the group is deleted meanwhile, the next piece fails and says so.
 */

const changeInput = ({ stored, asOf }: Audience) =>
  z.strictObject({
    kind: z.enum(['list', 'tag']),
    groupId: z.number(),
    isRemoval: z.boolean(),
    source: z.enum(memberSources),
    audience: stored,
    count: z.number(),
    asOf: asOf.optional(),
  });
type ChangeInput = z.output<ReturnType<typeof changeInput>>;

interface ChangeState {
  changeId: number;
  after: number;
  upTo: number;
  looked: number;
  changed: number;
  /** Absent in work that began before there were topics. */
  leftOut?: number;
  isClosed?: boolean;
}

export const changeTask = (context: MembershipsContext): TaskDefinition<ChangeInput> => ({
  kind: 'memberships.change',
  input: changeInput(context.audience),
  title: (input) => changeInWords(input, input.count),
  run: async (task) => resultOf(task.input, await changeInPieces(context, task)),
  broken: async (task, { status }) => {
    const state = task.state as ChangeState | null;
    if (!state) return resultOf(task.input, { changeId: 0, looked: 0, changed: 0 });
    return resultOf(task.input, state.isClosed ? state : await closeBroken(context, task, state, status));
  },
  summary: (result, input) => `${changeInWords(input, Number(result.added ?? result.removed ?? 0))}.`,
  link: (_result, { kind, groupId }) => context.kinds.get(kind)?.link(groupId) ?? null,
});

function resultOf(
  { isRemoval, count }: ChangeInput,
  { looked, leftOut = 0, ...state }: Pick<ChangeState, 'changeId' | 'looked' | 'changed' | 'leftOut'>,
): Record<string, unknown> {
  const done = { ...state, leftOut, meant: isRemoval ? Math.max(count, looked) : looked };
  return isRemoval ? removedResult(done) : addedResult(done);
}

async function changeInPieces(
  context: MembershipsContext,
  task: TaskContext<ChangeInput>,
): Promise<ChangeState> {
  const { db, audience } = context;
  const { workspaceId, input, signal } = task;
  const kind = kindOf(context, input.kind);
  let state = (task.state as ChangeState | null) ?? (await begin(context, task));
  while (!state.isClosed) {
    signal.throwIfAborted();
    task.progress(state.looked, Math.max(input.count, state.looked));
    const before: ChangeState = state;
    state = await db.asTenant(
      workspaceId,
      async (tx) => {
        await holdRemovals(tx, workspaceId);
        const condition = await audience.conditionForWalk(tx, workspaceId, input.audience, input.asOf);
        const chosen = nextOf(workspaceId, kind, input, { ...before, chosen: condition, limit: pieceSize });
        const { looked, last, changed, leftOut } = await changePiece(
          tx,
          workspaceId,
          kind,
          { ...input, changeId: before.changeId },
          { chosen, isKept: false },
        );
        const next = {
          ...before,
          after: last ?? before.upTo,
          looked: before.looked + looked,
          changed: before.changed + changed,
          leftOut: (before.leftOut ?? 0) + leftOut,
          isClosed: looked < pieceSize,
        };
        if (next.isClosed) await close(tx, context, task, next);
        await task.checkpoint(tx, { ...next });
        return next;
      },
      { signal },
    );
  }
  task.progress(state.looked, state.looked);
  return state;
}

/** The contacts of the next piece. Who is taken out of a group is looked for in the group. */
function nextOf(
  workspaceId: number,
  kind: GroupKind,
  { groupId, isRemoval }: ChangeInput,
  range: { chosen: Fragment; after: number; upTo: number; limit: number },
): Fragment {
  if (isRemoval) return nextMembers(workspaceId, kind, groupId, range);
  return sql`
    select c.id from contacts c
    where c.workspace_id = ${workspaceId} and c.id > ${range.after} and c.id <= ${range.upTo} and (${range.chosen})
    order by c.id limit ${range.limit}`;
}

const begin = (
  { db }: Pick<MembershipsContext, 'db'>,
  { workspaceId, input, actor, checkpoint }: TaskContext<ChangeInput>,
): Promise<ChangeState> =>
  db.asTenant(workspaceId, async (tx) => {
    const state: ChangeState = {
      changeId: await openChange(tx, workspaceId, { ...input, changedBy: actor }),
      after: 0,
      upTo: await selectLastId(tx, workspaceId),
      looked: 0,
      changed: 0,
    };
    await checkpoint(tx, { ...state });
    return state;
  });

async function close(
  tx: TenantTx,
  context: MembershipsContext,
  { workspaceId, input, actor }: TaskContext<ChangeInput>,
  { changeId, changed, leftOut = 0 }: ChangeState,
  end?: 'failed' | 'cancelled',
): Promise<void> {
  const kind = kindOf(context, input.kind);
  await closeChange(tx, workspaceId, changeId, { contacts: changed, contactIds: null });
  const [group] = await selectGroups(tx, workspaceId, kind, [input.groupId]);
  if (changed === 0 || !group) return;
  const of = context.audience.record(input.audience as Tree);
  await tellChanged(tx, workspaceId, actor, kind, {
    ...input,
    group,
    changed,
    leftOut,
    changeId,
    of,
    end,
    isTask: true,
  });
}

/** What was done before the interruption can be undone like the rest. */
async function closeBroken(
  context: MembershipsContext,
  task: TaskContext<ChangeInput>,
  state: ChangeState,
  end: 'failed' | 'cancelled',
): Promise<ChangeState> {
  await context.db.asTenant(task.workspaceId, async (tx) => {
    await close(tx, context, task, state, end);
    await task.checkpoint(tx, { ...state, isClosed: true });
  });
  return state;
}
