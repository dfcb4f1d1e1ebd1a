import { sql } from 'kysely';
import { holdRemovals } from '#features/bin/server/index.ts';
import { makeFindable, readdress } from '#features/contacts/server/index.ts';
import { contactsReaddressed } from '#features/rollups/server/index.ts';
import { forgetVerdicts } from '#features/verification/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { waitAtMost } from '#platform/server/locks.ts';

/**
 * Changes contacts' addresses as a set. Takes the locks in the usual order: removals, rows of
 * `contacts`, verdicts, rollups. The rollup lock is exclusive, because address changes carry
 * suppressions over afterwards.
 */
/**
 * How long a change waits for another transaction, such as an import, that adds the same address.
 */
const patienceMs = 10_000;
const isBeingAdded = 'One of these addresses is being added at this moment. Try again.';

/**
 * Lines of a correction, by contact. A large correction is made and undone in pieces of a few
 * thousand.
 */
export interface CorrectedPart {
  correctionId: number;
  contactIds: readonly number[];
}

/** True for the lines `k` of the part. */
const isOf = (workspaceId: number, { correctionId, contactIds }: CorrectedPart): Fragment => sql`
  k.workspace_id = ${workspaceId} and k.correction_id = ${correctionId} and k.contact_id = any(${[...contactIds]}::bigint[])`;

/** The new addresses of a part, as `readdress` takes them. */
const newAddresses = (workspaceId: number, part: CorrectedPart): Fragment =>
  sql`select k.contact_id as id, k.new_local as local, k.new_domain as domain, null::text as address, 0 as state
      from corrected_contacts k where ${isOf(workspaceId, part)}`;

/**
 * Gives contacts new addresses. Answers which contacts, and the number under which that can be
 * undone. `wanted` yields (contact_id, to_local, to_domain). Skips a contact whose new address
 * already exists, and further copies. `into` is the correction that this piece belongs to. A unique
 * violation (23505) means that the address was added at this moment. At most once per transaction.
 */
export async function moveAddresses(
  tx: TenantTx,
  workspaceId: number,
  wanted: Fragment,
  { by, into }: { by: string; into: number | null },
): Promise<CorrectedPart | null> {
  await holdRemovals(tx, workspaceId);
  const correctionId = into ?? (await openCorrection(tx, workspaceId, by));
  const part = await waitAtMost(tx, patienceMs, isBeingAdded, async () => {
    const noted = await noteChanges(tx, workspaceId, wanted, correctionId);
    if (noted.contactIds.length > 0) await readdress(tx, workspaceId, newAddresses(workspaceId, noted));
    return noted;
  });
  if (part.contactIds.length === 0) {
    if (into === null) await dropCorrection(tx, workspaceId, part.correctionId);
    return null;
  }
  await addToCorrection(tx, workspaceId, part, into === null);
  await makeFindable(tx, workspaceId, idsOf(workspaceId, part));
  await forgetVerdicts(
    tx,
    workspaceId,
    sql`select k.contact_id as id, k.old_local as local, k.old_domain as domain, k.old_state as state
        from corrected_contacts k where ${isOf(workspaceId, part)}`,
  );
  await contactsReaddressed(tx, workspaceId, {
    before: asBefore(workspaceId, part),
    after: asAfter(workspaceId, part),
  });
  return part;
}

/** Opens an empty correction and answers its number. */
async function openCorrection(tx: TenantTx, workspaceId: number, by: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into corrections (workspace_id, corrected_by) values (${workspaceId}, ${by}) returning id`.execute(
    tx,
  );
  return rows[0]?.id as number;
}

/**
 * Adds a part to a correction's count. The correction keeps a pattern only if all its contacts
 * share it. `isFirst` means that nothing was counted before.
 */
async function addToCorrection(
  tx: TenantTx,
  workspaceId: number,
  part: CorrectedPart,
  isFirst: boolean,
): Promise<void> {
  const alike = (before: Fragment, now: Fragment) =>
    isFirst ? now : sql`case when ${before} = ${now} then ${before} end`;
  await sql`
    update corrections c set contacts = c.contacts + ${part.contactIds.length},
      from_domain = ${alike(sql`c.from_domain`, sql`p.from_domain`)},
      to_domain = ${alike(sql`c.to_domain`, sql`p.to_domain`)}
    from (
      select case when min(k.old_domain) = max(k.old_domain) and min(k.new_domain) = max(k.new_domain)
                  then min(k.old_domain) end as from_domain,
             case when min(k.old_domain) = max(k.old_domain) and min(k.new_domain) = max(k.new_domain)
                  then min(k.new_domain) end as to_domain
      from corrected_contacts k where ${isOf(workspaceId, part)}
    ) p
    where c.workspace_id = ${workspaceId} and c.id = ${part.correctionId}`.execute(tx);
}

/** Deletes a correction that has corrected nothing. */
async function dropCorrection(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  await sql`delete from corrections where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Records which contacts will be changed, and what they were. */
async function noteChanges(
  tx: TenantTx,
  workspaceId: number,
  wanted: Fragment,
  correctionId: number,
): Promise<CorrectedPart> {
  const { rows } = await sql<{ id: number }>`
    insert into corrected_contacts
      (workspace_id, correction_id, contact_id, old_local, old_domain, old_address, old_state, new_local, new_domain)
    select distinct on (w.to_domain, w.to_local)
      ${workspaceId}::bigint, ${correctionId}::bigint, c.id, c.local, c.domain, c.address, c.state, w.to_local, w.to_domain
    from (${wanted}) w join contacts c on c.workspace_id = ${workspaceId} and c.id = w.contact_id
    where c.state <> 2 and not exists (
      select from contacts o where o.workspace_id = ${workspaceId} and o.domain = w.to_domain and o.local = w.to_local
        and o.state <> 2
    )
    order by w.to_domain, w.to_local, c.id
    returning contact_id as id`.execute(tx);
  return { correctionId, contactIds: rows.map((row) => row.id) };
}

/** The contacts of a part. */
const idsOf = (workspaceId: number, part: CorrectedPart): Fragment => sql`
  select k.contact_id as id from corrected_contacts k where ${isOf(workspaceId, part)}`;

/** The contacts of a part as they were, for the figures. */
const asBefore = (workspaceId: number, part: CorrectedPart): Fragment => sql`
  select k.old_domain as domain, k.old_local as local, k.old_state as state
  from corrected_contacts k where ${isOf(workspaceId, part)}`;

/** The same under the corrected addresses, which make them valid. */
const asAfter = (workspaceId: number, part: CorrectedPart): Fragment => sql`
  select k.new_domain as domain, k.new_local as local, 0 as state
  from corrected_contacts k where ${isOf(workspaceId, part)}`;

/**
 * The addresses that a correction changed, as a fragment of (contact_id, from_local, from_domain,
 * to_local, to_domain, is_same_mailbox).
 */
export const movedAddresses = (workspaceId: number, part: CorrectedPart): Fragment => sql`
  select k.contact_id, k.old_local as from_local, k.old_domain as from_domain, k.new_local as to_local,
    k.new_domain as to_domain, false as is_same_mailbox
  from corrected_contacts k where ${isOf(workspaceId, part)}`;

/** The same in reverse, for those that undoing the correction brought back. */
export const movedBack = (workspaceId: number, part: CorrectedPart): Fragment => sql`
  select k.contact_id, k.new_local as from_local, k.new_domain as from_domain, k.old_local as to_local,
    k.old_domain as to_domain, false as is_same_mailbox
  from corrected_contacts k where ${isOf(workspaceId, part)}`;

/** The next contacts of a correction, in id order. */
export async function selectCorrected(
  tx: TenantTx,
  workspaceId: number,
  correctionId: number,
  { after, limit }: { after: number; limit: number },
): Promise<CorrectedPart> {
  const { rows } = await sql<{ id: number }>`
    select contact_id as id from corrected_contacts
    where workspace_id = ${workspaceId} and correction_id = ${correctionId} and contact_id > ${after}
    order by contact_id limit ${limit}`.execute(tx);
  return { correctionId, contactIds: rows.map((row) => row.id) };
}

/**
 * The correction, locked until the transaction ends. Undefined when the workspace has none with
 * this id.
 */
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
 * Restores the old addresses of a part. Answers the contacts that got theirs back, and how many did
 * not: they were removed or changed since, or another contact has their old address by now.
 * Contacts that already have it back count as neither. Only the restored are noted as undone: what
 * the others had is still a former address. At most once per transaction.
 */
export async function moveAddressesBack(
  tx: TenantTx,
  workspaceId: number,
  part: CorrectedPart,
): Promise<{ restored: CorrectedPart; leftOut: number }> {
  await holdRemovals(tx, workspaceId);
  const contactIds = await waitAtMost(tx, patienceMs, isBeingAdded, () =>
    readdress(
      tx,
      workspaceId,
      sql`select k.contact_id as id, k.old_local as local, k.old_domain as domain, k.old_address as address,
               k.old_state as state, k.new_local, k.new_domain
        from corrected_contacts k where ${isOf(workspaceId, part)}`,
      sql`c.domain = n.new_domain and c.local = n.new_local and not exists (
      select from contacts o where o.workspace_id = ${workspaceId} and o.domain = n.domain and o.local = n.local
        and o.state <> 2
    )`,
    ),
  );
  const restored = { ...part, contactIds };
  if (contactIds.length > 0) {
    await sql`
      update corrected_contacts k set undone_at = now() where ${isOf(workspaceId, restored)}`.execute(tx);
    await makeFindable(tx, workspaceId, idsOf(workspaceId, restored));
    await forgetVerdicts(
      tx,
      workspaceId,
      sql`select k.contact_id as id, k.new_local as local, k.new_domain as domain, 0 as state
          from corrected_contacts k where ${isOf(workspaceId, restored)}`,
    );
    await contactsReaddressed(tx, workspaceId, {
      before: asAfter(workspaceId, restored),
      after: asBefore(workspaceId, restored),
    });
  }
  const { rows: counted } = await sql<{ count: number }>`
    select count(*) from corrected_contacts k left join contacts c
      on c.workspace_id = k.workspace_id and c.id = k.contact_id and c.domain = k.old_domain and c.local = k.old_local
    where ${isOf(workspaceId, part)} and c.id is null`.execute(tx);
  return { restored, leftOut: counted[0]?.count ?? 0 };
}

/** Marks a correction as undone. */
export async function closeCorrection(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  await sql`update corrections set undone_at = now() where workspace_id = ${workspaceId} and id = ${id}`.execute(
    tx,
  );
}
