import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { cleanReasons } from '../removal-queries.ts';
export interface LocalToJudge {
  id: number;
  local: string;
  domain: string;
}

/**
 * Valid contacts whose local part is not plainly sound: something other than runs of letters,
 * digits and the common marks with single dots, or too long. The rest need no second look. With
 * `after`, they come in id order from there on. With null, any of them come, and the query may run
 * in parallel.
 */
export async function selectLocalsToJudge(
  tx: TenantTx,
  workspaceId: number,
  after: number | null,
  limit: number,
): Promise<LocalToJudge[]> {
  const { rows } = await sql<LocalToJudge>`
    select id, local, domain from contacts
    where workspace_id = ${workspaceId} and state = 0
      and (length(local) > 64 or length(local) + length(domain) > 253 or local !~ '^[a-z0-9_+-]+(\\.[a-z0-9_+-]+)*$')
      ${after === null ? sql`` : sql`and id > ${after} order by id`}
    limit ${limit}`.execute(tx);
  return rows;
}

/** What a clean found out about domains and local parts. The stored states need no list. */
export interface Judged {
  invalidDomains: string[];
  foreignDomains: string[];
  invalidIds: number[];
}

/**
 * The stored code of the first reason why the clean removes a contact `c`. Null for a contact that
 * stays.
 */
export const cleanReason = (judged: Judged): Fragment => sql`(case
  when c.state = 2 then ${sql.lit(cleanReasons.duplicate)}
  when c.state = 1 or c.domain = any(${judged.invalidDomains}::text[]) or c.id = any(${judged.invalidIds}::bigint[])
    then ${sql.lit(cleanReasons.invalid)}
  when c.domain = any(${judged.foreignDomains}::text[]) then ${sql.lit(cleanReasons.nonUk)}
end)::smallint`;

/** True for a contact `c` that the clean removes. */
export const isToClean = (judged: Judged): Fragment => sql`
  c.state <> 0 or c.domain = any(${[...judged.invalidDomains, ...judged.foreignDomains]}::text[])
  or c.id = any(${judged.invalidIds}::bigint[])`;
