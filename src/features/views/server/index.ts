import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import { registerViews } from './routes.ts';

export function createViews({ db }: { db: Database }): { register(router: Router): void } {
  return { register: (router) => registerViews(router, db) };
}
