import type { Tasks } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import type { Allowance } from '../rules.ts';
import { defineCorrectionTasks } from './corrections.ts';
import { expireDomains } from './domain-queries.ts';
import { createMailLookup } from './mail-lookup.ts';
import { createMailServers, type MailServers } from './mail-servers.ts';
import { registerVerification, runKind } from './routes.ts';
import { type RunInput, runVerification } from './run.ts';

export { verificationEvents } from './contact-events.ts';
export { findDeadDomains, whyDead } from './dead-domains.ts';
export { type VerificationFigures, verificationFigures } from './figure-queries.ts';
export { createMailLookup } from './mail-lookup.ts';
export { createMailServers } from './mail-servers.ts';
export { verifyNow } from './verify-now.ts';

export interface VerificationOptions {
  db: Database;
  tasks: Tasks;
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
  const { db, tasks } = options;
  const mailServers = createMailServers({ db, lookup: createMailLookup({ servers: options.dnsServers }) });
  tasks.define<RunInput>({
    kind: runKind,
    title: ({ contacts }) =>
      contacts === 1 ? 'Verify 1 contact' : `Verify ${thousands.format(contacts)} contacts`,
    run: (context) => runVerification({ db, mailServers }, context),
    link: (result) => (typeof result.runId === 'number' ? `/review?run=${result.runId}` : '/review'),
  });
  defineCorrectionTasks({ db, tasks });
  const allowance = options.allowance ?? { burst: 60, perSecond: 2 };
  return {
    mailServers,
    register: (router) => registerVerification(router, { db, tasks, mailServers, allowance }),
    tidy: async () => void (await expireDomains(db.system)),
    close: () => mailServers.close(),
  };
}
