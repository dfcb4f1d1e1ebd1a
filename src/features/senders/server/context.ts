import type { Config } from '#platform/server/config.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { Dns } from '#platform/server/dns.ts';
import { createSealer, type Sealer } from '#platform/server/sealed.ts';
import type { Complaints } from '../rules/judge.ts';
import type { Place } from '../rules/records.ts';
import { spfPartsOf } from '../rules/spf.ts';

/** What the calls and jobs work with. */
export interface SendersContext {
  db: Database;
  dns: Dns;
  sealer: Sealer;
  /** As the installation is for everybody. */
  place: Place;
  /** As it is for one workspace, whose own mail servers send in place of the installation's. */
  placeFor(tx: TenantTx, workspaceId: number): Promise<Place>;
  /** What readers complained of in the last 30 days, by the domain of the sender. */
  complaints(tx: TenantTx, workspaceId: number): Promise<(Complaints & { from: string })[]>;
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
    spfParts: spfPartsOf(smtpUrl ? [new URL(smtpUrl).hostname] : []),
  };
}

/** The place for a workspace with these mail servers of its own. */
export const placeWith = (place: Place, ownHosts: readonly string[]): Place =>
  ownHosts.length === 0 ? place : { ...place, spfParts: spfPartsOf(ownHosts) };
