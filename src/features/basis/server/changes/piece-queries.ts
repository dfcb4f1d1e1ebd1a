import { sql } from 'kysely';
import { averageWorkspace, type Fragment, type TenantTx } from '#platform/server/database.ts';
import type { SaidBasis } from '../../contract.ts';
import { codeOf } from '../../rules.ts';
import { addedToCounts } from '../count-queries.ts';
import { canBeUndone } from './change-queries.ts';

/*
 * One transaction's share of a change, or of its undo. `holdBases` comes before each of them.
 */

export interface Looked {
  /** How many contacts were looked at. */
  looked: number;
  /** The highest id of them. */
  last: number | null;
  changed: number;
}

export interface PieceOfChange extends SaidBasis {
  changeId: number;
  /** Yields (id) of contacts that are there. */
  chosen: Fragment;
  /** Only those of which nothing is known. */
  onlyUnknown: boolean;
  /**
   * A source or a day that is not given is cleared. Otherwise it stays where the basis is the same
   * and not said again.
   */
  isWhole: boolean;
}

/**
 * Says the basis of these contacts, and keeps what was said before. A none is said again where the
 * one that stands can be undone: it has to outlast that.
 */
export async function sayBases(tx: TenantTx, workspaceId: number, piece: PieceOfChange): Promise<Looked> {
  const { changeId, chosen, basis, source, givenOn, onlyUnknown, isWhole } = piece;
  const code = sql.lit(codeOf(basis));
  const others = sql`(
    (${source || null}::text is distinct from h.source and (${isWhole} or ${source || null}::text is not null))
    or (${givenOn ?? null}::date is distinct from b.given_on and (${isWhole} or ${givenOn ?? null}::date is not null)))`;
  // Nothing is known of somebody without a row, so there is no source to compare.
  const differs = sql`(coalesce(b.basis, 0) <> ${code} or (b.contact_id is not null and ${others}))`;
  const again = sql`(${basis === 'none'} and b.basis = ${code} and ${canBeUndone})`;
  const { rows } = await sql<Looked>`
    with chosen as materialized (${chosen}),
    wanted as materialized (
      select c.id, b.basis, b.given_on, b.change_id from chosen c
      left join contact_bases b on b.workspace_id = ${averageWorkspace(workspaceId)} and b.contact_id = c.id
      left join basis_changes h on h.workspace_id = ${workspaceId} and h.id = b.change_id
      where (${differs} or ${again}) and (not ${onlyUnknown} or coalesce(b.basis, 0) = 0)
    ),
    kept as (
      insert into former_bases (workspace_id, replaced_by, contact_id, basis, given_on, change_id)
      select ${workspaceId}::bigint, ${changeId}::bigint, id, basis, given_on, change_id from wanted
      where basis is not null order by id
    ),
    put as (
      insert into contact_bases (workspace_id, contact_id, basis, given_on, change_id)
      select ${workspaceId}::bigint, id, ${code}, ${givenOn ?? null}::date, ${changeId}::bigint
      from wanted order by id
      on conflict (workspace_id, contact_id) do update
      set basis = excluded.basis, given_on = excluded.given_on, change_id = excluded.change_id
    ),
    ${addedToCounts(
      workspaceId,
      sql`select ${code} as basis, count(*) as contacts from wanted
        union all select basis, -count(*) from wanted where basis is not null group by basis`,
    )},
    noted as (
      update basis_changes set contacts = contacts + (select count(*) from wanted)
      where workspace_id = ${workspaceId} and id = ${changeId}
    )
    select (select count(*) from chosen) as looked, (select max(id) from chosen) as last,
      (select count(*) from wanted) as changed`.execute(tx);
  return rows[0] ?? { looked: 0, last: null, changed: 0 };
}

/**
 * Takes changes back from the first contacts of which nothing else was said since. Answers how many
 * they were: none when there are no more.
 */
export async function takeBackPiece(
  tx: TenantTx,
  workspaceId: number,
  changeIds: readonly number[],
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ undone: number }>`
    with mine as materialized (
      select contact_id, basis, change_id from contact_bases
      where workspace_id = ${workspaceId} and change_id = any(${[...changeIds]}::bigint[])
      order by change_id, contact_id limit ${limit}
    ),
    kept as (
      delete from former_bases f using mine m
      where f.workspace_id = ${averageWorkspace(workspaceId)} and f.replaced_by = m.change_id
        and f.contact_id = m.contact_id
      returning f.contact_id, f.basis, f.given_on, f.change_id
    ),
    put as (
      update contact_bases b set basis = k.basis, given_on = k.given_on, change_id = k.change_id
      from kept k where b.workspace_id = ${averageWorkspace(workspaceId)} and b.contact_id = k.contact_id
    ),
    gone as (
      delete from contact_bases b
      where b.workspace_id = ${workspaceId}
        and b.contact_id = any(array(
          select contact_id from mine except select contact_id from kept
        ))
    ),
    ${addedToCounts(
      workspaceId,
      sql`select basis, count(*) as contacts from kept group by basis
        union all select basis, -count(*) from mine group by basis`,
    )},
    noted as (
      update basis_changes n set undone = n.undone + m.contacts
      from (select change_id, count(*) as contacts from mine group by change_id) m
      where n.workspace_id = ${averageWorkspace(workspaceId)} and n.id = m.change_id
    )
    select count(*) as undone from mine`.execute(tx);
  return rows[0]?.undone ?? 0;
}

/**
 * The same where they are history: something else was said since, or the contact is in the bin.
 * What stood before the change takes its place there, so that no later undo brings the change back.
 * Answers how many contacts were looked at: none when there are no more. With `binStays`, those in
 * the bin keep it. No two of the changes may have followed one another at a contact that had a
 * basis before both: those of one import have not.
 */
export async function takeOutOfHistory(
  tx: TenantTx,
  workspaceId: number,
  changeIds: readonly number[],
  limit: number,
  { binStays = false } = {},
): Promise<number> {
  const staying = sql`(not ${binStays} or f.replaced_by <> 0)`;
  const { rows } = await sql<{ looked: number }>`
    with mine as materialized (
      select f.contact_id, f.replaced_by, f.change_id from former_bases f
      where f.workspace_id = ${workspaceId} and f.change_id = any(${[...changeIds]}::bigint[]) and ${staying}
      order by f.change_id, f.contact_id limit ${limit}
    ),
    before as (
      delete from former_bases f using mine m
      where f.workspace_id = ${averageWorkspace(workspaceId)} and f.replaced_by = m.change_id
        and f.contact_id = m.contact_id
      returning f.contact_id, f.replaced_by as taken_out, f.basis, f.given_on, f.change_id
    ),
    put as (
      update former_bases f set basis = b.basis, given_on = b.given_on, change_id = b.change_id
      from before b
      where f.workspace_id = ${averageWorkspace(workspaceId)} and f.change_id = b.taken_out
        and f.contact_id = b.contact_id and ${staying}
    ),
    -- Not joined with one another: of either the planner may expect a single row.
    gone as (
      delete from former_bases f using mine m
      where f.workspace_id = ${averageWorkspace(workspaceId)} and f.replaced_by = m.replaced_by
        and f.contact_id = m.contact_id
        and (m.contact_id, m.change_id) not in (select contact_id, taken_out from before)
    )
    select count(*) as looked from mine`.execute(tx);
  return rows[0]?.looked ?? 0;
}
