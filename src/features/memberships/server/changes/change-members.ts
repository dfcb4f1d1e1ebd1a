import { sql } from 'kysely';
import type { Tree } from '#features/audience/rules/tree.ts';
import type { AsOf } from '#features/audience/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { ChosenContacts, MembersAdded, MembersRemoved } from '../../contract.ts';
import { fewContacts, type MembershipsContext } from '../context.ts';
import type { GroupKind } from '../group-kind.ts';
import { needGroup } from '../need-group.ts';
import { closeChange, openChange } from './change-queries.ts';
import { type Chosen, chooseContacts, noneUnknown, sourceOf } from './choose-contacts.ts';
import { type Asked, changePiece } from './pieces.ts';
import { tellChanged } from './tell.ts';

/*
 * Adds contacts to a list or a tag, or takes them out. A few thousand are done within the call, in
 * one transaction. More become a task (change-tasks.ts).
 */

/** A call that adds or removes, and the group that it names. */
export interface GroupCall {
  workspaceId: number;
  caller: Caller;
  kind: GroupKind;
  groupId: number;
}

/** Adds contacts. Answers the task if that takes long. */
export const addToGroup = (context: MembershipsContext, call: GroupCall, asked: ChosenContacts) =>
  changeGroup(context, call, asked, false, addedResult);

/** Takes contacts out. They stay contacts. */
export const removeFromGroup = (context: MembershipsContext, call: GroupCall, asked: ChosenContacts) =>
  changeGroup(context, call, asked, true, removedResult);

/** What was done, before it is told as an answer. */
export interface Done {
  /** How many contacts were meant. */
  meant: number;
  changed: number;
  /** How many have left the group themselves and stay out. */
  leftOut: number;
  changeId: number;
  unknown?: MembersAdded['unknown'];
}

export const addedResult = ({
  meant,
  changed,
  leftOut,
  changeId,
  unknown = noneUnknown,
}: Done): MembersAdded => ({
  added: changed,
  alreadyThere: Math.max(0, meant - changed - leftOut),
  leftOut,
  unknown,
  changeId: changed > 0 ? changeId : null,
});

export const removedResult = ({ meant, changed, changeId, unknown = noneUnknown }: Done): MembersRemoved => ({
  removed: changed,
  notThere: Math.max(0, meant - changed),
  unknown,
  changeId: changed > 0 ? changeId : null,
});

async function changeGroup<Result extends object>(
  { db, tasks, audience }: MembershipsContext,
  { workspaceId, caller, kind, groupId }: GroupCall,
  asked: ChosenContacts,
  isRemoval: boolean,
  resultOf: (done: Done) => Result,
): Promise<Result | Task> {
  const source = sourceOf(caller, asked);
  const atOnce = async (
    tx: TenantTx,
  ): Promise<{ done: Result } | { done: null; tree: Tree; count: number; asOf: AsOf }> => {
    const group = await needGroup(tx, workspaceId, kind, groupId);
    if (group.isDynamic) throw fillsItself(group.name);
    const chosen = await chooseContacts(audience, tx, workspaceId, asked);
    if (chosen.tree === null)
      return { done: resultOf({ meant: 0, changed: 0, leftOut: 0, changeId: 0, ...chosen }) };
    const count = await audience.count(tx, workspaceId, chosen.tree);
    if (count > fewContacts)
      return { done: null, tree: chosen.tree, count, asOf: await audience.now(tx, workspaceId, chosen.tree) };
    const what = { kind, groupId, isRemoval, source };
    return { done: resultOf(await changeFew(audience, tx, { workspaceId, caller }, what, chosen)) };
  };
  const many = await db.asTenant(workspaceId, atOnce, {
    answer: ({ done }) => (done ? { body: done } : undefined),
  });
  if (!('tree' in many)) return many.done;
  const { tree, count, asOf } = many;
  const input = { kind: kind.kind, groupId, isRemoval, source, audience: tree, count, asOf };
  return tasks.start(workspaceId, 'memberships.change', input, caller);
}

const fillsItself = (name: string) =>
  new AppError('conflict', `The list “${name}” fills itself by its rules. Change its rules instead.`);

async function changeFew(
  audience: MembershipsContext['audience'],
  tx: TenantTx,
  { workspaceId, caller }: Pick<GroupCall, 'workspaceId' | 'caller'>,
  { kind, ...asked }: Omit<Asked, 'changeId'> & { kind: GroupKind },
  { tree, unknown }: Chosen,
): Promise<Done> {
  const actor = caller.email;
  const found = await audience.ids(tx, workspaceId, tree as Tree);
  const changeId = await openChange(tx, workspaceId, { kind: kind.kind, ...asked, changedBy: actor });
  const chosen = sql`select id from (${found}) found`;
  const { group, looked, changed, leftOut, ids } = await changePiece(
    tx,
    workspaceId,
    kind,
    { ...asked, changeId },
    { chosen, isKept: true },
  );
  await closeChange(tx, workspaceId, changeId, { contacts: changed, contactIds: ids });
  const of = audience.record(tree as Tree);
  if (changed > 0)
    await tellChanged(tx, workspaceId, actor, kind, { ...asked, group, changed, leftOut, changeId, of });
  return { meant: looked, changed, leftOut, changeId, unknown };
}
