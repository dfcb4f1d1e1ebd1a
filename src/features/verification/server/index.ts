import { type Audience, audiencePort } from '#features/audience/server/index.ts';
import { verdictsPort } from '#features/bin/server/index.ts';
import { judgePort, whyDeadPort } from '#features/contacts/server/index.ts';
import { type TaskDefinition, tasksPort } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import {
  type FeatureContext,
  type FeatureParts,
  filtersOfAll,
  type ServerFeature,
} from '#platform/server/feature.ts';
import { formatCount } from '#platform/shared/words.ts';
import { verificationEvents } from '../contract/contact-events.ts';
import * as contract from '../contract.ts';
import { verificationWords } from '../rules/words.ts';
import { verificationConditions, verificationSegmentFields } from './conditions.ts';
import { tellEvents } from './contact-events.ts';
import { expireDomains } from './domain-queries.ts';
import { personal } from './erasing/personal.ts';
import { verificationFigures } from './figure-queries.ts';
import { whyDead } from './mail/dead-domains.ts';
import { createMailLookup } from './mail/mail-lookup.ts';
import { createMailServers, type MailServers } from './mail/mail-servers.ts';
import { mailServersPort } from './mail/mail-servers-port.ts';
import { registerVerification, runKind } from './routes.ts';
import { type RunInput, runInput, runVerification } from './run.ts';
import { verdictKeeper, verifyNow } from './verify-now.ts';

export { verificationConditions } from './conditions.ts';
export { createMailLookup } from './mail/mail-lookup.ts';
export { createMailServers, type MailServers } from './mail/mail-servers.ts';
export { mailServersPort } from './mail/mail-servers-port.ts';
export {
  dropSharedMailbox,
  dropSuggestions,
  forgetVerdicts,
  gatherSharedMailboxesOf,
} from './verdict-queries.ts';
export { verdictKeeper, verifyNow } from './verify-now.ts';

/** A verification of many contacts, as a task. */
export const verificationTask = (
  db: Database,
  mailServers: MailServers,
  audience: Audience,
): TaskDefinition<RunInput> => ({
  kind: runKind,
  input: runInput(audience),
  title: ({ contacts }) => `Verify ${formatCount(contacts, 'contact')}`,
  run: (context) => runVerification({ db, mailServers, audience }, context),
  link: (result) => (typeof result.runId === 'number' ? `/review?run=${result.runId}` : '/review'),
});

export const verificationFeature: ServerFeature = {
  name: 'verification',
  contract: (all) => ({ ...contract, ...contract.verificationCalls(filtersOfAll(all)) }),
  words: verificationWords,
  eventKinds: verificationEvents,
  create,
};

function create({ db, config, use, offer }: FeatureContext): FeatureParts {
  const { verifications } = config.limits;
  // Half a minute's worth at once, the other half bit by bit.
  const allowance = { burst: Math.ceil(verifications / 2), perSecond: verifications / 60 };
  const mailServers = createMailServers({ db, lookup: createMailLookup({ servers: config.dnsServers }) });
  const tasks = use(tasksPort);
  const audience = use(audiencePort);
  offer(judgePort, verifyNow);
  offer(verdictsPort, verdictKeeper);
  offer(mailServersPort, mailServers);
  offer(whyDeadPort, (domain) => whyDead(mailServers, domain));
  return {
    routes: (router) => registerVerification(router, { db, tasks, audience, mailServers, allowance }),
    tasks: [verificationTask(db, mailServers, audience)],
    conditions: verificationConditions,
    segmentFields: verificationSegmentFields,
    contactEvents: { scope: 'verify', tell: tellEvents },
    personal,
    jobs: [
      {
        name: 'verification.tidy',
        schedule: '29 4 * * *',
        handler: async () => void (await expireDomains(db.system)),
      },
    ],
    figures: {
      async emails(system, times) {
        const { contactsEver, contactsThisMonth } = await verificationFigures(system, times);
        return { ever: contactsEver, thisMonth: contactsThisMonth };
      },
      aiJobs: async (system, times) => (await verificationFigures(system, times)).runsToday,
    },
    stop: () => mailServers.close(),
  };
}
