import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { readStats } from './read-stats.ts';
import { readUkView } from './uk-view.ts';

export function registerRollups(router: Router, db: Database): void {
  router.handle(contract.getUkView, ({ workspaceId, request }) =>
    readUkView(db, workspaceId, (error) => request.log.warn({ err: error }, 'UK figures were not made')),
  );
  router.handle(contract.getStats, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => readStats(tx, workspaceId)),
  );
}
