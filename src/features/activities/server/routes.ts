import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import { listActivities } from '../contract.ts';
import { selectActivities } from './queries.ts';

export function registerActivities(router: Router, db: Database): void {
  router.handle(listActivities, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => selectActivities(tx, workspaceId, query.limit)),
  );
}
