import type { Database, SystemDb } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import type { JobDefinition, Jobs } from '#platform/server/jobs.ts';
import type { Log } from '#platform/server/logging.ts';
import type { Mail } from '../contract.ts';
import { deleteOldMail } from './queries.ts';
import { registerMail, shown } from './routes.ts';
import {
  deliverDue,
  type MailConfig,
  type NewMail,
  putInOutbox,
  recordByAdministrator,
  sendAgain,
} from './service.ts';

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

/** The mail of the whole installation, for who looks after it. */
export interface MailOversight {
  /**
   * Has a mail that was given up tried once more, in the name of `actor`; it stands in the audit log of the workspace that it is
   * from. `record` is called in the same transaction.
   */
  sendAgain(
    id: number,
    actor: string,
    record: (tx: SystemDb, mail: { to: string; subject: string }) => Promise<void>,
  ): Promise<Mail>;
}

export interface MailFeature extends Mailer {
  oversight: MailOversight;
  register(router: Router): void;
  jobs: JobDefinition[];
  /** The job queue, once it is up. */
  attach(jobs: Jobs): void;
}

const deliverJob = 'mail.deliver';

export function createMail({ db, config, log }: { db: Database; config: MailConfig; log: Log }): MailFeature {
  let queue: Jobs | undefined;
  const hasMailServer = config.smtpUrl !== undefined;
  const hurry = () => {
    if (!hasMailServer) return;
    // Whatever is missed here leaves with the next minute's round.
    queue?.send(deliverJob).catch((error) => log.warn({ err: error }, 'Mail could not be hurried'));
  };
  return {
    hasMailServer,
    publicUrl: config.publicUrl,
    send: (handle, mail) => putInOutbox(handle, config, log, mail),
    hurry,
    register: (router) => registerMail(router, { db, config, hurry }),
    oversight: {
      async sendAgain(id, actor, record) {
        const row = await db.system.transaction().execute(async (tx) => {
          const mail = await sendAgain(tx, config, id, null);
          await record(tx, { to: mail.recipient, subject: mail.subject });
          await recordByAdministrator(tx, mail, actor);
          return mail;
        });
        hurry();
        return shown(row, hasMailServer);
      },
    },
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
