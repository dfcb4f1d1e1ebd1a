import type { Task } from '#features/tasks/contract.ts';
import type { Router } from '#platform/server/http.ts';
import type { memberCalls } from '../contract.ts';
import { addToGroup, removeFromGroup } from './changes/change-members.ts';
import type { MembershipsContext } from './context.ts';
import type { GroupKind } from './group-kind.ts';

/** The calls that add contacts to groups of a kind, and take them out. */
export function registerMembers(
  router: Router,
  context: MembershipsContext,
  kind: GroupKind,
  calls: ReturnType<typeof memberCalls>,
): void {
  router.handle(calls.add, async (call) => {
    const { workspaceId, caller, params, body } = call;
    const done = await addToGroup(context, { workspaceId, caller, kind, groupId: params.id }, body);
    if ('added' in done) return done;
    return context.tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done);
  });
  router.handle(calls.remove, async (call) => {
    const { workspaceId, caller, params, body } = call;
    const done = await removeFromGroup(context, { workspaceId, caller, kind, groupId: params.id }, body);
    if ('removed' in done) return done;
    return context.tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done);
  });
}
