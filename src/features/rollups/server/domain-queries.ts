import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
export interface DomainToJudge {
  domain: string;
  valid: number;
}

/** Domains of valid contacts, in order, after `after`. */
export async function selectDomainsToJudge(
  tx: TenantTx,
  workspaceId: number,
  after: string,
  limit: number,
): Promise<DomainToJudge[]> {
  const { rows } = await sql<DomainToJudge>`
    select domain, valid from contact_domains
    where workspace_id = ${workspaceId} and domain > ${after} and valid > 0
    order by domain limit ${limit}`.execute(tx);
  return rows;
}
