import type { TenantTx } from '#platform/server/database.ts';
import { createDns } from '#platform/server/dns.ts';
import { eachWorkspace } from '#platform/server/each-workspace.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import { workspacesPort } from '#platform/server/nightly.ts';
import { port } from '#platform/server/ports.ts';
import * as contract from '../contract.ts';
import type { Complaints } from '../rules/judge.ts';
import { keptDays } from '../rules/keys.ts';
import { sendersWords } from '../rules/words.ts';
import { checkDue } from './check-domain.ts';
import { placeOf, placeWith, type SendersContext, sealerOf } from './context.ts';
import { keyFor, type SenderKey } from './key-for.ts';
import { linkSiteFor } from './link-site-for.ts';
import { removeRetired } from './queries.ts';
import { refusalOf } from './refusal-of.ts';
import { sealAgain } from './rotate-key.ts';
import { registerSenders } from './routes.ts';
import { type SenderStanding, standingOf } from './standing-of.ts';

/** What sends mail asks of this feature. */
export interface Senders {
  /**
   * The key to sign mail from this domain with: one whose DNS record has been seen, or the first of
   * its domain. Null when there is no sender domain for it.
   */
  keyFor(tx: TenantTx, workspaceId: number, fromDomain: string): Promise<SenderKey | null>;
  /** What links of mail from this domain begin with. Null: the address of the installation. */
  linkSiteFor(tx: TenantTx, workspaceId: number, fromDomain: string): Promise<string | null>;
  /** What DNS last said about the domain whose key that is. Null when there is none. */
  standingOf(tx: TenantTx, workspaceId: number, fromDomain: string): Promise<SenderStanding | null>;
  /**
   * Why no mail may come from this address, in a sentence: it would leave by the server of the
   * installation, and another workspace has proved that the domain is theirs. Null: it may.
   */
  refusalOf(tx: TenantTx, workspaceId: number, fromAddress: string): Promise<string | null>;
  /**
   * The same for mail that does leave by the server of the installation, whatever servers the
   * workspace of `tx` has by now.
   */
  refusalByShared(tx: TenantTx, fromAddress: string): Promise<string | null>;
}

export const sendersPort = port<Senders>('senders.senders');

/**
 * The hosts of the mail servers that a workspace has of its own and that are on. Without any, the
 * server of the installation sends for it.
 */
export const ownMailHostsPort =
  port<(tx: TenantTx, workspaceId: number) => Promise<string[]>>('senders.own-mail-hosts');

/**
 * How many messages of campaigns servers took in so many days, and of how many their readers
 * complained, by the domain of the sender.
 */
export const complaintsPort =
  port<(tx: TenantTx, workspaceId: number, days: number) => Promise<(Complaints & { from: string })[]>>(
    'senders.complaints',
  );

/** Gmail looks at about as many days. */
const complaintDays = 30;

export const sendersFeature: ServerFeature = {
  name: 'senders',
  contract,
  words: sendersWords,
  create,
};

function create({ db, config, use, find, offer }: FeatureContext): FeatureParts {
  const dns = createDns({ servers: config.dnsServers });
  const sealer = sealerOf(config);
  const place = placeOf(config);
  const ownHosts = async (tx: TenantTx, workspaceId: number) =>
    (await find(ownMailHostsPort)?.(tx, workspaceId)) ?? [];
  const context: SendersContext = {
    ...{ db, dns, sealer, place },
    placeFor: async (tx, workspaceId) => placeWith(place, await ownHosts(tx, workspaceId)),
    complaints: async (tx, workspaceId) =>
      (await find(complaintsPort)?.(tx, workspaceId, complaintDays)) ?? [],
  };
  // Whoever runs the installation lets all workspaces without a sender write as `mailFrom`.
  const refusalByShared = async (tx: TenantTx, fromAddress: string) =>
    config.smtpUrl === undefined || fromAddress === config.mailFrom ? null : refusalOf(tx, fromAddress);
  const workspaces = use(workspacesPort);
  offer(sendersPort, {
    keyFor: (tx, workspaceId, from) => keyFor(tx, sealer, workspaceId, from),
    linkSiteFor: (tx, workspaceId, from) => linkSiteFor(tx, workspaceId, from, place),
    standingOf: async (tx, workspaceId, from) =>
      standingOf(tx, workspaceId, from, await context.placeFor(tx, workspaceId)),
    async refusalOf(tx, workspaceId, fromAddress) {
      const refusal = await refusalByShared(tx, fromAddress);
      // Servers of its own decide by themselves for whom they send.
      return refusal === null || (await ownHosts(tx, workspaceId)).length > 0 ? null : refusal;
    },
    refusalByShared,
  });
  return {
    routes: (router) => registerSenders(router, context),
    jobs: [
      {
        name: 'senders.check',
        schedule: '*/20 * * * *',
        handler: async (_data, { signal, log }) => {
          const failed = 'Sender domains could not be checked in a workspace';
          await eachWorkspace(workspaces, { failed, log, signal }, (workspaceId) =>
            checkDue(context, workspaceId, { log, signal }),
          );
        },
      },
    ],
    nightly: [
      {
        name: 'senders.keys',
        run: (workspaceId) =>
          db.asTenant(workspaceId, async (tx) => {
            await removeRetired(tx, workspaceId, keptDays);
            await sealAgain(tx, workspaceId, sealer);
          }),
      },
    ],
    stop: () => dns.close(),
  };
}
