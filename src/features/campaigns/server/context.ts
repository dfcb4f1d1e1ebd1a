import type { Audience } from '#features/audience/server/index.ts';
import type { LinkKeys } from '#features/links/server/index.ts';
import type { Senders } from '#features/senders/server/index.ts';
import type { Sending } from '#features/sending/server/index.ts';
import type { Templates } from '#features/templates/server/index.ts';
import type { Config } from '#platform/server/config.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { Dns } from '#platform/server/dns.ts';
import type { Caller } from '#platform/server/http.ts';
import type { Log } from '#platform/server/logging.ts';

/** What the verbs of campaigns work with. */
export interface CampaignsContext {
  db: Database;
  audience: Audience;
  sending: Sending;
  templates: Templates;
  senders: Senders;
  /** The hosts of the mail servers that a workspace has of its own and that are on. */
  ownMailHosts: (tx: TenantTx, workspaceId: number) => Promise<string[]>;
  /** Whether messages leave: there is a mail server, the workspace's own or the installation's. */
  leaves: (tx: TenantTx, workspaceId: number) => Promise<boolean>;
  /** How many messages a minute those servers take. Null: as many as there are. */
  ownMailRate: (tx: TenantTx, workspaceId: number) => Promise<number | null>;
  dns: Dns;
  /** What signs the links of messages. */
  linkKeys: LinkKeys;
  log: Log;
  config: Pick<Config, 'mailFrom' | 'smtpUrl' | 'publicUrl' | 'spamdUrl'>;
}

/** Who does it, and where. */
export interface Doer {
  workspaceId: number;
  actor: string | null;
}

export const doerOf = (workspaceId: number, { email }: Pick<Caller, 'email'>): Doer => ({
  workspaceId,
  actor: email,
});
