import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import { registerSettings } from './routes.ts';

export { readSettings } from './service.ts';

export function createSettings({ db }: { db: Database }): { register(router: Router): void } {
  return { register: (router) => registerSettings(router, db) };
}
