import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import { registerActivities } from './routes.ts';

export { deleteOldActivities, selectChoices } from './queries.ts';
export { type NewActivity, recordActivity } from './service.ts';

export function createActivities({ db }: { db: Database }): { register(router: Router): void } {
  return { register: (router) => registerActivities(router, db) };
}
