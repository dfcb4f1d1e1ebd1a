import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import { registerSuppressions } from './routes.ts';

export function createSuppressions({ db }: { db: Database }): { register(router: Router): void } {
  return { register: (router) => registerSuppressions(router, db) };
}
