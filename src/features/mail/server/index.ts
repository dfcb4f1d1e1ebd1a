import type { Database, SystemDb } from '#platform/server/database.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import type { Jobs } from '#platform/server/jobs.ts';
import type { Log } from '#platform/server/logging.ts';
import { port } from '#platform/server/ports.ts';
import * as contract from '../contract.ts';
import { mailWords } from '../rules/words.ts';
import { deliverDue } from './deliver-due.ts';
import type { MailConfig } from './mail-config.ts';
import { type NewMail, putInOutbox } from './put-in-outbox.ts';
import { deleteOldMail } from './queries.ts';
import { recordByAdministrator } from './record-by-administrator.ts';
import { registerMail } from './routes.ts';
import { sendAgain } from './send-again.ts';
import { type LinksHidden, shownToAdministrator } from './shown.ts';

export type { MailConfig } from './mail-config.ts';
export type { NewMail } from './put-in-outbox.ts';
export type { LinksHidden } from './shown.ts';

/** How many days to keep the outbox. */
const outboxDays = 30;

export interface Mailer {
  /** False: sent mail stays in the outbox. */
  readonly hasMailServer: boolean;
  /** Where people reach the product, without a slash at the end. Links begin with it. */
  readonly publicUrl: string;
  /**
   * Puts a mail into the outbox, in the transaction if `db` is one. Throws only when the database
   * does.
   */
  send(db: SystemDb, mail: NewMail): Promise<void>;
  /** Call it once the mail is committed, so that it leaves at once and not at the next round. */
  hurry(): void;
}

/** The mail of the whole installation, for the person who runs it. */
export interface MailOversight {
  /**
   * Tries a mail that was given up once more, in the name of `actor`. The audit log of the mail's
   * workspace records it. `record` is called in the same transaction.
   */
  sendAgain(
    id: number,
    actor: string,
    record: (tx: SystemDb, mail: { to: string; subject: string }) => Promise<void>,
  ): Promise<contract.Mail>;
}

export interface PostOffice extends Mailer {
  oversight: MailOversight;
}

/** The mail of this process. */
export const mailPort = port<PostOffice>('mail.post-office');
/** Which links are not for whoever reads an outbox. The feature that invites provides it. */
export const linksHiddenPort = port<LinksHidden>('mail.links-hidden');

export interface MailOptions {
  db: Database;
  config: MailConfig;
  log: Log;
  /** The job queue; undefined until it is up. */
  jobs?: () => Jobs | undefined;
}

const deliverJob = 'mail.deliver';

export function createMail({ db, config, log, jobs }: MailOptions): PostOffice {
  const hasMailServer = config.smtpUrl !== undefined;
  const hurry = () => {
    if (!hasMailServer) return;
    // Mail that is missed here leaves with the next minute's round.
    jobs?.()
      ?.send(deliverJob)
      .catch((error) => log.warn({ err: error }, 'Mail could not be hurried'));
  };
  return {
    hasMailServer,
    publicUrl: config.publicUrl,
    send: (handle, mail) => putInOutbox(handle, config, log, mail),
    hurry,
    oversight: {
      async sendAgain(id, actor, record) {
        const row = await db.system.transaction().execute(async (tx) => {
          const mail = await sendAgain(tx, config, id, null);
          await record(tx, { to: mail.recipient, subject: mail.subject });
          await recordByAdministrator(tx, mail, actor);
          return mail;
        });
        hurry();
        return shownToAdministrator(row, hasMailServer);
      },
    },
  };
}

export const mailFeature: ServerFeature = {
  name: 'mail',
  contract,
  words: mailWords,
  create(context: FeatureContext): FeatureParts {
    const { db, config } = context;
    const mail = createMail(context);
    context.offer(mailPort, mail);
    return {
      routes: (router) =>
        registerMail(router, { db, config, hurry: mail.hurry, linksHidden: context.find(linksHiddenPort) }),
      jobs: [
        {
          name: deliverJob,
          schedule: '* * * * *',
          handler: async (_data, { log, signal }) => {
            if (config.sending === 'on') await deliverDue(db.system, config, log, signal);
          },
        },
        {
          name: 'mail.forget',
          schedule: '29 4 * * *',
          handler: () => deleteOldMail(db.system, outboxDays),
        },
      ],
    };
  },
};
