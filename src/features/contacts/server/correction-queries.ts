import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import { lockRemovals } from './removal-queries.ts';
import { applyDomainDeltas, lockDomains } from './rollup-queries.ts';
import { forgetVerdicts } from './verdict-queries.ts';

/**
 * Changing contacts' addresses, as a set. The locks are taken in the one order there is: removals, rows of `contacts`,
 * verdicts, rollups. The rollups' lock is exclusive, because whoever changes addresses carries suppressions over afterwards.
 */
type Fragment = RawBuilder<unknown>;

/** How long a change waits for another transaction, such as an import, that is adding the same address. */
const patience = sql.raw(`'10s'`);

/**
 * Gives contacts new addresses and answers how many it did, and under which number that can be undone. `wanted` yields
 * (contact_id, to_local, to_domain). A contact whose new address another one has is left as it is, and so is a further copy.
 * A unique violation (23505) means that the address was added at this moment. At most once a transaction.
 */
export async function moveAddresses(
  tx: TenantTx,
  workspaceId: number,
  wanted: Fragment,
  correctedBy: string,
): Promise<{ id: number; contacts: number } | null> {
  await lockRemovals(tx, workspaceId);
  await sql`set local lock_timeout = ${patience}`.execute(tx);
  const { rows } = await sql<{ id: number }>`
    insert into corrections (workspace_id, corrected_by) values (${workspaceId}, ${correctedBy}) returning id`.execute(
    tx,
  );
  const id = rows[0]?.id as number;
  const noted = await sql`
    insert into corrected_contacts
      (workspace_id, correction_id, contact_id, old_local, old_domain, old_address, old_state, new_local, new_domain)
    select distinct on (w.to_domain, w.to_local)
      ${workspaceId}::bigint, ${id}::bigint, c.id, c.local, c.domain, c.address, c.state, w.to_local, w.to_domain
    from (${wanted}) w join contacts c on c.workspace_id = ${workspaceId} and c.id = w.contact_id
    where c.state <> 2 and not exists (
      select from contacts o where o.workspace_id = ${workspaceId} and o.domain = w.to_domain and o.local = w.to_local
        and o.state <> 2
    )
    order by w.to_domain, w.to_local, c.id`.execute(tx);
  const contacts = Number(noted.numAffectedRows ?? 0);
  if (contacts === 0) {
    await sql`delete from corrections where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
    await sql`set local lock_timeout = 0`.execute(tx);
    return null;
  }
  await sql`
    update contacts c set local = k.new_local, domain = k.new_domain, address = null, state = 0, changed_at = now()
    from corrected_contacts k
    where k.workspace_id = ${workspaceId} and k.correction_id = ${id}
      and c.workspace_id = k.workspace_id and c.id = k.contact_id`.execute(tx);
  await sql`set local lock_timeout = 0`.execute(tx);
  await sql`update corrections set contacts = ${contacts} where workspace_id = ${workspaceId} and id = ${id}`.execute(
    tx,
  );
  await makeFindable(tx, workspaceId, id, sql`true`);
  await forgetVerdicts(
    tx,
    workspaceId,
    sql`select k.contact_id as id, k.old_local as local, k.old_domain as domain from corrected_contacts k
        where k.workspace_id = ${workspaceId} and k.correction_id = ${id}`,
  );
  await lockDomains(tx, workspaceId, 'exclusive');
  await applyDomainDeltas(tx, workspaceId, deltaOf(workspaceId, id, 1, sql`true`));
  return { id, contacts };
}

/** What a correction takes from the old domains and adds to the new ones (sign 1), or the reverse. `k` is the contact's line. */
function deltaOf(workspaceId: number, id: number, sign: 1 | -1, only: Fragment): Fragment {
  const line = sql`corrected_contacts k`;
  const chosen = sql`k.workspace_id = ${workspaceId} and k.correction_id = ${id} and ${only}`;
  const count = (by: number, when: Fragment) => sql`${by}::int * count(*) filter (where ${when})`;
  const isListed = sql`s.id is not null`;
  return sql`
    select k.old_domain as domain, ${count(-sign, sql`k.old_state = 0`)} as valid,
           ${count(-sign, sql`k.old_state = 1`)} as invalid, 0 as duplicate,
           ${count(-sign, sql`k.old_state = 0 and ${isListed}`)} as valid_suppressed,
           ${count(-sign, sql`k.old_state = 1 and ${isListed}`)} as invalid_suppressed, 0 as duplicate_suppressed
    from ${line} left join suppressions s
      on s.workspace_id = k.workspace_id and s.domain = k.old_domain and s.local = k.old_local
    where ${chosen} group by k.old_domain
    union all
    select k.new_domain, ${count(sign, sql`true`)}, 0, 0, ${count(sign, isListed)}, 0, 0
    from ${line} left join suppressions s
      on s.workspace_id = k.workspace_id and s.domain = k.new_domain and s.local = k.new_local
    where ${chosen} group by k.new_domain`;
}

/** Search text for contacts under the address they have now; blocks with the old one are hints that lead to nothing. */
async function makeFindable(tx: TenantTx, workspaceId: number, id: number, only: Fragment): Promise<void> {
  await sql`
    insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
    select ${workspaceId}::bigint, min(c.id), max(c.id), string_agg(c.local || '@' || c.domain, E'\n')
    from corrected_contacts k join contacts c on c.workspace_id = k.workspace_id and c.id = k.contact_id
    where k.workspace_id = ${workspaceId} and k.correction_id = ${id} and ${only}
    group by c.id / 64`.execute(tx);
}

/** The addresses that a correction moved, as a fragment of (from_local, from_domain, to_local, to_domain). */
export const movedAddresses = (workspaceId: number, id: number): Fragment => sql`
  select k.old_local as from_local, k.old_domain as from_domain, k.new_local as to_local, k.new_domain as to_domain
  from corrected_contacts k where k.workspace_id = ${workspaceId} and k.correction_id = ${id}`;

/** The contacts of a correction, by id. */
export async function selectCorrectedIds(tx: TenantTx, workspaceId: number, id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select contact_id as id from corrected_contacts
    where workspace_id = ${workspaceId} and correction_id = ${id} order by contact_id`.execute(tx);
  return rows.map((row) => row.id);
}

/** The correction, held until the transaction ends; none when the workspace has none with this id. */
export async function lockCorrection(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<{ contacts: number; undoneAt: Date | null } | undefined> {
  const { rows } = await sql<{ contacts: number; undoneAt: Date | null }>`
    select contacts, undone_at as "undoneAt" from corrections
    where workspace_id = ${workspaceId} and id = ${id} for update`.execute(tx);
  return rows[0];
}

/**
 * Puts the old addresses back and answers how many; leaves out contacts that were removed or changed since, and those whose old
 * address another contact has by now. At most once a transaction.
 */
export async function moveAddressesBack(tx: TenantTx, workspaceId: number, id: number): Promise<number> {
  await lockRemovals(tx, workspaceId);
  await sql`set local lock_timeout = ${patience}`.execute(tx);
  const back = await sql`
    update contacts c
    set local = k.old_local, domain = k.old_domain, address = k.old_address, state = k.old_state, changed_at = now()
    from corrected_contacts k
    where k.workspace_id = ${workspaceId} and k.correction_id = ${id}
      and c.workspace_id = k.workspace_id and c.id = k.contact_id
      and c.domain = k.new_domain and c.local = k.new_local
      and not exists (
        select from contacts o where o.workspace_id = ${workspaceId} and o.domain = k.old_domain and o.local = k.old_local
          and o.state <> 2
      )`.execute(tx);
  await sql`set local lock_timeout = 0`.execute(tx);
  const restored = Number(back.numAffectedRows ?? 0);
  const isBack = sql`exists (
    select from contacts c where c.workspace_id = k.workspace_id and c.id = k.contact_id
      and c.domain = k.old_domain and c.local = k.old_local
  )`;
  if (restored > 0) {
    await makeFindable(tx, workspaceId, id, sql`c.domain = k.old_domain and c.local = k.old_local`);
    await forgetVerdicts(
      tx,
      workspaceId,
      sql`select k.contact_id as id, k.new_local as local, k.new_domain as domain from corrected_contacts k
          where k.workspace_id = ${workspaceId} and k.correction_id = ${id} and ${isBack}`,
    );
    await lockDomains(tx, workspaceId, 'exclusive');
    await applyDomainDeltas(tx, workspaceId, deltaOf(workspaceId, id, -1, isBack));
  }
  await sql`update corrections set undone_at = now() where workspace_id = ${workspaceId} and id = ${id}`.execute(
    tx,
  );
  return restored;
}

/** The same the other way round, for those that a correction's undoing brought back. */
export const movedBack = (workspaceId: number, id: number): Fragment => sql`
  select k.new_local as from_local, k.new_domain as from_domain, k.old_local as to_local, k.old_domain as to_domain
  from corrected_contacts k
  join contacts c on c.workspace_id = k.workspace_id and c.id = k.contact_id and c.domain = k.old_domain and c.local = k.old_local
  where k.workspace_id = ${workspaceId} and k.correction_id = ${id}`;
