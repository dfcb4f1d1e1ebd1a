import { audiencePort } from '#features/audience/server/index.ts';
import { imagesPort } from '#features/images/server/index.ts';
import { createLinkKeys } from '#features/links/server/index.ts';
import { ownMailRatePort } from '#features/pace/server/index.ts';
import { ownMailHostsPort, sendersPort } from '#features/senders/server/index.ts';
import { sendingPort } from '#features/sending/server/index.ts';
import { templatesPort } from '#features/templates/server/index.ts';
import { createDns } from '#platform/server/dns.ts';
import { eachWorkspace } from '#platform/server/each-workspace.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { campaignCodes } from '../rules/codes.ts';
import { campaignsWords } from '../rules/words.ts';
import type { CampaignsContext } from './context.ts';
import { campaignImages } from './image-uses.ts';
import { forgetDeleted, selectUses, selectWorkspacesWithDue } from './queries.ts';
import { registerCampaigns } from './routes.ts';
import { sendDue } from './send-campaign.ts';

/** How many days a deleted draft can be restored. */
const deletedDays = 30;

export const campaignsFeature: ServerFeature = {
  name: 'campaigns',
  contract,
  words: campaignsWords,
  errors: campaignCodes,
  create,
};

function create({ db, config, log, use, find }: FeatureContext): FeatureParts {
  const dns = createDns({ servers: config.dnsServers });
  const ownMailHosts: CampaignsContext['ownMailHosts'] = async (tx, workspaceId) =>
    (await find(ownMailHostsPort)?.(tx, workspaceId)) ?? [];
  const context: CampaignsContext = {
    ...{ db, config, log, dns },
    audience: use(audiencePort),
    sending: use(sendingPort),
    ownMailHosts,
    ownMailRate: async (tx, workspaceId) => (await find(ownMailRatePort)?.(tx, workspaceId)) ?? null,
    linkKeys: createLinkKeys([config.secretKey, ...config.previousSecretKeys]),
    leaves: async (tx, workspaceId) =>
      config.smtpUrl !== undefined || (await ownMailHosts(tx, workspaceId)).length > 0,
    templates: use(templatesPort),
    senders: use(sendersPort),
  };
  use(imagesPort).add(campaignImages);
  return {
    routes: (router) => registerCampaigns(router, context),
    findUses: (tx, workspaceId, asked) =>
      selectUses(tx, workspaceId, asked, context.sending.states(workspaceId)),
    jobs: [
      {
        name: 'campaigns.send-due',
        schedule: '* * * * *',
        handler: async (_data, { signal }) => {
          if (config.sending === 'off') return;
          const failed = 'Scheduled campaigns could not be sent in a workspace';
          await eachWorkspace(
            () => selectWorkspacesWithDue(db.system),
            { failed, log, signal },
            (workspaceId) => sendDue(context, workspaceId, signal),
          );
        },
      },
    ],
    nightly: [
      {
        name: 'campaigns.forget-deleted',
        run: (workspaceId) => db.asTenant(workspaceId, (tx) => forgetDeleted(tx, workspaceId, deletedDays)),
      },
    ],
    stop: () => dns.close(),
  };
}
