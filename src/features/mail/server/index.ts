import type { Database, SystemDb } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import type { JobDefinition, Jobs } from '#platform/server/jobs.ts';
import type { Log } from '#platform/server/logging.ts';
import { deleteOldMail } from './queries.ts';
import { registerMail } from './routes.ts';
import { deliverDue, type MailConfig, type NewMail, putInOutbox } from './service.ts';

export type { MailConfig, NewMail } from './service.ts';

/** For how long the outbox is kept. */
const outboxDays = 30;

export interface Mailer {
  /** False: what is sent stays in the outbox. */
  readonly hasMailServer: boolean;
  /** Where people reach the product, without a slash at the end: what links begin with. */
  readonly publicUrl: string;
  /** Puts a mail into the outbox, in the transaction `db` where it is one. Throws only when the database does. */
  send(db: SystemDb, mail: NewMail): Promise<void>;
  /** Says that what was sent is committed, so that it leaves at once and not at the next round. */
  hurry(): void;
}

export interface MailFeature extends Mailer {
  register(router: Router): void;
  jobs: JobDefinition[];
  /** The job queue, once it is up. */
  attach(jobs: Jobs): void;
}

const deliverJob = 'mail.deliver';

export function createMail({ db, config, log }: { db: Database; config: MailConfig; log: Log }): MailFeature {
  let queue: Jobs | undefined;
  return {
    hasMailServer: config.smtpUrl !== undefined,
    publicUrl: config.publicUrl,
    send: (handle, mail) => putInOutbox(handle, config, log, mail),
    hurry() {
      if (config.smtpUrl === undefined) return;
      // Whatever is missed here leaves with the next minute's round.
      queue?.send(deliverJob).catch((error) => log.warn({ err: error }, 'Mail could not be hurried'));
    },
    register: (router) => registerMail(router, db, config),
    jobs: [
      {
        name: deliverJob,
        schedule: '* * * * *',
        handler: async (_data, context) =>
          void (await deliverDue(db.system, config, context.log, context.signal)),
      },
      { name: 'mail.forget', schedule: '29 4 * * *', handler: () => deleteOldMail(db.system, outboxDays) },
    ],
    attach(jobs) {
      queue = jobs;
    },
  };
}
