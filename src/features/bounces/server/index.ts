import { createReferences } from '#features/messages/server/index.ts';
import { trackedSendsPort } from '#features/tracking/server/index.ts';
import { eachWorkspace } from '#platform/server/each-workspace.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import { createSealer } from '#platform/server/sealed.ts';
import { bounceEvents } from '../contract/contact-events.ts';
import * as contract from '../contract.ts';
import { bouncesWords } from '../rules/words.ts';
import { BounceBook, bouncesPort } from './bounces.ts';
import { tellEvents } from './contact-events.ts';
import { bouncedMailingsPort } from './mailings-port.ts';
import { type Listener, openListener } from './mails/listener.ts';
import { countMailsIn } from './mails/mail-metrics.ts';
import { forgetMails } from './mails/mail-queries.ts';
import { readMailbox } from './mails/mailbox.ts';
import { receiveMail } from './mails/receive.ts';
import { personal } from './personal.ts';
import { forgetBounces, selectWorkspacesWithDue } from './queries.ts';
import { registerBounces } from './routes.ts';
import { registerWebhooks } from './webhooks/routes.ts';
import { sealAgain } from './webhooks/settings.ts';
import { Sns } from './webhooks/sns.ts';
import { rememberedDays, type WebhookContext } from './webhooks/take-call.ts';
import { forgetCalls } from './webhooks/webhook-queries.ts';

export { type BounceNews, type Bounces, bouncesPort } from './bounces.ts';
export { type BouncedMailings, bouncedMailingsPort } from './mailings-port.ts';
export { type BounceFigures, selectBounceFigures } from './queries.ts';
export { selectBack, sendsBack } from './sends-back.ts';

/** How many months single bounces are kept. Their figures stay. */
const keptMonths = 25;
/** How many days mails that came back are kept for reading. */
const keptMailDays = 180;

export const bouncesFeature: ServerFeature = {
  name: 'bounces',
  contract,
  words: bouncesWords,
  eventKinds: bounceEvents,
  streamTypes: {
    'email.bounced': 'messages came back; `data` has the class, `hard` or `soft`, and the kind.',
    'email.complained': 'readers reported them as spam.',
  },
  create,
};

function create({ db, log, config, metrics, find, offer }: FeatureContext): FeatureParts {
  // Asked for when they are needed: what sends is made after this.
  const sends = () => find(trackedSendsPort);
  const book = new BounceBook({ db, log, sends, mailings: () => find(bouncedMailingsPort) });
  offer(bouncesPort, book);
  const { domain, port, mailboxUrl } = config.bounce;
  const references = createReferences([config.secretKey, ...config.previousSecretKeys]);
  const sealer = createSealer(config.secretKey, config.previousSecretKeys);
  const returns = domain === undefined ? null : { domain, references };
  const webhooks: WebhookContext = {
    ...{ db, book, sealer, references, returns, publicUrl: config.publicUrl, sns: new Sns() },
    ...{ sends, mailings: () => find(bouncedMailingsPort) },
  };
  const countNotKept = countMailsIn(metrics);
  const receiving =
    (source: 'listener' | 'mailbox') => (mail: Omit<Parameters<typeof receiveMail>[1], 'source'>) =>
      receiveMail({ db, book, countNotKept }, { ...mail, source });
  let listener: Promise<Listener | null> | undefined;
  return {
    routes(router) {
      registerBounces(router, { db, book, sends });
      registerWebhooks(router, webhooks);
    },
    contactEvents: { scope: 'campaigns:read', tell: tellEvents(sends) },
    personal,
    jobs: [
      {
        name: 'bounces.tell-suppressions',
        schedule: '* * * * *',
        handler: async (_data, { signal }) => {
          const failed = 'The suppression list could not be told of bounces in a workspace';
          await eachWorkspace(
            () => selectWorkspacesWithDue(db.system),
            { failed, log, signal },
            (workspaceId) => book.carryOut(workspaceId, signal),
          );
        },
      },
      ...(returns === null || mailboxUrl === undefined
        ? []
        : [
            {
              name: 'bounces.read-mailbox',
              schedule: '* * * * *',
              handler: async (_data: unknown, { signal }: { signal: AbortSignal }) => {
                const receive = receiving('mailbox');
                await readMailbox({ url: mailboxUrl, addresses: returns, receive, log }, signal);
              },
            },
          ]),
    ],
    nightly: [
      {
        name: 'bounces.forget',
        run: (workspaceId) =>
          db.asTenant(workspaceId, async (tx) => {
            await forgetBounces(tx, workspaceId, keptMonths);
            await forgetMails(tx, workspaceId, keptMailDays);
            await forgetCalls(tx, workspaceId, rememberedDays);
            await sealAgain(tx, workspaceId, sealer);
          }),
      },
    ],
    start() {
      if (config.role === 'web' || domain === undefined || port === undefined) return;
      listener = openListener(
        { addresses: { domain, references }, receive: receiving('listener'), log },
        { host: config.host, port },
      )
        .then((open) => {
          log.info({ host: config.host, port: open.port }, 'bounces are received');
          return open;
        })
        .catch((error: unknown) => {
          log.error({ err: error, host: config.host, port }, 'bounces cannot be received here');
          return null;
        });
    },
    async stopWork() {
      await (await listener)?.close();
      await book.settle();
    },
  };
}
