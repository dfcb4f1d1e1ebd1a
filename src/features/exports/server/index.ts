import { audiencePort } from '#features/audience/server/index.ts';
import { filtersOfAll, type ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { registerExports } from './routes.ts';

export { answerExport } from './routes.ts';

export const exportsFeature: ServerFeature = {
  name: 'exports',
  contract: (all) => ({ ...contract, ...contract.exportCalls(filtersOfAll(all)) }),
  create({ db, use }) {
    const context = { db, audience: use(audiencePort) };
    return { routes: (router) => registerExports(router, context) };
  },
};
