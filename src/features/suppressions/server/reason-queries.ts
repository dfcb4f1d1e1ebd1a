import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { SuppressionReason } from '../contract.ts';
import type { ReasonSample } from '../rules/suppressed-by.ts';
import { countEntries, countsGiven } from './queries.ts';

/** Who gives a reason: the owner of the address, who may take it back, or anybody else. */
type Giver = 'owner' | 'others';

/**
 * True for an entry that its owner alone has made, by leaving. Only such an entry is ever asked
 * whether others have reasons too, so no other is written to say so, however often it is given.
 */
export const isOwnersAlone = (entry: 't' | 's' | 'l'): Fragment => {
  const e = sql.raw(entry);
  return sql`(${e}.reason = 'unsubscribed' and ${e}.created_by is null and ${e}.batch_id is null
    and not ${e}.by_others)`;
};

/**
 * The CTE `raised` (was, now), with those around it: entries that are there already and say more
 * once their address has given what `given` yields, as (local, domain, reason, note). The rule is
 * the database's `entry_given`. It is asked in the `where`, so that it sees what others have just
 * changed in an entry that was waited for. An entry that says no more remembers that others have
 * reasons, and is not in `raised`: its reason and the figures stay.
 */
export const raising = (workspaceId: number, given: Fragment, giver: Giver = 'others'): Fragment => sql`
  given as materialized (
    select local, domain, bool_or(reason = 'bounced') as bounced,
      (array_agg(reason order by reason_weight(reason) desc, reason, note))[1] as reason,
      (array_agg(note order by reason_weight(reason) desc, reason, note))[1] as note,
      (array_agg(note order by note) filter (where reason = 'bounced'))[1] as bounced_note
    from (${given}) each_given group by local, domain
  ), raised as (
    update suppressions t
    set (reason, refuses_all, note, by_others) = (
      select n.next_reason, n.next_refuses_all, n.next_note, t.by_others or reason_weight(t.reason) = 0
      from entry_given(t.reason, t.refuses_all, t.note, g.reason, g.note, g.bounced, g.bounced_note) n)
    from given g
    where t.workspace_id = ${workspaceId} and t.domain = g.domain and t.local = g.local and ${saysMore}
    returning old.reason as was, new.reason as now
  )${giver === 'owner' ? sql`` : sql`, ${marked(workspaceId)}`}`;

/** Whether the entry `t` says more once it is given `g`. */
const saysMore: Fragment = sql`(t.reason, t.refuses_all) <> (
  select n.next_reason, n.next_refuses_all
  from entry_given(t.reason, t.refuses_all, null, g.reason, null, g.bounced, null) n)`;

const marked = (workspaceId: number): Fragment => sql`
  marked as (
    update suppressions t set by_others = true from given g
    where t.workspace_id = ${workspaceId} and t.domain = g.domain and t.local = g.local
      and ${isOwnersAlone('t')} and not (${saysMore})
  )`;

/**
 * Entries that are there by their owner's wish alone remember that others have reasons for these
 * addresses too. `addresses` yields (local, domain).
 */
export async function markByOthers(tx: TenantTx, workspaceId: number, addresses: Fragment): Promise<void> {
  await sql`
    update suppressions t set by_others = true from (${addresses}) a
    where t.workspace_id = ${workspaceId} and t.domain = a.domain and t.local = a.local
      and ${isOwnersAlone('t')}`.execute(tx);
}

/** SQL that yields (part, change) for the entries of `raised`, several rows for a reason. */
export const changesOfRaised: Fragment = sql`
  select was as part, -1 as change from raised union all select now, 1 from raised`;

/**
 * Gives entries that are there already what `given` yields for their address, as (local, domain,
 * reason, note). Each keeps the weightiest reason. Returns what changed in the lengths of the list
 * by reason, 0 for a reason whose entries only say more; the caller counts it.
 */
export async function raiseReasons(
  tx: TenantTx,
  workspaceId: number,
  given: Fragment,
  giver?: Giver,
): Promise<{ part: string; entries: number }[]> {
  const { rows } = await sql<{ part: string; entries: number }>`
    with ${raising(workspaceId, given, giver)}
    select part, sum(change)::int as entries from (${changesOfRaised}) changes
    group by part order by part`.execute(tx);
  return rows;
}

/** `raiseReasons`, counted at once. Returns whether an entry says more than before. */
export async function giveReasons(
  tx: TenantTx,
  workspaceId: number,
  given: Fragment,
  giver?: Giver,
): Promise<boolean> {
  const changes = await raiseReasons(tx, workspaceId, given, giver);
  const moved = changes.filter(({ entries }) => entries !== 0);
  await countEntries(tx, workspaceId, 'email', countsGiven(moved));
  return changes.length > 0;
}

/** Contacts by the reason of their entry. */
type ByReason = Partial<Record<SuppressionReason, number>>;

const byReason = (rows: readonly { reason: SuppressionReason; contacts: number }[]): ByReason =>
  Object.fromEntries(rows.map(({ reason, contacts }) => [reason, contacts]));

/** The contacts of the entry `s`. Copies have their own index. */
const contactsOfEntry = (workspaceId: number, matching: Fragment): Fragment => {
  const among = (state: Fragment) => sql`
    select c.id from contacts c
    left join contact_domains b on b.workspace_id = c.workspace_id and b.domain = c.domain and b.blocked
    where c.workspace_id = ${workspaceId} and c.domain = s.domain and c.local = s.local and ${state}
      and ${matching}`;
  return sql`${among(sql`c.state <> 2`)} union all ${among(sql`c.state = 2`)}`;
};

/** Reads every entry. `matching` is about the contact `c` and its suppression `s` and `b`. */
export async function countByEntries(
  tx: TenantTx,
  workspaceId: number,
  matching: Fragment,
): Promise<ByReason> {
  const { rows } = await sql<{ reason: SuppressionReason; contacts: number }>`
    select s.reason, count(*) as contacts
    from suppressions s cross join lateral (${contactsOfEntry(workspaceId, matching)} offset 0) found
    where s.workspace_id = ${workspaceId} group by s.reason`.execute(tx);
  return byReason(rows);
}

/** Reads every contact. `contacts` yields their ids. */
export async function countByContacts(
  tx: TenantTx,
  workspaceId: number,
  contacts: Fragment,
): Promise<ByReason> {
  const { rows } = await sql<{ reason: SuppressionReason; contacts: number }>`
    with meant as materialized (${contacts})
    select s.reason, count(*) as contacts
    from meant
    join contacts c on c.workspace_id = ${workspaceId} and c.id = meant.id
    join suppressions s on s.workspace_id = ${workspaceId} and s.domain = c.domain and s.local = c.local
    group by s.reason`.execute(tx);
  return byReason(rows);
}

/** Looks at so many entries of a reason, evenly over the time in which they came. */
export async function sampleReason(
  tx: TenantTx,
  workspaceId: number,
  { reason, looks, matching }: { reason: SuppressionReason; looks: number; matching: Fragment },
): Promise<Pick<ReasonSample, 'looked' | 'contacts'>> {
  const ofReason = sql`s.workspace_id = ${workspaceId} and s.reason = ${reason}`;
  // A range, so that the index of the reasons leads to the end: by id alone, all others are passed.
  const end = (order: 'asc' | 'desc') => sql`(
    select s.id from suppressions s
    where s.workspace_id = ${workspaceId} and s.reason between ${reason} and ${reason}
    order by s.reason ${sql.raw(order)}, s.id ${sql.raw(order)} limit 1)`;
  const { rows } = await sql<{ looked: number; contacts: number }>`
    with ends as (select ${end('asc')} as first, ${end('desc')} as last),
    places as (
      select first + (last - first) * n / ${looks}::int as place from ends, generate_series(0, ${looks}::int - 1) n
    )
    select count(distinct s.id) as looked, count(found.id) as contacts
    from (
      select distinct e.id, e.local, e.domain
      from places cross join lateral (
        select s.id, s.local, s.domain from suppressions s
        where ${ofReason} and s.id >= place order by s.id limit 1
      ) e
    ) s
    left join lateral (${contactsOfEntry(workspaceId, matching)} offset 0) found on true`.execute(tx);
  return rows[0] ?? { looked: 0, contacts: 0 };
}
