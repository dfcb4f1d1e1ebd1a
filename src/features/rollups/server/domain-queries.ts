import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';

export interface DomainToJudge {
  /** Empty for contacts whose text has no domain. */
  domain: string;
  /** Contacts as stored, whether or not they are suppressed. */
  valid: number;
  invalid: number;
  duplicate: number;
}

const domainsAtOnce = 20_000;

/** Passes on every domain that contacts have, in order, some thousand at a time. */
export async function eachDomain(
  tx: TenantTx,
  workspaceId: number,
  visit: (domains: DomainToJudge[]) => Promise<void> | void,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const domains: DomainToJudge[] = await selectDomains(tx, workspaceId, after, domainsAtOnce);
    await visit(domains);
    if (domains.length < domainsAtOnce) return;
    after = domains.at(-1)?.domain ?? after;
  }
}

async function selectDomains(
  tx: TenantTx,
  workspaceId: number,
  after: string | null,
  limit: number,
): Promise<DomainToJudge[]> {
  const { rows } = await sql<DomainToJudge>`
    select domain, valid, invalid, duplicate from contact_domains
    where workspace_id = ${workspaceId} and valid + invalid + duplicate > 0
      and ${after === null ? sql`true` : sql`domain > ${after}`}
    order by domain limit ${limit}`.execute(tx);
  return rows;
}
