import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import { registerAudit } from './routes.ts';

export { type AuditRow, selectLinesAbout } from './queries.ts';
export { recordAudit } from './service.ts';

export function createAudit({ db }: { db: Database }): { register(router: Router): void } {
  return { register: (router) => registerAudit(router, db) };
}
