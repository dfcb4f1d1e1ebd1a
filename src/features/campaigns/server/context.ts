import type { Audience } from '#features/audience/server/index.ts';
import type { Mailer } from '#features/mail/server/index.ts';
import type { Senders } from '#features/senders/server/index.ts';
import type { Sending } from '#features/sending/server/index.ts';
import type { Templates } from '#features/templates/server/index.ts';
import type { Config } from '#platform/server/config.ts';
import type { Database } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';

/** What the verbs of campaigns work with. */
export interface CampaignsContext {
  db: Database;
  audience: Audience;
  sending: Sending;
  templates: Templates;
  senders: Senders;
  mail: Mailer;
  /** Whether a workspace has mail servers of its own. Takes a connection of its own. */
  hasOwnServers: (workspaceId: number) => Promise<boolean>;
  config: Pick<Config, 'mailFrom' | 'smtpUrl' | 'publicUrl'>;
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
