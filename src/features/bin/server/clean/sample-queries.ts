import { sql } from 'kysely';
import type { WiderPolicy } from '#features/addresses/rules.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { isLetIn } from './clean-queries.ts';

const address: Fragment = sql`
  coalesce(c.address, case when c.domain = '' then c.local else c.local || '@' || c.domain end)`;

async function sampleWhere(
  tx: TenantTx,
  workspaceId: number,
  condition: Fragment,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select ${address} as address from contacts c
    where c.workspace_id = ${workspaceId} and ${condition} limit ${limit}`.execute(tx);
  return rows.map((row) => row.address);
}

/** The oldest contacts stored as invalid (1) or as a further copy (2). */
export const sampleState = (
  tx: TenantTx,
  workspaceId: number,
  state: 1 | 2,
  limit: number,
): Promise<string[]> => sampleWhere(tx, workspaceId, sql`c.state = ${sql.lit(state)} order by c.id`, limit);

/** Lists of invalid contacts: stored as such, by their own text, and by their domain. */
export async function sampleInvalid(
  tx: TenantTx,
  workspaceId: number,
  judged: { ids: readonly number[]; domains: readonly string[] },
  limit: number,
): Promise<string[][]> {
  return [
    await sampleState(tx, workspaceId, 1, limit),
    await sampleWhere(tx, workspaceId, sql`c.id = any(${[...judged.ids]}::bigint[])`, limit),
    await sampleWhere(
      tx,
      workspaceId,
      sql`c.state = 0 and c.domain = any(${[...judged.domains]}::text[])`,
      limit,
    ),
  ];
}

/** Valid contacts of a domain outside the UK rule that an import did or did not let in. */
export function sampleForeign(
  tx: TenantTx,
  workspaceId: number,
  { domain, narrowest, letIn }: { domain: string; narrowest: WiderPolicy | null; letIn: boolean },
  butNot: readonly number[],
  limit: number,
): Promise<string[]> {
  const isSuch =
    narrowest === null ? sql`${!letIn}::boolean` : sql`(${isLetIn(workspaceId, narrowest)}) = ${letIn}`;
  return sampleWhere(
    tx,
    workspaceId,
    sql`c.state = 0 and c.domain = ${domain} and not (c.id = any(${[...butNot]}::bigint[])) and ${isSuch}`,
    limit,
  );
}
