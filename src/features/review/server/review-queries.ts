import { sql } from 'kysely';
import { mailboxKey } from '#features/addresses/rules.ts';
import type { TenantTx } from '#platform/server/database.ts';
/** What waits for a person's decision. The suggestions for a contact are deleted with it. */

export interface PatternRow {
  from: string;
  to: string;
  contacts: number;
}

/** Patterns of corrections, those with the most contacts first. */
export async function selectPatterns(
  tx: TenantTx,
  workspaceId: number,
  page: { skip: number; take: number },
): Promise<{ rows: PatternRow[]; total: number; contacts: number }> {
  const { rows } = await sql<PatternRow & { total: number; all: number }>`
    with patterns as materialized (
      select from_domain as "from", to_domain as "to", count(*) as contacts from contact_suggestions
      where workspace_id = ${workspaceId} group by from_domain, to_domain
    )
    select p.*, t.total, t."all" from (select count(*) as total, coalesce(sum(contacts), 0)::bigint as "all" from patterns) t
    left join lateral (
      select * from patterns order by contacts desc, "from", "to" offset ${page.skip} limit ${page.take}
    ) p on true`.execute(tx);
  return {
    rows: rows.filter((row) => row.from !== null),
    total: rows[0]?.total ?? 0,
    contacts: rows[0]?.all ?? 0,
  };
}

/** The first few contacts of each of these patterns, before and after. */
export async function selectSamples(
  tx: TenantTx,
  workspaceId: number,
  patterns: readonly PatternRow[],
  each: number,
): Promise<{ from: string; to: string; id: number; before: string; after: string }[]> {
  if (patterns.length === 0) return [];
  const { rows } = await sql<{ from: string; to: string; id: number; before: string; after: string }>`
    select p.from_domain as "from", p.to_domain as "to", one.*
    from unnest(${patterns.map((one) => one.from)}::text[], ${patterns.map((one) => one.to)}::text[])
      as p (from_domain, to_domain)
    cross join lateral (
      select c.id, c.local || '@' || c.domain as before, s.to_local || '@' || s.to_domain as after
      from contact_suggestions s join contacts c on c.workspace_id = s.workspace_id and c.id = s.contact_id
      where s.workspace_id = ${workspaceId} and s.from_domain = p.from_domain and s.to_domain = p.to_domain
      order by s.contact_id limit ${each}
    ) one`.execute(tx);
  return rows;
}

export interface SuggestionRow {
  id: number;
  before: string;
  after: string;
  existingId: number | null;
  isSuppressed: boolean;
}

/** The contacts of a pattern, with what prevents their correction. */
export async function selectPatternContacts(
  tx: TenantTx,
  workspaceId: number,
  pattern: { from: string; to: string },
  page: { skip: number; take: number },
): Promise<{ rows: SuggestionRow[]; total: number }> {
  const { rows } = await sql<SuggestionRow>`
    select c.id, c.local || '@' || c.domain as before, s.to_local || '@' || s.to_domain as after, o.id as "existingId",
      exists (
        select from suppressions x where x.workspace_id = ${workspaceId}
          and ((x.domain = c.domain and x.local = c.local and x.reason <> 'bounced') or (x.domain = s.to_domain and x.local = s.to_local))
      ) or exists (
        select from domain_suppressions d where d.workspace_id = ${workspaceId}
          and (d.domain = any(domain_and_parents(c.domain)) or d.domain = any(domain_and_parents(s.to_domain)))
      ) or exists (select from hashed_suppressions(s.to_local, s.to_domain)) as "isSuppressed"
    from (
      select * from contact_suggestions
      where workspace_id = ${workspaceId} and from_domain = ${pattern.from} and to_domain = ${pattern.to}
      order by contact_id offset ${page.skip} limit ${page.take}
    ) s
    join contacts c on c.workspace_id = s.workspace_id and c.id = s.contact_id
    left join contacts o on o.workspace_id = s.workspace_id and o.domain = s.to_domain and o.local = s.to_local
      and o.state <> 2
    order by c.id`.execute(tx);
  const { rows: counted } = await sql<{ total: number }>`
    select count(*) as total from contact_suggestions
    where workspace_id = ${workspaceId} and from_domain = ${pattern.from} and to_domain = ${pattern.to}`.execute(
    tx,
  );
  return { rows, total: counted[0]?.total ?? 0 };
}

interface PatternKey {
  from: string;
  to: string;
}

type WhichSuggestions =
  | { pattern: PatternKey; piece?: Piece }
  | { patterns: readonly PatternKey[] }
  | { ids: readonly number[] };

/** Contacts after one id, up to and including another. */
export interface Piece {
  after: number;
  last: number;
}

/** The changes that suggestions ask for, as a fragment of (contact_id, to_local, to_domain). */
export const suggestedChanges = (workspaceId: number, which: WhichSuggestions) => sql`
  select s.contact_id, s.to_local, s.to_domain from contact_suggestions s
  where s.workspace_id = ${workspaceId} and ${areAmong(which)}`;

function areAmong(which: WhichSuggestions) {
  if ('ids' in which) return sql`s.contact_id = any(${[...which.ids]}::bigint[])`;
  if ('patterns' in which) {
    const [from, to] = [which.patterns.map((one) => one.from), which.patterns.map((one) => one.to)];
    return sql`(s.from_domain, s.to_domain) in (select * from unnest(${from}::text[], ${to}::text[]))`;
  }
  const { pattern, piece } = which;
  const within = piece ? sql` and s.contact_id > ${piece.after} and s.contact_id <= ${piece.last}` : sql``;
  return sql`s.from_domain = ${pattern.from} and s.to_domain = ${pattern.to}${within}`;
}

/** The next contacts of a pattern: how many, and the last one. */
export async function selectNextPiece(
  tx: TenantTx,
  workspaceId: number,
  pattern: { from: string; to: string },
  { after, limit }: { after: number; limit: number },
): Promise<{ contacts: number; last: number }> {
  const { rows } = await sql<{ contacts: number; last: number }>`
    select count(*) as contacts, coalesce(max(contact_id), 0) as last from (
      select contact_id from contact_suggestions
      where workspace_id = ${workspaceId} and from_domain = ${pattern.from} and to_domain = ${pattern.to}
        and contact_id > ${after}
      order by contact_id limit ${limit}
    ) next`.execute(tx);
  return rows[0] ?? { contacts: 0, last: 0 };
}

/** How many of these suggestions there are. */
export async function countSuggestions(
  tx: TenantTx,
  workspaceId: number,
  which: WhichSuggestions,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (${suggestedChanges(workspaceId, which)}) s`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** How many changes, as from `suggestedChanges`, ask for an address that another contact has. */
export async function countHeld(
  tx: TenantTx,
  workspaceId: number,
  changes: ReturnType<typeof suggestedChanges>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (${changes}) w where exists (
      select from contacts o where o.workspace_id = ${workspaceId} and o.domain = w.to_domain and o.local = w.to_local
        and o.state <> 2 and o.id <> w.contact_id
    )`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Records what a person does not want to be asked about again. */
export async function insertDismissals(
  tx: TenantTx,
  workspaceId: number,
  kind: 'pattern' | 'address' | 'mailbox',
  keys: readonly string[],
  by: string,
): Promise<void> {
  await sql`
    insert into review_dismissals (workspace_id, kind, key, dismissed_by)
    select ${workspaceId}::bigint, ${kind}, key, ${by} from unnest(${[...keys]}::text[]) as g (key) order by key
    on conflict do nothing`.execute(tx);
}

/**
 * Mailboxes shared by several contacts, in alphabetical order, with the ids of their first
 * contacts.
 */
export async function selectSharedMailboxes(
  tx: TenantTx,
  workspaceId: number,
  page: { skip: number; take: number },
  each: number,
): Promise<{ rows: { local: string; domain: string; contacts: number; ids: number[] }[]; total: number }> {
  const { rows } = await sql<{ local: string; domain: string; contacts: number; ids: string[] }>`
    select g.local, g.domain, g.contacts, array(
      select id from (
        (select m.contact_id as id from contact_mailboxes m
         where m.workspace_id = ${workspaceId} and m.domain = g.domain and m.local = g.local
         order by m.contact_id limit ${each})
        union all
        (select c.id from contacts c
         where c.workspace_id = ${workspaceId} and c.domain = g.domain and c.local = g.local and c.state <> 2)
      ) members order by id limit ${each}
    ) as ids
    from (
      select * from shared_mailboxes where workspace_id = ${workspaceId}
      order by domain, local offset ${page.skip} limit ${page.take}
    ) g order by g.domain, g.local`.execute(tx);
  const { rows: counted } = await sql<{ total: number }>`
    select count(*) as total from shared_mailboxes where workspace_id = ${workspaceId}`.execute(tx);
  return { rows: rows.map((row) => ({ ...row, ids: row.ids.map(Number) })), total: counted[0]?.total ?? 0 };
}

type Key = { id: number; local: string; domain: string };

/**
 * Several contacts that are replaced by one, as a fragment of (contact_id, from_local, from_domain,
 * to_local, to_domain, is_same_mailbox).
 */
export const addressPairs = (from: readonly Key[], to: Key) => {
  const mailbox = ({ local, domain }: Key) => mailboxKey(local, domain);
  const areSame = from.map((one) => mailbox(one) === mailbox(to));
  return sql`
    select g.id as contact_id, g.local as from_local, g.domain as from_domain, ${to.local}::text as to_local,
      ${to.domain}::text as to_domain, g.is_same_mailbox
    from unnest(${from.map((one) => one.id)}::bigint[], ${from.map((one) => one.local)}::text[],
      ${from.map((one) => one.domain)}::text[], ${areSame}::boolean[]) as g (id, local, domain, is_same_mailbox)`;
};
