import { sql } from 'kysely';
import { idsPerBlock } from '#features/contacts/rules.ts';
import { suppressionJoins } from '#features/contacts/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { matches, type Sought } from './sought.ts';

/**
 * Substring search over blocks of text, 16 contacts a block. A block is a hint: the contacts it
 * names are checked against `contacts`. See rules/plan.ts for which of these a search uses.
 */

/** The ids a block covers, both ends included. */
export interface Block {
  firstId: number;
  lastId: number;
}

/**
 * The matching contacts in the blocks `h` (first_id, last_id). The inner limit does not change the
 * result, because a block never covers more ids. It makes the planner use the primary key for each
 * block. Otherwise the planner misjudges how many ids lie between two others and reads all
 * contacts.
 */
const inBlocks = (sought: Sought, blocks: Fragment): Fragment => sql`
  select distinct c.id, c.domain, c.local from ${blocks} h
  cross join lateral (
    select * from contacts of_block
    where of_block.workspace_id = ${sought.workspaceId} and of_block.id between h.first_id and h.last_id
    order by of_block.id limit ${sql.lit(idsPerBlock)}
  ) c ${suppressionJoins}
  where ${matches(sought)}`;

export interface Sample {
  /** Blocks looked at. */
  blocks: number;
  /** How many of these contain the term. */
  hits: number;
  /** How many of these also contain the filter's domain. */
  fitting: number;
  /** How many of these had their contacts checked. */
  checked: number;
  /** Contacts in the checked blocks that match the whole filter. */
  matching: number;
  /** Average number of contacts in a block. */
  contactsPerBlock: number;
}

/**
 * Looks for the term in a fair sample of `size` blocks and checks the contacts of at most `most`
 * blocks that fit. Samples the same blocks for every search, so that a total does not change from
 * page to page.
 */
export async function sampleBlocks(
  tx: TenantTx,
  sought: Sought,
  term: string,
  { size, most }: { size: number; most: number },
): Promise<Sample> {
  const { workspaceId, leads } = sought;
  const fits = leads.domain === null ? sql`true` : sql`strpos(addresses, ${`@${leads.domain}`}) > 0`;
  const found = sql`first_id, last_id, strpos(addresses, ${term}) > 0 as is_hit, ${fits} as fits`;
  const { rows } = await sql<Sample>`
    with lots as (
      select ${found} from (
        select * from contact_search where workspace_id = ${workspaceId} order by lot limit ${size}
      ) b
    ),
    sample as materialized (
      select * from lots
      union all
      select ${found} from (
        select * from contact_search_recent where workspace_id = ${workspaceId}
        order by first_id desc limit ${size}::bigint - (select count(*) from lots)
      ) b
    ),
    checked as materialized (select * from sample where is_hit and fits limit ${most}),
    sized as (select * from sample limit ${most})
    select (select count(*) from sample) as blocks, (select count(*) from sample where is_hit) as hits,
           (select count(*) from sample where is_hit and fits) as fitting, (select count(*) from checked) as checked,
           (select count(*) from (${inBlocks(sought, sql`checked`)}) found) as matching,
           (select count(*)::float / greatest(1, (select count(*) from sized)) from sized h cross join lateral (
              select from contacts c where c.workspace_id = ${workspaceId} and c.id between h.first_id and h.last_id
              order by c.id limit ${sql.lit(idsPerBlock)}) live
           ) as "contactsPerBlock"`.execute(tx);
  return rows[0] ?? { blocks: 0, hits: 0, fitting: 0, checked: 0, matching: 0, contactsPerBlock: 0 };
}

/** Blocks that the trigram index names: how many, the nearest of them, and a random sample. */
export interface FoundBlocks {
  count: number;
  edge: Block[];
  sample: Block[];
}

/**
 * Finds the blocks that contain the term through the trigram index: how many (counted up to
 * `most`), the `edge` newest (or oldest) of them in order, and a random sample of `sampleSize`.
 * With `after`, only blocks that may hold contacts after this id in the order.
 */
export async function findBlocks(
  tx: TenantTx,
  term: string,
  options: {
    most: number;
    edge: number;
    order: 'asc' | 'desc';
    sampleSize: number;
    after: number | null;
  },
): Promise<FoundBlocks> {
  const { after, order } = options;
  const beyond =
    after === null ? sql`true` : order === 'asc' ? sql`last_id > ${after}` : sql`first_id < ${after}`;
  const { rows } = await sql<Block & { part: string; count: number }>`
    with blocks as materialized (
      select first_id, last_id from search_blocks(${term}, ${options.most}::int) where ${beyond}
    ),
    counted as (select count(*) as count from blocks)
    (select 'edge' as part, first_id as "firstId", last_id as "lastId", count from blocks, counted
     order by first_id ${sql.raw(order)} limit ${options.edge})
    union all
    (select 'sample', first_id, last_id, count from blocks, counted order by random() limit ${options.sampleSize})`.execute(
    tx,
  );
  const part = (name: string) => rows.filter((row) => row.part === name);
  return { count: rows[0]?.count ?? 0, edge: part('edge'), sample: part('sample') };
}

/**
 * Reads up to `most` blocks in order from `from` on (an id; null: from the end). Answers the blocks
 * that contain the term, and where to continue. Takes whole groups of ids only, so that later
 * blocks come after earlier ones.
 */
export async function readBlocks(
  tx: TenantTx,
  workspaceId: number,
  term: string,
  options: { from: number | null; most: number; order: 'asc' | 'desc' },
): Promise<{ hits: Block[]; next: number | null }> {
  const by = sql.raw(options.order);
  const start =
    options.from === null
      ? sql`true`
      : sql`first_id ${sql.raw(options.order === 'asc' ? '>=' : '<')} ${options.from}`;
  const from = (table: string) => sql`
    (select first_id, last_id, strpos(addresses, ${term}) > 0 as is_hit from (
      select * from ${sql.table(table)} where workspace_id = ${workspaceId} and ${start} order by first_id ${by} limit ${options.most}
    ) b)`;
  const { rows } = await sql<Block & { isHit: boolean; read: number; end: number }>`
    with read as materialized (
      select * from (${from('contact_search')} union all ${from('contact_search_recent')}) either
      order by first_id ${by} limit ${options.most}
    ),
    ends as (
      select count(*) as read, coalesce(${options.order === 'asc' ? sql`max` : sql`min`}(first_id), 0) as "end" from read
    )
    select first_id as "firstId", last_id as "lastId", is_hit as "isHit", ends.read, ends."end"
    from ends left join read on is_hit order by first_id ${by}`.execute(tx);
  const [first] = rows;
  const hits = rows.filter((row) => row.isHit);
  if (!first || first.read < options.most) return { hits, next: null };
  // The last group may lack blocks, so it is read again next time.
  const group = Math.floor(first.end / idsPerBlock);
  const whole = hits.filter((hit) => Math.floor(hit.firstId / idsPerBlock) !== group);
  return { hits: whole, next: (options.order === 'asc' ? group : group + 1) * idsPerBlock };
}

/** The matching contacts in these blocks, as (id, domain, local). */
export function matchingInBlocks(sought: Sought, blocks: readonly Block[]): Fragment {
  const first = blocks.map((block) => block.firstId);
  const last = blocks.map((block) => block.lastId);
  return inBlocks(
    sought,
    sql`(select * from unnest(${first}::bigint[], ${last}::bigint[]) as b (first_id, last_id))`,
  );
}

/** The matching contacts in all blocks of the trigram index, as (id, domain, local). */
export const matchingByTrigrams = (sought: Sought): Fragment =>
  inBlocks(sought, sql`search_blocks(${sought.leads.term}, 2147483647)`);

/** How many contacts in these blocks match. */
export const countInBlocks = (tx: TenantTx, sought: Sought, blocks: readonly Block[]): Promise<number> =>
  countFound(tx, matchingInBlocks(sought, blocks));

/** How many contacts a fragment of ids yields. */
export async function countFound(tx: TenantTx, found: Fragment): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from (${found}) found`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Moves up to `most` recent blocks of any workspace under the trigram index. Answers how many. */
export async function indexRecent(
  db: { executeQuery: TenantTx['executeQuery'] },
  most: number,
): Promise<number> {
  const { rows } = await sql<{ moved: number }>`select index_recent_blocks(${most}::int) as moved`.execute(
    db as TenantTx,
  );
  return rows[0]?.moved ?? 0;
}
