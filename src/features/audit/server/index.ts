import type { ServerFeature } from '#platform/server/feature.ts';
import { auditCalls } from '../contract.ts';
import { auditLanguage } from '../rules.ts';
import { registerAudit } from './routes.ts';

export type { Actor } from './actor.ts';
export { type AuditRow, selectLinesAbout, whoDid } from './queries.ts';
export { recordAudit } from './record-audit.ts';

export const auditFeature: ServerFeature = {
  name: 'audit',
  contract: (all) => auditCalls(languageOf(all).areas.map(({ name }) => name)),
  create({ db, features }) {
    const language = languageOf(features);
    return { routes: (router) => registerAudit(router, db, language) };
  },
};

const languageOf = (features: readonly ServerFeature[]) =>
  auditLanguage(features.map(({ words }) => words?.audit));
