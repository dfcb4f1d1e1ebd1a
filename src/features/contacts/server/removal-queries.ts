import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { Fragment } from './filter-queries.ts';
import { applyDomainDeltas, lockDomains } from './rollup-queries.ts';
import { forgetVerdicts } from './verdict-queries.ts';

export type RemovalKind = 'delete' | 'clean' | 'undo_import' | 'merge';

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

/**
 * Moves the contacts `c` for which `chosen` is true to the bin as one removal, with the rollups. Answers the removal, or null
 * when nothing was there to remove. One statement for the contacts, however many. At most once a transaction.
 */
export async function moveToBin(
  tx: TenantTx,
  workspaceId: number,
  chosen: Fragment,
  removal: NewRemoval,
): Promise<{ id: number; contacts: number } | null> {
  await lockRemovals(tx, workspaceId);
  const { rows } = await sql<{ id: number }>`
    insert into removals (workspace_id, kind, import_id, removed_by)
    values (${workspaceId}, ${removal.kind}, ${removal.importId ?? null}, ${removal.removedBy})
    returning id`.execute(tx);
  const id = rows[0]?.id as number;
  const moved = await sql`
    with gone as (
      delete from contacts c where c.workspace_id = ${workspaceId} and (${chosen}) returning ${contactColumns}
    )
    insert into removed_contacts (workspace_id, removal_id, ${contactColumns})
    select ${workspaceId}, ${id}::bigint, ${contactColumns} from gone`.execute(tx);
  const contacts = Number(moved.numAffectedRows ?? 0);
  if (contacts === 0) {
    await sql`delete from removals where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
    return null;
  }
  await sql`update removals set contacts = ${contacts} where workspace_id = ${workspaceId} and id = ${id}`.execute(
    tx,
  );
  await forgetVerdicts(
    tx,
    workspaceId,
    sql`select r.id, r.local, r.domain from removed_contacts r
        where r.workspace_id = ${workspaceId} and r.removal_id = ${id}`,
  );
  await lockDomains(tx, workspaceId, 'shared');
  await applyDomainDeltas(tx, workspaceId, deltaOf(workspaceId, id, -1));
  if (contacts >= largeRemoval) await dropEmptyBlocks(tx, workspaceId, id);
  return { id, contacts };
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
    left join suppressions s on s.workspace_id = r.workspace_id and s.domain = r.domain and s.local = r.local
    where r.workspace_id = ${workspaceId} and r.removal_id = ${removalId} and ${only}
    group by r.domain`;
}

/** From this many contacts on, a removal also looks for search text that has nothing left to point at. */
const largeRemoval = 1000;

/**
 * Search blocks are hints and may name contacts that are gone; those that name nothing else are only in the way. The inner
 * limits change nothing: they keep the planner, who cannot know how many ids lie between two others, to the indexes.
 */
async function dropEmptyBlocks(tx: TenantTx, workspaceId: number, removalId: number): Promise<void> {
  for (const table of ['contact_search', 'contact_search_recent']) {
    await sql`
      with touched as materialized (
        select distinct id / 64 as part from removed_contacts
        where workspace_id = ${workspaceId} and removal_id = ${removalId}
      )
      delete from ${sql.table(table)} where ctid = any(array(
        select b.ctid from touched cross join lateral (
          select x.ctid, x.first_id, x.last_id from ${sql.table(table)} x
          where x.workspace_id = ${workspaceId} and x.first_id between part * 64 and part * 64 + 63
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
  restoredAt: Date | null;
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
    select kind, contacts, restored_at as "restoredAt", created_at < now() - make_interval(days => ${binDays}::int) as "isExpired"
    from removals where workspace_id = ${workspaceId} and id = ${id} for update`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Puts a removal's contacts back under their old ids, with search text and rollups, empties that part of the bin and
 * answers how many came back. An address that exists again stays as it is. In the order of the identity key, like
 * everything that adds contacts, so that two that add the same ones do not wait in a circle.
 */
export async function takeFromBin(tx: TenantTx, workspaceId: number, removalId: number): Promise<number> {
  await lockRemovals(tx, workspaceId);
  const back = await sql`
    insert into contacts (workspace_id, ${contactColumns}) overriding system value
    select workspace_id, ${contactColumns} from removed_contacts
    where workspace_id = ${workspaceId} and removal_id = ${removalId}
    order by domain, local
    on conflict (workspace_id, domain, local) where state <> 2 do nothing`.execute(tx);
  const restored = Number(back.numAffectedRows ?? 0);
  if (restored > 0) {
    await makeSearchable(tx, workspaceId, removalId);
    await lockDomains(tx, workspaceId, 'shared');
    const cameBack = sql`exists (select from contacts c where c.workspace_id = r.workspace_id and c.id = r.id)`;
    await applyDomainDeltas(tx, workspaceId, deltaOf(workspaceId, removalId, 1, cameBack));
  }
  await sql`
    delete from removed_contacts where workspace_id = ${workspaceId} and removal_id = ${removalId}`.execute(
    tx,
  );
  await sql`
    update removals set restored_at = now() where workspace_id = ${workspaceId} and id = ${removalId}`.execute(
    tx,
  );
  return restored;
}

/**
 * Search text for those of a removal's contacts that came back. Most still stand in the block they were first written to; a
 * second one would have every search look twice and every estimate count twice. An id is given out once, so a contact with
 * the id of one in the bin is the one that has just come back.
 */
async function makeSearchable(tx: TenantTx, workspaceId: number, removalId: number): Promise<void> {
  const standsIn = (table: string) => sql`exists (
    select from (
      select * from ${sql.table(table)} x
      where x.workspace_id = ${workspaceId} and x.first_id between c.id / 64 * 64 and c.id / 64 * 64 + 63
      order by x.first_id limit 1000
    ) block
    where c.id between block.first_id and block.last_id and strpos(block.addresses, c.local || '@' || c.domain) > 0
  )`;
  await sql`
    insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
    select ${workspaceId}, min(c.id), max(c.id), string_agg(c.local || '@' || c.domain, E'\n')
    from removed_contacts r join contacts c on c.workspace_id = r.workspace_id and c.id = r.id
    where r.workspace_id = ${workspaceId} and r.removal_id = ${removalId}
      and not ${standsIn('contact_search')} and not ${standsIn('contact_search_recent')}
    group by c.id / 64`.execute(tx);
}

/** Empties the bin of removals that can no longer be restored; answers how many contacts went for good. */
export async function purgeBin(tx: TenantTx, workspaceId: number, binDays: number): Promise<number> {
  const expired = sql`
    select id from removals
    where workspace_id = ${workspaceId} and created_at < now() - make_interval(days => ${binDays}::int)`;
  const gone = await sql`
    delete from removed_contacts where workspace_id = ${workspaceId} and removal_id in (${expired})`.execute(
    tx,
  );
  return Number(gone.numAffectedRows ?? 0);
}

/** How many of a removal's contacts the clean counts to each of its reasons, the first that fits. */
export async function countCleaned(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  isInvalid: Fragment,
): Promise<{ duplicates: number; invalid: number; nonUk: number }> {
  const { rows } = await sql<{ duplicates: number; invalid: number; nonUk: number }>`
    with judged as (
      select c.state, ${isInvalid} as is_invalid
      from removed_contacts c where c.workspace_id = ${workspaceId} and c.removal_id = ${removalId}
    )
    select count(*) filter (where state = 2) as duplicates,
           count(*) filter (where state <> 2 and is_invalid) as invalid,
           count(*) filter (where state <> 2 and not is_invalid) as "nonUk"
    from judged`.execute(tx);
  return rows[0] ?? { duplicates: 0, invalid: 0, nonUk: 0 };
}
