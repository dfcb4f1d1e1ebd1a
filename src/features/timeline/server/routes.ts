import type { Database } from '#platform/server/database.ts';
import type { ContactEventSource } from '#platform/server/feature.ts';
import type { Router } from '#platform/server/http.ts';
import { getTimeline } from '../contract.ts';
import { readTimeline } from './service.ts';

export function registerTimeline(router: Router, db: Database, sources: readonly ContactEventSource[]): void {
  router.handle(getTimeline, ({ workspaceId, params, caller }) =>
    db.asTenant(workspaceId, (tx) => readTimeline(tx, workspaceId, params.id, sources, caller.key)),
  );
}
