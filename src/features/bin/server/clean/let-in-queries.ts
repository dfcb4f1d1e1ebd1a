import { sql } from 'kysely';
import type { WiderPolicy } from '#features/addresses/rules.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';

/**
 * Imports that somebody gave a UK policy of their own. The settings' policy at that time is
 * nobody's choice for this file. Without the non-UK filter no policy was asked, as with the other
 * filters that an import leaves out and a clean makes up for.
 */
const hasOwnPolicy: Fragment = sql`
  i.status = 'completed' and i.options ->> 'filterNonUk' is distinct from 'false'`;

/** The policies that keep a domain for which this is the narrowest that does. */
const keeping: Record<WiderPolicy, readonly WiderPolicy[]> = {
  likely: ['likely', 'any_but_foreign_cctld'],
  any_but_foreign_cctld: ['any_but_foreign_cctld'],
};

/** The ids of imports whose own policy keeps such domains. */
export const importsThatKeep = (workspaceId: number, narrowest: WiderPolicy): Fragment => sql`
  select i.id from imports i
  where i.workspace_id = ${workspaceId} and ${hasOwnPolicy}
    and i.options ->> 'ukPolicy' = any(${[...keeping[narrowest]]}::text[])`;

export interface ImportWithPolicy {
  id: number;
  policy: WiderPolicy;
  /** The ids of the contacts it added. */
  first: number;
  last: number;
}

/** The imports of the workspace that have a policy of their own and added contacts. */
export async function selectImportsWithPolicy(
  tx: TenantTx,
  workspaceId: number,
): Promise<ImportWithPolicy[]> {
  const { rows } = await sql<ImportWithPolicy>`
    select i.id, i.options ->> 'ukPolicy' as policy, i.first_contact_id as first, i.last_contact_id as last
    from imports i
    where i.id in (${importsThatKeep(workspaceId, 'likely')})
      and i.workspace_id = ${workspaceId} and i.last_contact_id is not null
    order by i.first_contact_id`.execute(tx);
  return rows;
}

export interface BroughtIn {
  domain: string;
  importId: number;
  contacts: number;
}

/** Valid contacts that these imports brought, by domain, within a range of ids. */
export async function countBroughtIn(
  tx: TenantTx,
  workspaceId: number,
  imports: readonly number[],
  { first, last }: { first: number; last: number },
): Promise<BroughtIn[]> {
  const { rows } = await sql<BroughtIn>`
    select c.domain, c.import_id as "importId", count(*) as contacts from contacts c
    where c.workspace_id = ${workspaceId} and c.id between ${first} and ${last} and c.state = 0
      and c.import_id = any(${[...imports]}::bigint[])
    group by c.domain, c.import_id`.execute(tx);
  return rows;
}
