import type { Task } from '#features/tasks/contract.ts';
import type { Router } from '#platform/server/http.ts';
import { undoMembership } from '../contract.ts';
import { undoChange } from './changes/undo-change.ts';
import type { MembershipsContext } from './context.ts';

export function registerMemberships(router: Router, context: MembershipsContext): void {
  router.handle(undoMembership, async (call) => {
    const { workspaceId, caller, params } = call;
    const done = await undoChange(context, workspaceId, caller, params.id);
    return 'undone' in done
      ? done
      : context.tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done);
  });
}
