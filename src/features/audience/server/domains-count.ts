import { sql } from 'kysely';
import type { ContactStatus } from '#features/contacts/contract.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';

/** How many contacts in a domain's row the filter's status lets through. `d` is the row. */
export function countOf(status: ContactStatus | null): Fragment {
  const kept = (column: string) =>
    sql.raw(`case when d.blocked then 0 else d.${column} - d.${column}_suppressed end`);
  switch (status) {
    case null:
      return sql`(d.valid + d.invalid + d.duplicate)`;
    case 'active':
      return sql`(${kept('valid')})`;
    case 'suppressed':
      return sql`(case when d.blocked then d.valid + d.invalid + d.duplicate
        else d.valid_suppressed + d.invalid_suppressed + d.duplicate_suppressed end)`;
    default:
      return sql`(${kept(status)})`;
  }
}

/** How many contacts of one domain have a status, from the rollup. */
export async function selectDomainCount(
  tx: TenantTx,
  workspaceId: number,
  domain: string,
  status: ContactStatus | null,
): Promise<number> {
  const { rows } = await sql<{ contacts: number }>`
    select ${countOf(status)} as contacts from contact_domains d
    where d.workspace_id = ${workspaceId} and d.domain = ${domain}`.execute(tx);
  return rows[0]?.contacts ?? 0;
}

/** How many contacts some domains have, and how many of them have a status, from the rollup. */
export async function selectDomainsCount(
  tx: TenantTx,
  workspaceId: number,
  isMeant: Fragment,
  status: ContactStatus | null,
): Promise<{ contacts: number; matching: number }> {
  const { rows } = await sql<{ contacts: number; matching: number }>`
    select coalesce(sum(${countOf(null)}), 0)::bigint as contacts, coalesce(sum(${countOf(status)}), 0)::bigint as matching
    from contact_domains d where d.workspace_id = ${workspaceId} and ${isMeant}`.execute(tx);
  return rows[0] ?? { contacts: 0, matching: 0 };
}
