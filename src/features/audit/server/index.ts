import type { ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { registerAudit } from './routes.ts';

export { type AuditRow, selectLinesAbout, whoDid } from './queries.ts';
export { recordAudit } from './service.ts';

export const auditFeature: ServerFeature = {
  name: 'audit',
  contract,
  create: ({ db }) => ({ routes: (router) => registerAudit(router, db) }),
};
