import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { SearchFilter } from '../rules.ts';
import { contactsWithSuppression, containsPattern, type Fragment, matches } from './filter-queries.ts';

/**
 * Substring search over blocks of text, 64 contacts a block. A block is a hint: what it names is checked against
 * `contacts`. See search.ts for which of these a search uses.
 */

/** The ids a block covers, both ends included. */
export interface Block {
  firstId: number;
  lastId: number;
}

/** Contacts that share a block: those with the same id / 64. So two blocks overlap only when they are of the same 64. */
export const idsPerBlock = 64;

export interface Sample {
  /** Blocks looked at. */
  blocks: number;
  /** Those in which the term occurs. */
  hits: number;
  /** Contacts of the blocks looked at. */
  contacts: number;
  /** Those that match the whole filter. */
  matching: number;
}

/** The contacts in the blocks `h` (first_id, last_id) that match. */
const inBlocks = (workspaceId: number, blocks: Fragment, filter: SearchFilter): Fragment => sql`
  select distinct found.id, found.domain, found.local from ${blocks} h
  cross join lateral (
    select c.id, c.domain, c.local from ${contactsWithSuppression}
    where ${matches(workspaceId, filter)} and c.id between h.first_id and h.last_id
  ) found`;

/** Looks at a fair sample of `size` blocks, the same ones for every search, so that a total does not change from page to page. */
export async function sampleBlocks(
  tx: TenantTx,
  workspaceId: number,
  filter: SearchFilter,
  size: number,
): Promise<Sample> {
  const { rows } = await sql<Sample>`
    with lots as materialized (
      select first_id, last_id, addresses from contact_search
      where workspace_id = ${workspaceId} order by lot limit ${size}
    ),
    sample as materialized (
      select * from lots
      union all (
        select first_id, last_id, addresses from contact_search_recent
        where workspace_id = ${workspaceId} order by first_id desc limit ${size} - (select count(*) from lots)
      )
    ),
    hits as materialized (select * from sample where addresses like ${containsPattern(filter.term ?? '')})
    select (select count(*) from sample) as blocks, (select count(*) from hits) as hits,
           (select count(*) from sample cross join lateral (
              select from contacts c where c.workspace_id = ${workspaceId} and c.id between first_id and last_id) live
           ) as contacts,
           (select count(*) from (${inBlocks(workspaceId, sql`hits`, filter)}) found) as matching`.execute(
    tx,
  );
  return rows[0] ?? { blocks: 0, hits: 0, contacts: 0, matching: 0 };
}

/**
 * Finds the blocks in which the term occurs through the trigram index: how many (counted up to `most`), the `edge`
 * newest (or oldest) of them in order, and `sampleSize` picked by chance.
 */
export async function findBlocks(
  tx: TenantTx,
  term: string,
  options: { most: number; edge: number; order: 'asc' | 'desc'; sampleSize: number },
): Promise<{ count: number; edge: Block[]; sample: Block[] }> {
  const { rows } = await sql<Block & { part: string; count: number }>`
    with blocks as materialized (select first_id, last_id from search_blocks(${term}, ${options.most}::int)),
    counted as (select count(*) as count from blocks)
    (select 'edge' as part, first_id as "firstId", last_id as "lastId", count from blocks, counted
     order by first_id ${sql.raw(options.order)} limit ${options.edge})
    union all
    (select 'sample', first_id, last_id, count from blocks, counted order by random() limit ${options.sampleSize})`.execute(
    tx,
  );
  const part = (name: string) => rows.filter((row) => row.part === name);
  return { count: rows[0]?.count ?? 0, edge: part('edge'), sample: part('sample') };
}

/** The newest (or oldest) `most` blocks in which the term occurs, found by reading blocks in order. For common terms. */
export async function walkBlocks(
  tx: TenantTx,
  workspaceId: number,
  term: string,
  options: { most: number; order: 'asc' | 'desc' },
): Promise<Block[]> {
  const from = (table: string) => sql`
    (select first_id, last_id from ${sql.table(table)}
     where workspace_id = ${workspaceId} and addresses like ${containsPattern(term)}
     order by first_id ${sql.raw(options.order)} limit ${options.most})`;
  const { rows } = await sql<Block>`
    select first_id as "firstId", last_id as "lastId"
    from (${from('contact_search')} union all ${from('contact_search_recent')}) either
    order by first_id ${sql.raw(options.order)} limit ${options.most}`.execute(tx);
  return rows;
}

/** The contacts in these blocks that match, as (id, domain, local). */
export function matchingInBlocks(
  workspaceId: number,
  blocks: readonly Block[],
  filter: SearchFilter,
): Fragment {
  const first = blocks.map((block) => block.firstId);
  const last = blocks.map((block) => block.lastId);
  return inBlocks(
    workspaceId,
    sql`(select * from unnest(${first}::bigint[], ${last}::bigint[]) as b (first_id, last_id))`,
    filter,
  );
}

/** The contacts in all blocks of the trigram index that match, as (id, domain, local). */
export function matchingByTrigrams(workspaceId: number, filter: SearchFilter): Fragment {
  return inBlocks(workspaceId, sql`search_blocks(${filter.term}, 2147483647)`, filter);
}

/** How many contacts in these blocks match. */
export async function countInBlocks(
  tx: TenantTx,
  workspaceId: number,
  blocks: readonly Block[],
  filter: SearchFilter,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (${matchingInBlocks(workspaceId, blocks, filter)}) found`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** How many contacts a fragment of ids yields. */
export async function countFound(tx: TenantTx, found: Fragment): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from (${found}) found`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Moves up to `most` recent blocks of any workspace under the trigram index; answers how many. */
export async function indexRecent(
  db: { executeQuery: TenantTx['executeQuery'] },
  most: number,
): Promise<number> {
  const { rows } = await sql<{ moved: number }>`select index_recent_blocks(${most}::int) as moved`.execute(
    db as TenantTx,
  );
  return rows[0]?.moved ?? 0;
}
