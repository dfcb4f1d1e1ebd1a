import { sql } from 'kysely';
import { type Basis, bases } from '#features/contacts/contract.ts';
import type { Fragment } from '#platform/server/database.ts';
import { codeOf, mailableAtFirst } from '../rules.ts';

/**
 * True for the contacts `c` whose marketing basis is one of these. It asks for what is rare: who
 * has no row is unknown, so where those may be mailed, it looks for the bases that may not.
 */
export function mayBeMailed(mailable: readonly Basis[]): Fragment {
  if (mailable.length === bases.length) return sql`true`;
  if (mailable.length === 0) return sql`false`;
  const isUnknownMailed = mailable.includes('unknown');
  const asked = bases.filter((basis) => mailable.includes(basis) !== isUnknownMailed);
  const codes = sql.join(asked.map((basis) => sql.lit(codeOf(basis))));
  const isAsked = sql`exists (
    select from contact_bases b
    where b.workspace_id = c.workspace_id and b.contact_id = c.id and b.basis in (${codes}))`;
  return isUnknownMailed ? sql`(not ${isAsked})` : isAsked;
}

/**
 * The same by what the workspace has chosen at the moment of the statement. For some contacts at a
 * time: it looks at the basis of each.
 */
export const mayBeMailedNow = (workspaceId: number): Fragment => sql`
  coalesce((
    select b.basis from contact_bases b where b.workspace_id = ${workspaceId} and b.contact_id = c.id
  ), 0::smallint) = any(coalesce(
    (select o.mailable from basis_settings o where o.workspace_id = ${workspaceId}),
    ${`{${mailableAtFirst.map(codeOf).join(',')}}`}::smallint[]
  ))`;
