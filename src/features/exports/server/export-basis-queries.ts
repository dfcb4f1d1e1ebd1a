import { sql } from 'kysely';
import { basesByCode } from '#features/contacts/rules/bases.ts';
import { basisColumnNames } from '#features/contacts/rules/extra-columns.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { ExportColumn } from './export-queries.ts';

/** The marketing basis in exports, as an import reads it. */

/** Whether a basis is known of any contact. If not, exports do without its columns and its cost. */
export async function isAnyBasisKnown(tx: TenantTx, workspaceId: number): Promise<boolean> {
  const { rows } = await sql<{ isAny: boolean }>`
    select consent + soft_opt_in + corporate_subscriber + no_basis > 0 as "isAny" from basis_counts
    where workspace_id = ${workspaceId}`.execute(tx);
  return rows[0]?.isAny ?? false;
}

/** Joined on unique keys, which adds no rows. Unknown is the same as without a row. */
export const basisJoins: Fragment = sql`
  left join contact_bases basis on basis.workspace_id = c.workspace_id and basis.contact_id = c.id and basis.basis > 0
  left join basis_changes said on said.workspace_id = basis.workspace_id and said.id = basis.change_id`;

const names = sql.join(basesByCode.slice(1).map((name) => sql.lit(name)));
const [basis, source, date] = basisColumnNames;

export const basisColumns: readonly ExportColumn[] = [
  { header: basis, value: sql`(array[${names}])[basis.basis]`, isWritten: false },
  { header: source, value: sql`said.source`, isWritten: true },
  { header: date, value: sql`to_char(basis.given_on, 'YYYY-MM-DD')`, isWritten: false },
];
