import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import { liftingDays } from '../rules.ts';
import { purgeLiftings } from './lifting-queries.ts';
import { registerSuppressions } from './routes.ts';

export { carrySuppressions } from './carry.ts';

export interface Suppressions {
  register(router: Router): void;
  /** Forgets, of one workspace, what was lifted so long ago that it cannot be put back any more. */
  tidy(workspaceId: number): Promise<void>;
}

export function createSuppressions({ db }: { db: Database }): Suppressions {
  return {
    register: (router) => registerSuppressions(router, db),
    tidy: (workspaceId) => db.asTenant(workspaceId, (tx) => purgeLiftings(tx, workspaceId, liftingDays)),
  };
}
