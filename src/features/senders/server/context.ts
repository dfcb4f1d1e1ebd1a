import type { Config } from '#platform/server/config.ts';
import type { Database } from '#platform/server/database.ts';
import type { Dns } from '#platform/server/dns.ts';
import { createSealer, type Sealer } from '#platform/server/sealed.ts';
import type { Place } from '../rules/records.ts';
import { spfPartOf } from '../rules/spf.ts';

/** What the calls and jobs work with. */
export interface SendersContext {
  db: Database;
  dns: Dns;
  sealer: Sealer;
  place: Place;
}

export const sealerOf = (config: Config): Sealer => createSealer(config.secretKey, config.previousSecretKeys);

/** What of the installation stands in DNS records. */
export function placeOf({ publicUrl, bounce, smtpUrl }: Config): Place {
  const host = new URL(publicUrl).hostname;
  const isPublic = /\.[a-z]/i.test(host) && !host.endsWith('.localhost');
  return {
    publicHost: isPublic ? host : null,
    publicUrl,
    bounceDomain: bounce.domain ?? null,
    spfPart: spfPartOf(smtpUrl ? new URL(smtpUrl).hostname : null),
  };
}
