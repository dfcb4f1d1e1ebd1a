import type { Config } from '#platform/server/config.ts';
import type { Database } from '#platform/server/database.ts';
import type { Sealer } from '#platform/server/sealed.ts';

/** What the calls work with. */
export interface ServersContext {
  db: Database;
  sealer: Sealer;
  config: Pick<Config, 'allowPrivateSmtp' | 'mailFrom'>;
}
