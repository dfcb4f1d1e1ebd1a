import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { keeping, type OwnChoice } from './keepers.ts';

/**
 * What somebody chose for an import: to leave the non-UK filter out, or a UK policy of its own. The
 * settings' policy at that time is nobody's choice for this file.
 */
const ownChoice: Fragment = sql`
  case when i.options ->> 'filterNonUk' = 'false' then 'off' else i.options ->> 'ukPolicy' end`;

/** The ids of imports whose own choice keeps such domains. */
export const importsThatKeep = (workspaceId: number, narrowest: OwnChoice): Fragment => sql`
  select i.id from imports i
  where i.workspace_id = ${workspaceId} and i.status = 'completed'
    and ${ownChoice} = any(${[...keeping[narrowest]]}::text[])`;

export interface ImportWithChoice {
  id: number;
  choice: OwnChoice;
  /** The ids of the contacts it added. */
  first: number;
  last: number;
}

/** The imports of the workspace for which somebody chose what is kept, and that added contacts. */
export async function selectImportsWithChoice(
  tx: TenantTx,
  workspaceId: number,
): Promise<ImportWithChoice[]> {
  const { rows } = await sql<ImportWithChoice>`
    select i.id, ${ownChoice} as choice, i.first_contact_id as first, i.last_contact_id as last
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

/** The same for small imports, wherever their contacts lie. Reads no others. */
export async function countBroughtInBySmall(
  tx: TenantTx,
  workspaceId: number,
  imports: readonly ImportWithChoice[],
): Promise<BroughtIn[]> {
  const column = (key: 'id' | 'first' | 'last') => sql`${imports.map((one) => one[key])}::bigint[]`;
  const { rows } = await sql<BroughtIn>`
    select c.domain, i.id as "importId", count(*) as contacts
    from unnest(${column('id')}, ${column('first')}, ${column('last')}) as i (id, first, last)
    cross join lateral (
      select f.domain from contacts f
      where f.workspace_id = ${workspaceId} and f.id between i.first and i.last and f.state = 0 and f.import_id = i.id
      offset 0
    ) c
    group by c.domain, i.id`.execute(tx);
  return rows;
}
