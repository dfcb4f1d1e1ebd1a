import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { Days } from '../rules/conditions.ts';
import type { IdRange } from '../rules/plan.ts';
import type { Leaf } from '../rules/tree.ts';
import { londonDay } from './own-conditions.ts';

const none: IdRange = { first: 1, last: 0 };

/**
 * How many days older a contact may be than one with a lower id. Ids and times are assigned within
 * one transaction, so this is how long a transaction lasts. A day is far more than any may take.
 */
const slack = 1;

/** The range of ids that can match the first import and the first days among the conditions. */
export async function selectIdRange(
  tx: TenantTx,
  workspaceId: number,
  conditions: readonly Leaf[],
): Promise<IdRange> {
  const firstOf = (key: string) => conditions.find(({ condition }) => condition === key)?.value;
  const importId = firstOf('import') as number | undefined;
  const { from: addedFrom, to: addedTo } = (firstOf('added') ?? {}) as Days;
  const { rows } = await (importId === undefined
    ? sql<IdRange>`
        select (select min(id) from contacts where workspace_id = ${workspaceId}) as first,
               (select max(id) from contacts where workspace_id = ${workspaceId}) as last`
    : sql<IdRange>`
        select first_contact_id as first, last_contact_id as last from imports
        where workspace_id = ${workspaceId} and id = ${importId} and last_contact_id is not null`
  ).execute(tx);
  const [range] = rows;
  if (!range || range.first === null) return none;
  const first =
    addedFrom === undefined
      ? range.first
      : await firstNotBefore(tx, workspaceId, range, londonDay(addedFrom, -slack));
  const last =
    addedTo === undefined
      ? range.last
      : (await firstNotBefore(tx, workspaceId, range, londonDay(addedTo, 1 + slack))) - 1;
  return { first, last };
}

/**
 * An id before which all contacts are older than the moment, give or take the slack. It is found by
 * bisection, because ids are assigned in time order. An index on the time would burden every import
 * to save about 25 look-ups.
 */
async function firstNotBefore(
  tx: TenantTx,
  workspaceId: number,
  range: IdRange,
  moment: Fragment,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with recursive step as (
      select ${range.first}::bigint as low, ${range.last}::bigint + 1 as high
      union all
      select case when found.is_before then found.id + 1 else low end,
             case when found.is_before then high else (low + high) / 2 end
      from step left join lateral (
        select id, created_at < ${moment} as is_before from contacts
        where workspace_id = ${workspaceId} and id >= (low + high) / 2 order by id limit 1
      ) found on true
      where low < high
    )
    select low as id from step where low >= high`.execute(tx);
  return rows[0]?.id ?? range.first;
}

/**
 * The first `most` sources of contacts in alphabetical order. Steps from one to the next in their
 * index.
 */
export async function selectSources(tx: TenantTx, workspaceId: number, most: number): Promise<string[]> {
  const { rows } = await sql<{ source: string }>`
    with recursive step as (
      (select source, 1 as number from contacts
       where workspace_id = ${workspaceId} and source is not null order by source limit 1)
      union all
      select (select c.source from contacts c
              where c.workspace_id = ${workspaceId} and c.source > step.source order by c.source limit 1), step.number + 1
      from step where step.source is not null and step.number < ${most}
    )
    select source from step where source is not null`.execute(tx);
  return rows.map((row) => row.source);
}

/** The names of extra fields that imports brought or people gave to contacts. */
export async function selectFieldNames(tx: TenantTx, workspaceId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from contact_field_names where workspace_id = ${workspaceId} order by name`.execute(tx);
  return rows.map(({ name }) => name);
}
