import { ownMailRatePort } from '#features/pace/server/index.ts';
import { ownMailHostsPort } from '#features/senders/server/index.ts';
import { ownTransportsPort } from '#features/sending/server/index.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import { createSealer } from '#platform/server/sealed.ts';
import * as contract from '../contract.ts';
import { smtpServersWords } from '../rules/words.ts';
import { OwnTransports } from './own-transports.ts';
import { selectHosts, selectRate } from './queries.ts';
import { registerSmtpServers } from './routes.ts';
import { sealAgain } from './write-server.ts';

export const smtpServersFeature: ServerFeature = {
  name: 'smtp-servers',
  contract,
  words: smtpServersWords,
  create,
};

function create({ db, config, log, offer }: FeatureContext): FeatureParts {
  const sealer = createSealer(config.secretKey, config.previousSecretKeys);
  const own = new OwnTransports({ db, sealer, config, log });
  offer(ownMailHostsPort, selectHosts);
  offer(ownMailRatePort, selectRate);
  offer(ownTransportsPort, (workspaceId) => own.of(workspaceId));
  return {
    routes: (router) => registerSmtpServers(router, { db, sealer, config }),
    nightly: [
      {
        name: 'smtp-servers.seal-again',
        run: (workspaceId) => db.asTenant(workspaceId, (tx) => sealAgain(tx, workspaceId, sealer)),
      },
    ],
    stop: () => own.close(),
  };
}
