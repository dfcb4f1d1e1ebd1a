import type { ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { registerExports } from './routes.ts';

export { answerExport } from './routes.ts';

export const exportsFeature: ServerFeature = {
  name: 'exports',
  contract,
  create: ({ db }) => ({ routes: (router) => registerExports(router, db) }),
};
