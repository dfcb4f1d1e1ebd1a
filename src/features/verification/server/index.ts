import { type Audience, audiencePort } from '#features/audience/server/index.ts';
import { verdictsPort } from '#features/bin/server/index.ts';
import { judgePort, whyDeadPort } from '#features/contacts/server/index.ts';
import { type Tasks, tasksPort } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { verificationWords } from '../rules/words.ts';
import type { Allowance } from '../rules.ts';
import { verificationConditions } from './conditions.ts';
import { verificationEvents } from './contact-events.ts';
import { whyDead } from './dead-domains.ts';
import { expireDomains } from './domain-queries.ts';
import { verificationFigures } from './figure-queries.ts';
import { createMailLookup } from './mail-lookup.ts';
import { createMailServers, type MailServers } from './mail-servers.ts';
import { registerVerification, runKind } from './routes.ts';
import { runInput, runVerification } from './run.ts';
import { verdictKeeper, verifyNow } from './verify-now.ts';

export { verificationConditions } from './conditions.ts';
export { findDeadDomains } from './dead-domains.ts';
export { createMailLookup } from './mail-lookup.ts';
export { createMailServers } from './mail-servers.ts';
export {
  dropSharedMailbox,
  dropSuggestions,
  forgetVerdicts,
  gatherSharedMailboxes,
} from './verdict-queries.ts';
export { verdictKeeper, verifyNow } from './verify-now.ts';

export interface VerificationOptions {
  db: Database;
  tasks: Tasks;
  audience: Audience;
  /** Name servers to ask; empty: those the machine uses. */
  dnsServers: readonly string[];
  /** Single addresses that one person may have verified; 60 at once and two a second when absent. */
  allowance?: Allowance | undefined;
}

export interface Verification {
  mailServers: MailServers;
  register(router: Router): void;
  /** Forgets what the domain name system said long ago. */
  tidy(): Promise<void>;
  close(): void;
}

const thousands = new Intl.NumberFormat('en-GB');

export function createVerification(options: VerificationOptions): Verification {
  const { db, tasks, audience } = options;
  const mailServers = createMailServers({ db, lookup: createMailLookup({ servers: options.dnsServers }) });
  tasks.define({
    kind: runKind,
    input: runInput(audience),
    title: ({ contacts }) =>
      contacts === 1 ? 'Verify 1 contact' : `Verify ${thousands.format(contacts)} contacts`,
    run: (context) => runVerification({ db, mailServers, audience }, context),
    link: (result) => (typeof result.runId === 'number' ? `/review?run=${result.runId}` : '/review'),
  });
  const allowance = options.allowance ?? { burst: 60, perSecond: 2 };
  return {
    mailServers,
    register: (router) => registerVerification(router, { db, tasks, audience, mailServers, allowance }),
    tidy: async () => void (await expireDomains(db.system)),
    close: () => mailServers.close(),
  };
}

export const verificationFeature: ServerFeature = {
  name: 'verification',
  contract,
  words: verificationWords,
  create,
};

function create({ db, config, use, offer }: FeatureContext): FeatureParts {
  const { verifications } = config.limits;
  const verification = createVerification({
    db,
    tasks: use(tasksPort),
    audience: use(audiencePort),
    dnsServers: config.dnsServers,
    // Half of a minute's worth at once, the other half bit by bit.
    allowance: { burst: Math.ceil(verifications / 2), perSecond: verifications / 60 },
  });
  offer(judgePort, verifyNow);
  offer(verdictsPort, verdictKeeper);
  offer(whyDeadPort, (domain) => whyDead(verification.mailServers, domain));
  return {
    routes: verification.register,
    conditions: verificationConditions,
    contactEvents: { scope: 'verify', tell: verificationEvents },
    jobs: [{ name: 'verification.tidy', schedule: '29 4 * * *', handler: verification.tidy }],
    figures: {
      async emails(system, times) {
        const { contactsEver, contactsThisMonth } = await verificationFigures(system, times);
        return { ever: contactsEver, thisMonth: contactsThisMonth };
      },
      aiJobs: async (system, times) => (await verificationFigures(system, times)).runsToday,
    },
    stop: verification.close,
  };
}
