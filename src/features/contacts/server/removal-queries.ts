import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { removalKinds } from '../contract.ts';
import type { Fragment } from './filter-queries.ts';
import { applyDomainDeltas, lockDomains } from './rollup-queries.ts';
import { idsPerBlock } from './search-queries.ts';
import { forgetVerdicts, lockVerdicts } from './verdict-queries.ts';

export type RemovalKind = (typeof removalKinds)[number];

export interface NewRemoval {
  kind: RemovalKind;
  removedBy: string | null;
  importId?: number;
}

const contactColumns = sql.raw(
  'id, local, domain, address, state, name, source, date, attributes, notes, import_id, created_at, changed_at',
);

/** First half of an advisory lock's key; the second is the workspace. */
const removalLockSpace = 7202;

/** Two large removals of the same contacts in different orders would wait for each other in a circle: one after the other. */
export async function lockRemovals(tx: TenantTx, workspaceId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${removalLockSpace}::int, (${workspaceId}::bigint % 2147483647)::int)`.execute(
    tx,
  );
}

/** Why a clean removes a contact, as it is stored. */
export const cleanReasons = { duplicate: 1, invalid: 2, nonUk: 3 } as const;

/** Opens a removal that contacts are then moved into. */
export async function openRemoval(tx: TenantTx, workspaceId: number, removal: NewRemoval): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into removals (workspace_id, kind, import_id, removed_by, is_open)
    values (${workspaceId}, ${removal.kind}, ${removal.importId ?? null}, ${removal.removedBy}, true)
    returning id`.execute(tx);
  return rows[0]?.id as number;
}

/** The ids of the first contacts `c` after `after`, up to `upTo`, for which `chosen` is true. */
export async function selectChosen(
  tx: TenantTx,
  workspaceId: number,
  chosen: Fragment,
  range: { after: number; upTo: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from contacts c
    where c.workspace_id = ${workspaceId} and c.id > ${range.after} and c.id <= ${range.upTo} and (${chosen})
    order by c.id limit ${range.limit}`.execute(tx);
  return rows.map((row) => row.id);
}

/** The highest id a contact of the workspace has; 0 when there is none. */
export async function selectLastId(tx: TenantTx, workspaceId: number): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from contacts where workspace_id = ${workspaceId}`.execute(tx);
  return rows[0]?.id ?? 0;
}

/**
 * Moves the contacts `c` for which `chosen` is true into an open removal, with the rollups and the reason, and answers how many
 * there were. `within` says which of the removal's contacts can be theirs, where it already holds others. At most once a
 * transaction.
 */
export async function moveIntoRemoval(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  chosen: Fragment,
  options: { reason?: Fragment; within?: { from: number; to: number } } = {},
): Promise<number> {
  await lockRemovals(tx, workspaceId);
  const moved = await sql`
    with gone as (
      delete from contacts c where c.workspace_id = ${workspaceId} and (${chosen})
      returning ${contactColumns}, ${options.reason ?? sql`null::smallint`} as reason
    )
    insert into removed_contacts (workspace_id, removal_id, ${contactColumns}, reason)
    select ${workspaceId}, ${removalId}::bigint, ${contactColumns}, reason from gone`.execute(tx);
  const contacts = Number(moved.numAffectedRows ?? 0);
  if (contacts === 0) return 0;
  await sql`
    update removals set contacts = contacts + ${contacts}
    where workspace_id = ${workspaceId} and id = ${removalId}`.execute(tx);
  const range = options.within ?? everyId;
  await forgetVerdicts(
    tx,
    workspaceId,
    sql`select r.id, r.local, r.domain from removed_contacts r
        where r.workspace_id = ${workspaceId} and r.removal_id = ${removalId} and ${isWithin(range)}`,
  );
  if (contacts >= largeRemoval) await dropEmptyBlocks(tx, workspaceId, removalId, range);
  // Last: whoever adds or removes a contact waits for the workspace's row of counts, from here to the commit.
  await lockDomains(tx, workspaceId, 'shared');
  await applyDomainDeltas(tx, workspaceId, deltaOf(workspaceId, removalId, -1, isWithin(range)));
  return contacts;
}

/**
 * The contact with the id of `r`. The order and the limit change nothing: they keep the planner to one look at the index for each
 * row. Just after a first import it takes the workspace for a single row, and would read all of it anew for each.
 */
const contactOf = (workspaceId: number): Fragment => sql`
  select c.id, c.local, c.domain from contacts c
  where c.workspace_id = ${workspaceId} and c.id = r.id order by c.id limit 1`;

export interface IdRange {
  from: number;
  to: number;
}
const everyId: IdRange = { from: 0, to: Number.MAX_SAFE_INTEGER };
const isWithin = ({ from, to }: IdRange): Fragment => sql`r.id between ${from} and ${to}`;

export interface CleanedCounts {
  duplicates: number;
  invalid: number;
  nonUk: number;
}

/** Closes a removal: nothing more comes into it. One that stayed empty is forgotten; then the answer is null. */
export async function closeRemoval(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  cleaned?: CleanedCounts,
): Promise<{ id: number; contacts: number } | null> {
  const { rows } = await sql<{ contacts: number }>`
    update removals set is_open = false, duplicates = ${cleaned?.duplicates ?? null},
      invalid = ${cleaned?.invalid ?? null}, non_uk = ${cleaned?.nonUk ?? null}
    where workspace_id = ${workspaceId} and id = ${id} returning contacts`.execute(tx);
  const contacts = rows[0]?.contacts ?? 0;
  if (contacts > 0) return { id, contacts };
  await sql`delete from removals where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
  return null;
}

/** How many of a removal's contacts went for each reason of a clean. */
export async function countByReason(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
): Promise<CleanedCounts> {
  const count = (reason: number) => sql`count(*) filter (where reason = ${sql.lit(reason)})`;
  const { rows } = await sql<CleanedCounts>`
    select ${count(cleanReasons.duplicate)} as duplicates, ${count(cleanReasons.invalid)} as invalid,
           ${count(cleanReasons.nonUk)} as "nonUk"
    from removed_contacts where workspace_id = ${workspaceId} and removal_id = ${removalId}`.execute(tx);
  return rows[0] ?? { duplicates: 0, invalid: 0, nonUk: 0 };
}

/** A whole removal in one transaction: for a few thousand contacts. Answers null when nothing was there to remove. */
export async function moveToBin(
  tx: TenantTx,
  workspaceId: number,
  chosen: Fragment,
  removal: NewRemoval,
): Promise<{ id: number; contacts: number } | null> {
  const id = await openRemoval(tx, workspaceId, removal);
  await moveIntoRemoval(tx, workspaceId, id, chosen);
  return closeRemoval(tx, workspaceId, id);
}

/** True for these contacts `c`, however many. */
export const hasId = (ids: readonly number[]): Fragment => sql`c.id = any(${[...ids]}::bigint[])`;

/** The ids of those of these contacts that are there. */
export const namedContacts = (workspaceId: number, ids: readonly number[]): Fragment =>
  sql`select c.id from contacts c where c.workspace_id = ${workspaceId} and ${hasId(ids)}`;

/** True for what an import added and nobody changed since. */
export const isUntouched = (added: { importId: number; firstId: number; lastId: number }): Fragment => sql`
  c.id between ${added.firstId} and ${added.lastId} and c.import_id = ${added.importId} and c.changed_at is null`;

/** How many contacts `c` there are for which a condition is true. */
export async function countContacts(tx: TenantTx, workspaceId: number, condition: Fragment): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from contacts c where c.workspace_id = ${workspaceId} and ${condition}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** What the contacts of a removal that stand in the bin add to the domains' figures (sign 1) or take from them (-1). */
function deltaOf(workspaceId: number, removalId: number, sign: 1 | -1, only: Fragment = sql`true`): Fragment {
  const count = (state: number, suppressed: boolean) =>
    sql`${sign}::int * count(*) filter (where r.state = ${sql.lit(state)}${suppressed ? sql` and s.id is not null` : sql``})`;
  return sql`
    select r.domain, ${count(0, false)} as valid, ${count(1, false)} as invalid, ${count(2, false)} as duplicate,
           ${count(0, true)} as valid_suppressed, ${count(1, true)} as invalid_suppressed,
           ${count(2, true)} as duplicate_suppressed
    from removed_contacts r
    left join lateral (
      select s.id from suppressions s
      where s.workspace_id = ${workspaceId} and s.domain = r.domain and s.local = r.local
      order by s.domain, s.local limit 1
    ) s on true
    where r.workspace_id = ${workspaceId} and r.removal_id = ${removalId} and ${only}
    group by r.domain`;
}

const perBlock = sql.lit(idsPerBlock);

/** From this many contacts on, a removal also looks for search text that has nothing left to point at. */
const largeRemoval = 1000;

/**
 * Search blocks are hints and may name contacts that are gone; those that name nothing else are only in the way. The inner
 * limits change nothing: they keep the planner, who cannot know how many ids lie between two others, to the indexes.
 */
async function dropEmptyBlocks(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  range: IdRange,
): Promise<void> {
  for (const table of ['contact_search', 'contact_search_recent']) {
    await sql`
      with touched as materialized (
        select distinct r.id / ${perBlock} as part from removed_contacts r
        where r.workspace_id = ${workspaceId} and r.removal_id = ${removalId} and ${isWithin(range)}
      )
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

export interface Removal {
  kind: RemovalKind;
  contacts: number;
  importId: number | null;
  restoredAt: Date | null;
  isOpen: boolean;
  isExpired: boolean;
}

/** The removal, held until the transaction ends; null when the workspace has none with this id. */
export async function lockRemoval(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  binDays: number,
): Promise<Removal | null> {
  const { rows } = await sql<Removal>`
    select kind, contacts, import_id as "importId", restored_at as "restoredAt", is_open as "isOpen", created_at < now() - make_interval(days => ${binDays}::int) as "isExpired"
    from removals where workspace_id = ${workspaceId} and id = ${id} for update`.execute(tx);
  return rows[0] ?? null;
}

/** The first ids of a removal's contacts that still stand in the bin. */
export async function selectInBin(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  limit: number,
): Promise<IdRange | null> {
  const { rows } = await sql<{ from: number | null; to: number | null }>`
    select min(id) as "from", max(id) as "to" from (
      select id from removed_contacts where workspace_id = ${workspaceId} and removal_id = ${removalId}
      order by id limit ${limit}
    ) first`.execute(tx);
  const { from, to } = rows[0] ?? { from: null, to: null };
  return from === null || to === null ? null : { from, to };
}

/**
 * Puts a removal's contacts within a range back under their old ids, with search text and rollups, empties that part of the
 * bin and answers which came back. Each remembers from which removal. An address that exists again stays as it is. In the
 * order of the identity key, like everything that adds contacts, so that two that add the same ones do not wait in a circle.
 * At most once a transaction.
 */
export async function takeFromBin(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  range: IdRange = everyId,
): Promise<number[]> {
  await lockRemovals(tx, workspaceId);
  const { rows } = await sql<{ id: number }>`
    insert into contacts (workspace_id, ${contactColumns}, restored_from) overriding system value
    select r.workspace_id, ${contactColumns}, r.removal_id from removed_contacts r
    where r.workspace_id = ${workspaceId} and r.removal_id = ${removalId} and ${isWithin(range)}
    order by r.domain, r.local
    on conflict (workspace_id, domain, local) where state <> 2 do nothing
    returning id`.execute(tx);
  const restored = rows.length;
  if (restored > 0) {
    await makeSearchable(tx, workspaceId, removalId, range);
    // Whoever calls may give them verdicts, whose lock comes before that of the rollups.
    await lockVerdicts(tx, workspaceId);
    await lockDomains(tx, workspaceId, 'shared');
    const cameBack = sql`${isWithin(range)} and exists (select from (${contactOf(workspaceId)}) back)`;
    await applyDomainDeltas(tx, workspaceId, deltaOf(workspaceId, removalId, 1, cameBack));
  }
  await sql`
    delete from removed_contacts r
    where r.workspace_id = ${workspaceId} and r.removal_id = ${removalId} and ${isWithin(range)}`.execute(tx);
  await sql`
    update removals set restored_at = coalesce(restored_at, now()), restored = restored + ${restored}
    where workspace_id = ${workspaceId} and id = ${removalId}`.execute(tx);
  return rows.map((row) => row.id);
}

/** Marks a removal as being restored, so that nobody begins it twice. */
export async function markRestoring(tx: TenantTx, workspaceId: number, removalId: number): Promise<void> {
  await sql`update removals set restored_at = now() where workspace_id = ${workspaceId} and id = ${removalId}`.execute(
    tx,
  );
}

/** Lets what is left of a removal be restored later, after restoring was broken off. */
export async function unmarkRestoring(tx: TenantTx, workspaceId: number, removalId: number): Promise<void> {
  await sql`
    update removals m set restored_at = null
    where m.workspace_id = ${workspaceId} and m.id = ${removalId} and exists (
      select from removed_contacts r where r.workspace_id = m.workspace_id and r.removal_id = m.id
    )`.execute(tx);
}

/**
 * Search text for those of a removal's contacts that came back. Most still stand in the block they were first written to; a
 * second one would have every search look twice and every estimate count twice. An id is given out once, so a contact with
 * the id of one in the bin is the one that has just come back.
 */
async function makeSearchable(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  range: IdRange,
): Promise<void> {
  const standsIn = (table: string) => sql`exists (
    select from (
      select * from ${sql.table(table)} x
      where x.workspace_id = ${workspaceId} and x.first_id between c.id / ${perBlock} * ${perBlock} and (c.id / ${perBlock} + 1) * ${perBlock} - 1
      order by x.first_id limit 1000
    ) block
    where c.id between block.first_id and block.last_id and strpos(block.addresses, c.local || '@' || c.domain) > 0
  )`;
  await sql`
    insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
    select ${workspaceId}, min(c.id), max(c.id), string_agg(c.local || '@' || c.domain, E'\n')
    from removed_contacts r cross join lateral (${contactOf(workspaceId)}) c
    where r.workspace_id = ${workspaceId} and r.removal_id = ${removalId} and ${isWithin(range)}
      and not ${standsIn('contact_search')} and not ${standsIn('contact_search_recent')}
    group by c.id / ${perBlock}`.execute(tx);
}

/** How many contacts are in the bin that can no longer be restored. */
export async function countExpired(tx: TenantTx, workspaceId: number, binDays: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from removals m join removed_contacts r on r.workspace_id = m.workspace_id and r.removal_id = m.id
    where m.workspace_id = ${workspaceId} and m.created_at < now() - make_interval(days => ${binDays}::int)`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

/** Takes up to so many contacts for good out of removals that can no longer be restored; answers how many there were. */
export async function purgePieceOfBin(
  tx: TenantTx,
  workspaceId: number,
  binDays: number,
  limit: number,
): Promise<number> {
  const gone = await sql`
    delete from removed_contacts where ctid = any(array(
      select r.ctid from removals m
      cross join lateral (
        select x.ctid from removed_contacts x where x.workspace_id = ${workspaceId} and x.removal_id = m.id
        order by x.id limit ${limit}
      ) r
      where m.workspace_id = ${workspaceId} and m.created_at < now() - make_interval(days => ${binDays}::int)
      limit ${limit}
    ))`.execute(tx);
  return Number(gone.numAffectedRows ?? 0);
}
