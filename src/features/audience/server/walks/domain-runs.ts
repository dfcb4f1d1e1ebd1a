import { sql } from 'kysely';
import { idsPerBlock } from '#features/contacts/rules.ts';
import { suppressionJoins } from '#features/contacts/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { domainRule } from '../../rules/conditions.ts';
import type { PageRequest } from '../../rules/plan.ts';
import { groupOf, type Leaf, type Node } from '../../rules/tree.ts';
import { direction, isNear, type Walked, walking } from '../list-queries.ts';
import { domainOf } from '../own-conditions.ts';
import { type Lists, matches, type Sought } from '../sought.ts';

/*
 * An import adds its contacts in the order of their domains. A walk by id therefore meets runs of
 * one domain, and those of a provider have hundreds of thousands of contacts. Where the domain
 * alone says that none of them can match, the walk passes over them: a block of search text says
 * for 16 contacts at once that they are all of that domain.
 */

/**
 * True for the blocks `b` that may hold contacts for which all of the nodes are true, as far as
 * `b.domain`, the domain of all their addresses, says so. Null when it says nothing.
 */
export function mayHold(sought: Sought): Fragment | null {
  const { others, inDomains } = sought.conjuncts;
  return holdsAll([...others, ...(inDomains ? [inDomains] : [])], sought);
}

function holdsAll(nodes: readonly Node[], sought: Sought): Fragment | null {
  const tests = nodes.map((node) => holds(node, sought)).filter((test) => test !== null);
  return tests.length === 0 ? null : sql`(${sql.join(tests, sql` and `)})`;
}

function holds(node: Node, sought: Sought): Fragment | null {
  const group = groupOf(node);
  if (group === null) return holdsLeaf(node as Leaf, sought);
  if (group.kind === 'all') return holdsAll(group.nodes, sought);
  if (group.kind === 'none' || group.nodes.length === 0) return null;
  const tests = group.nodes.map((one) => holds(one, sought));
  return tests.includes(null) ? null : sql`(${sql.join(tests, sql` or `)})`;
}

function holdsLeaf(leaf: Leaf, sought: Sought): Fragment | null {
  const { condition, value } = leaf;
  const domain = sql`b.domain`;
  if (condition === domainRule.key) return sql`(${domain} = ${domainOf(value as string)})`;
  const found = sought.conditions.get(condition);
  if (!found) return null;
  if (!('index' in found)) return ('ofDomain' in found && found.ofDomain?.(value, domain)) || null;
  const knows = sought.knownTo.get(found.index);
  if (!found.unlisted || knows === 'all') return null;
  const isAt = found.unlisted.atDomain(value, domain);
  if (knows === 'none') return isAt;
  const newest = sought.newestIn.get(found.index) ?? Number.MAX_SAFE_INTEGER;
  const isListed = hasListed(sought, sought.listsOf.get(leaf) as Lists);
  return sql`(${isAt} or (b.first_id <= ${newest} and ${isListed}))`;
}

/**
 * True for a block `b` with contacts in these lists. The offset and the order change nothing: the
 * planner would search each list for each block.
 */
const hasListed = ({ workspaceId }: Sought, { index, lists }: Lists): Fragment => sql`exists (
  select from (
    select ${sql.ref(`l.${index.list}`)} as list from ${sql.table(index.table)} l
    where l.workspace_id = ${workspaceId} and l.contact_id between b.first_id and b.last_id
    order by l.contact_id offset 0
  ) l where l.list = any(${`{${lists.map(({ id }) => id).join(',')}}`}::int[]))`;

/** A block whose addresses are of several domains. */
const isMixed = sql`strpos(replace(b.addresses || E'\n', '@' || b.domain || E'\n', E'\n'), '@') > 0`;

const perBlock = sql.lit(idsPerBlock);
const groupOfId = (id: number): number => Math.floor(id / idsPerBlock) * idsPerBlock;

/** The ids between which a walk looks: from the first, and below the end. */
interface Stretch {
  from: number;
  end: number;
}

/** The stretch that the page begins in. Blocks hold ids of one group, so it has whole groups. */
function stretchOf({ range, after }: Sought, order: 'asc' | 'desc', below: number | null): Stretch {
  const place = after?.sort === 'createdAt' ? after.id : null;
  const from = Math.max(range?.first ?? 0, order === 'asc' ? (place ?? 0) : 0);
  const last = [range?.last, order === 'desc' ? place : null, below === null ? null : below - 1];
  const known = last.filter((id) => id !== null && id !== undefined);
  const end = known.length === 0 ? Number.MAX_SAFE_INTEGER : groupOfId(Math.min(...known)) + idsPerBlock;
  return { from: groupOfId(from), end };
}

/** Blocks of the stretch in order. Each table is in order, so that they are only merged. */
function blocksOf(
  { workspaceId }: Sought,
  { from, end }: Stretch,
  order: 'asc' | 'desc',
  most: number,
): Fragment {
  const by = direction(order);
  const each = ['contact_search', 'contact_search_recent'].map(
    (table) => sql`(
      select first_id, last_id, addresses from ${sql.table(table)}
      where workspace_id = ${workspaceId} and first_id >= ${from} and first_id < ${end}
      order by first_id ${by})`,
  );
  return sql`
    select first_id, last_id, addresses, split_part(split_part(addresses, E'\n', 1), '@', -1) as domain
    from (${sql.join(each, sql` union all `)}) b order by first_id ${by} limit ${most}`;
}

/**
 * A page by id, from the blocks that may hold contacts that match. `below`: only contacts with a
 * lower id. Reads and tests no more than anybody would wait for.
 */
export async function walkPastRuns(
  tx: TenantTx,
  sought: Sought,
  may: Fragment,
  { order, offset, limit }: Pick<PageRequest, 'order' | 'offset' | 'limit'>,
  below: number | null = null,
): Promise<Walked> {
  const isMeant = sql`(${may} or ${isMixed})`;
  const wanted = offset + limit;
  const ids: number[] = [];
  let stretch = stretchOf(sought, order, below);
  let { tested: toTest, blocks: toRead } = sought.limits;
  let most = Math.ceil(toTest / idsPerBlock);
  for (;;) {
    most = Math.min(most, toRead);
    const blocks = blocksOf(sought, stretch, order, most);
    const piece: Piece = { blocks, isMeant, order, below, last: ids.at(-1) ?? null };
    ids.push(...(await matchingIn(tx, sought, piece, { limit: wanted - ids.length, most: toTest })));
    if (ids.length === wanted) return { ids: ids.slice(offset), isCut: false };
    const { read, meant, edge } = await countIn(tx, piece);
    if (read < most) return { ids: ids.slice(offset), isCut: meant * idsPerBlock > toTest };
    toTest -= meant * idsPerBlock;
    toRead -= read;
    if (toTest <= 0 || toRead <= 0) return { ids: ids.slice(offset), isCut: true };
    // The last group may have more blocks, so it is read again. It may be all that was read.
    const group = groupOfId(edge);
    stretch = order === 'asc' ? { ...stretch, from: group } : { ...stretch, end: group + idsPerBlock };
    most = Math.max(most * 2, idsPerBlock);
  }
}

/** Blocks that are read at once. `last`: the last contact that was found before. */
interface Piece {
  blocks: Fragment;
  isMeant: Fragment;
  order: 'asc' | 'desc';
  below: number | null;
  last: number | null;
}

/**
 * The matching contacts of the blocks that are meant. Stops as soon as there are enough. Blocks of
 * one group follow each other, and the contacts of a group are read once. The limit of 16 changes
 * nothing: it keeps the planner on the primary key.
 */
async function matchingIn(
  tx: TenantTx,
  sought: Sought,
  { blocks, isMeant, order, below, last }: Piece,
  { limit, most }: { limit: number; most: number },
): Promise<number[]> {
  const by = direction(order);
  const near = [isNear(sought)];
  if (below !== null) near.push(sql`c.id < ${below}`);
  if (last !== null) near.push(sql`c.id ${sql.raw(order === 'asc' ? '>' : '<')} ${last}`);
  const query = sql<{ id: number }>`
    select c.id from (
      select c.*, g.first_id as of_group from (
        select first_id from (
          select b.first_id, lag(b.first_id / ${perBlock}) over (order by b.first_id ${by}) as before
          from (${blocks}) b where ${isMeant}
        ) b where before is distinct from first_id / ${perBlock}
      ) g cross join lateral (
        select * from contacts c
        where c.id >= g.first_id / ${perBlock} * ${perBlock} and c.id < (g.first_id / ${perBlock} + 1) * ${perBlock}
          and ${sql.join(near, sql` and `)}
        order by c.id ${by} limit ${perBlock}
      ) c order by g.first_id ${by}, c.id ${by} limit ${most}
    ) c ${suppressionJoins}
    where ${matches(sought)} order by c.of_group ${by}, c.id ${by} limit ${limit}`;
  const { rows } = await walking(tx, () => query.execute(tx));
  return rows.map(({ id }) => id);
}

/** How many blocks of a piece there are, how many groups of them are meant, and where it ends. */
async function countIn(
  tx: TenantTx,
  { blocks, isMeant, order }: Piece,
): Promise<{ read: number; meant: number; edge: number }> {
  const { rows } = await sql<{ read: number; meant: number; edge: number }>`
    select count(*) as read, count(distinct b.first_id / ${perBlock}) filter (where ${isMeant}) as meant,
      coalesce(${order === 'asc' ? sql`max` : sql`min`}(b.first_id), 0) as edge
    from (${blocks}) b`.execute(tx);
  return rows[0] ?? { read: 0, meant: 0, edge: 0 };
}
