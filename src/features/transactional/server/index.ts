import { sendersPort } from '#features/senders/server/index.ts';
import { directDays, sendingPort } from '#features/sending/server/index.ts';
import { templatesPort } from '#features/templates/server/index.ts';
import { trackedSendsPort } from '#features/tracking/server/index.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { transactionalWords } from '../rules/words.ts';
import { personal } from './personal.ts';
import { forgetMessages } from './queries.ts';
import { registerTransactional } from './routes.ts';

export const transactionalFeature: ServerFeature = {
  name: 'transactional',
  contract,
  words: transactionalWords,
  create,
};

function create({ db, config, use, find }: FeatureContext): FeatureParts {
  const sends = () => find(trackedSendsPort);
  const context = {
    ...{ db, config, sends, sending: use(sendingPort), templates: use(templatesPort) },
    senders: use(sendersPort),
  };
  return {
    routes: (router) => registerTransactional(router, context),
    personal,
    nightly: [
      {
        name: 'transactional.forget',
        run: (workspaceId) => db.asTenant(workspaceId, (tx) => forgetMessages(tx, workspaceId, directDays)),
      },
    ],
  };
}
