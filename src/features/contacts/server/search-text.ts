import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { idsPerBlock } from '../rules.ts';

/**
 * The text in which contacts are searched: blocks with the addresses of 16 contacts each. A block
 * is a hint: the contacts it names are checked against `contacts`.
 */

const perBlock = sql.lit(idsPerBlock);

/**
 * Search text for contacts under their current address. Blocks with an old address are hints that
 * lead nowhere. `which` yields (id).
 */
export async function makeFindable(tx: TenantTx, workspaceId: number, which: Fragment): Promise<void> {
  await sql`
    insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
    select ${workspaceId}::bigint, min(c.id), max(c.id), string_agg(c.local || '@' || c.domain, E'\n')
    from (${which}) w join contacts c on c.workspace_id = ${workspaceId} and c.id = w.id
    group by c.id / ${perBlock}`.execute(tx);
}

/**
 * Search text for contacts that came back. Most still have the block they were first written to. A
 * second block would make every search look twice and every estimate count twice. An id is assigned
 * only once, so a contact with one of the ids from `which` is the one that just came back.
 */
export async function makeFindableAgain(tx: TenantTx, workspaceId: number, which: Fragment): Promise<void> {
  const standsIn = (table: string) => sql`exists (
    select from (
      select * from ${sql.table(table)} x
      where x.workspace_id = ${workspaceId} and x.first_id between c.id / ${perBlock} * ${perBlock} and (c.id / ${perBlock} + 1) * ${perBlock} - 1
      order by x.first_id limit 1000
    ) block
    where c.id between block.first_id and block.last_id and strpos(block.addresses, c.local || '@' || c.domain) > 0
  )`;
  // The order and the limit do not change the result. They make the planner look up the index once
  // for each row. Just after a first import the planner assumes the workspace has a single row, and
  // would read the whole workspace for each row.
  await sql`
    insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
    select ${workspaceId}, min(c.id), max(c.id), string_agg(c.local || '@' || c.domain, E'\n')
    from (${which}) r cross join lateral (
      select c.id, c.local, c.domain from contacts c
      where c.workspace_id = ${workspaceId} and c.id = r.id order by c.id limit 1
    ) c
    where not ${standsIn('contact_search')} and not ${standsIn('contact_search_recent')}
    group by c.id / ${perBlock}`.execute(tx);
}

/**
 * Drops the blocks of contacts that are erased, and writes those of their neighbours again. So
 * nothing of them stays, under no address that they ever had. `gone` yields (id).
 */
async function writeWithout(tx: TenantTx, workspaceId: number, gone: Fragment): Promise<void> {
  for (const table of ['contact_search', 'contact_search_recent']) {
    const { rows } = await sql<{ first: number; last: number }>`
      with gone as materialized (select id from (${gone}) g)
      delete from ${sql.table(table)} x using gone
      where x.workspace_id = ${workspaceId} and gone.id between x.first_id and x.last_id
        and x.first_id between gone.id / ${perBlock} * ${perBlock} and gone.id
      returning x.first_id as first, x.last_id as last`.execute(tx);
    if (rows.length === 0) continue;
    await makeFindableAgain(
      tx,
      workspaceId,
      sql`
        select distinct c.id
        from unnest(${rows.map(({ first }) => first)}::bigint[], ${rows.map(({ last }) => last)}::bigint[]) r (first, last)
        join contacts c on c.workspace_id = ${workspaceId} and c.id between r.first and r.last`,
    );
  }
}

/**
 * Drops the blocks whose contacts are all gone, because they only slow searches down. `gone` yields
 * the ids that were just removed. The inner limits do not change the result. They keep the planner
 * on the indexes, because it cannot know how many ids lie between two others. With `isErased`, the
 * other blocks of these contacts do not name them any more either.
 */
export async function dropEmptyBlocks(
  tx: TenantTx,
  workspaceId: number,
  gone: Fragment,
  { isErased = false }: { isErased?: boolean } = {},
): Promise<void> {
  if (isErased) return writeWithout(tx, workspaceId, gone);
  for (const table of ['contact_search', 'contact_search_recent']) {
    await sql`
      with touched as materialized (select distinct r.id / ${perBlock} as part from (${gone}) r)
      delete from ${sql.table(table)} where ctid = any(array(
        select b.ctid from touched cross join lateral (
          select x.ctid, x.first_id, x.last_id from ${sql.table(table)} x
          where x.workspace_id = ${workspaceId} and x.first_id between part * ${perBlock} and (part + 1) * ${perBlock} - 1
          order by x.first_id limit 1000
        ) b
        where not exists (
          select from (
            select from contacts c
            where c.workspace_id = ${workspaceId} and c.id between b.first_id and b.last_id
            order by c.id limit 1
          ) left_over
        )
      ))`.execute(tx);
  }
}
