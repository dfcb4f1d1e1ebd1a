import { sql } from 'kysely';
import { neutralised } from '#platform/server/csv-copy.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { isoTime } from '#platform/server/iso-time.ts';
import type { Removal, removedReasons } from '../contract.ts';
import { isHolding } from './removal-queries.ts';

export interface RemovalRow {
  id: number;
  kind: Removal['kind'];
  contacts: number;
  duplicates: number | null;
  invalid: number | null;
  nonUk: number | null;
  why: string | null;
  importId: number | null;
  removedBy: string | null;
  createdAt: Date;
  restoredAt: Date | null;
  restored: number;
  isOpen: boolean;
  isRestoring: boolean;
  /** Nothing of it is in the bin. Only asked of those that were restored. */
  isEmpty: boolean;
}

const columns = sql`
  m.id, m.kind, m.contacts, m.duplicates, m.invalid, m.non_uk as "nonUk", m.why, m.import_id as "importId",
  m.removed_by as "removedBy", m.created_at as "createdAt", m.restored_at as "restoredAt", m.restored,
  m.is_open as "isOpen", m.is_restoring as "isRestoring", m.restored_at is not null and not ${isHolding} as "isEmpty"`;

/** One page of removals, newest first, and how many removals there are. */
export async function listRemovalRows(
  tx: TenantTx,
  workspaceId: number,
  page: { limit: number; offset: number },
): Promise<{ rows: RemovalRow[]; totalCount: number }> {
  const { rows } = await sql<RemovalRow>`
    select ${columns} from removals m where m.workspace_id = ${workspaceId}
    order by m.id desc offset ${page.offset} limit ${page.limit}`.execute(tx);
  const count = await sql<{ count: number }>`
    select count(*) from removals where workspace_id = ${workspaceId}`.execute(tx);
  return { rows, totalCount: count.rows[0]?.count ?? 0 };
}

export async function findRemoval(tx: TenantTx, workspaceId: number, id: number): Promise<RemovalRow | null> {
  const { rows } = await sql<RemovalRow>`
    select ${columns} from removals m where m.workspace_id = ${workspaceId} and m.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

const address: Fragment = sql`
  coalesce(r.address, case when r.domain = '' then r.local else r.local || '@' || r.domain end)`;
const reason: Fragment = sql`case r.reason when 1 then 'duplicate' when 2 then 'invalid' when 3 then 'nonUk' end`;

/** A page of a removal's contacts in the bin, by id, and how many of them contain the text. */
export async function listRemovedRows(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  query: { search: string; after: number; limit: number },
): Promise<{
  items: { id: number; address: string; reason: (typeof removedReasons)[number] | null }[];
  totalCount: number;
}> {
  const of = sql`r.workspace_id = ${workspaceId} and r.removal_id = ${removalId}
    and (${query.search} = '' or strpos(r.local || '@' || r.domain, ${query.search}) > 0)`;
  const { rows } = await sql<{ id: number; address: string; reason: (typeof removedReasons)[number] | null }>`
    select r.id, ${address} as address, ${reason} as reason from removed_contacts r
    where ${of} and r.id > ${query.after} order by r.id limit ${query.limit}`.execute(tx);
  const count = await sql<{ count: number }>`select count(*) from removed_contacts r where ${of}`.execute(tx);
  return { items: rows, totalCount: count.rows[0]?.count ?? 0 };
}

/** What a removal holds, for COPY. */
export const receiptQuery = (workspaceId: number, removalId: number): Fragment => sql`
  select ${neutralised(address)} as email, coalesce(${reason}, '') as reason, ${neutralised(sql`r.name`)} as name,
         ${neutralised(sql`r.source`)} as source, ${neutralised(sql`r.date`)} as date,
         ${neutralised(sql`r.notes`)} as notes, ${isoTime(sql`r.created_at`)} as created,
         ${neutralised(sql`r.first_name`)} as first_name, ${neutralised(sql`r.last_name`)} as last_name
  from removed_contacts r
  where r.workspace_id = ${workspaceId} and r.removal_id = ${removalId} order by r.id`;
