import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { isLetIn } from './clean-queries.ts';
import type { OwnChoice } from './keepers.ts';

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

/** A domain may have millions of contacts. So many of them are looked at. */
const lookedAt = 20_000;

/** Valid contacts of a domain outside the UK rule that an import did or did not let in. */
export async function sampleForeign(
  tx: TenantTx,
  workspaceId: number,
  { domain, narrowest, letIn }: { domain: string; narrowest: OwnChoice; letIn: boolean },
  limit: number,
): Promise<{ local: string; domain: string; address: string }[]> {
  const { rows } = await sql<{ local: string; domain: string; address: string }>`
    select c.local, c.domain, ${address} as address
    from (
      select * from contacts f
      where f.workspace_id = ${workspaceId} and f.domain = ${domain} and f.state = 0
      limit ${sql.lit(lookedAt)}
    ) c
    where (${isLetIn(workspaceId, narrowest)}) = ${letIn} limit ${limit}`.execute(tx);
  return rows;
}
