import type { TenantTx } from '#platform/server/database.ts';
import { linkBase, type Place } from '../rules/records.ts';
import { domainsFor } from './domains-for.ts';
import { selectDomains } from './queries.ts';

/**
 * What the links of mail from this domain begin with: the host of its sender domain, or of the
 * nearest above it, when that leads here and answers. Null: the address of the installation.
 */
export async function linkSiteFor(
  tx: TenantTx,
  workspaceId: number,
  fromDomain: string,
  place: Place,
): Promise<string | null> {
  const rows = await selectDomains(tx, workspaceId);
  for (const domain of domainsFor(fromDomain)) {
    const facts = rows.find((one) => one.domain === domain)?.facts;
    const base = facts ? linkBase(domain, facts, place) : null;
    if (base !== null) return base;
  }
  return null;
}
