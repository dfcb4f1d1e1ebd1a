import type { Router } from '#platform/server/http.ts';
import { timelineCalls } from '../contract.ts';
import { readTimeline, type TimelineContext } from './read-timeline.ts';

export function registerTimeline(router: Router, context: TimelineContext): void {
  const { getTimeline } = timelineCalls(context.kinds);
  router.handle(getTimeline, ({ workspaceId, params, caller }) =>
    context.db.asTenant(workspaceId, (tx) => readTimeline(context, tx, workspaceId, params.id, caller)),
  );
}
