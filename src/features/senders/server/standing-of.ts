import type { TenantTx } from '#platform/server/database.ts';
import type { Check } from '../contract.ts';
import { checksOf } from '../rules/judge.ts';
import type { Place } from '../rules/records.ts';
import { domainsFor } from './domains-for.ts';
import { selectDomains, selectKeys } from './queries.ts';

/** A sender domain and what DNS last said about it. */
export interface SenderStanding {
  domain: string;
  checks: Check[];
}

/** The sender domain that signs for mail from this domain: itself, or the nearest above it. */
export async function standingOf(
  tx: TenantTx,
  workspaceId: number,
  fromDomain: string,
  place: Place,
): Promise<SenderStanding | null> {
  const rows = await selectDomains(tx, workspaceId);
  for (const domain of domainsFor(fromDomain)) {
    const row = rows.find((one) => one.domain === domain);
    if (!row) continue;
    const keys = await selectKeys(tx, workspaceId, [row.id]);
    return { domain, checks: checksOf(domain, keys, row.facts, place) };
  }
  return null;
}
