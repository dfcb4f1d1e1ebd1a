import { sql } from 'kysely';
import type { Basis } from '#features/contacts/contract.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { codeOf } from '../rules.ts';

/** The bases that are counted. The rest of the contacts are unknown. */
const counted = {
  consent: 'consent',
  soft_opt_in: 'soft_opt_in',
  corporate_subscriber: 'corporate_subscriber',
  none: 'no_basis',
} as const satisfies Partial<Record<Basis, string>>;

export type BasisCounts = Record<keyof typeof counted, number>;

/** How many contacts have each basis that somebody named. */
export async function selectBasisCounts(tx: TenantTx, workspaceId: number): Promise<BasisCounts> {
  const { rows } = await sql<BasisCounts>`
    select consent, soft_opt_in, corporate_subscriber, no_basis as "none" from basis_counts
    where workspace_id = ${workspaceId}`.execute(tx);
  return rows[0] ?? { consent: 0, soft_opt_in: 0, corporate_subscriber: 0, none: 0 };
}

/**
 * Makes whoever else changes bases of this workspace wait for the end of the transaction. Taken
 * before the first of their rows, so that no two wait for each other.
 */
export async function holdBases(tx: TenantTx, workspaceId: number): Promise<void> {
  await sql`
    insert into basis_counts (workspace_id) values (${workspaceId})
    on conflict (workspace_id) do update set workspace_id = excluded.workspace_id`.execute(tx);
}

/** A statement for the end of a WITH: adds `moved` (basis, contacts) to the counts. */
export function addedToCounts(workspaceId: number, moved: Fragment): Fragment {
  const columns = Object.entries(counted).map(([basis, column]) => {
    const code = sql.lit(codeOf(basis as Basis));
    const name = sql.ref(column);
    return sql`${name} = n.${name} + coalesce((select sum(contacts) from moved where basis = ${code}), 0)`;
  });
  return sql`
    moved as (${moved}),
    counted as (
      update basis_counts n set ${sql.join(columns)} where n.workspace_id = ${workspaceId}
    )`;
}
