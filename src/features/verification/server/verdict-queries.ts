import { type RawBuilder, sql } from 'kysely';
import type { Judgement } from '#features/addresses/rules/verdict.ts';
import { contactStates } from '#features/contacts/rules.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { takeLock } from '#platform/server/locks.ts';
import { verdictsLock } from './locks.ts';
/**
 * The verdicts on contacts. A contact's row holds the number of a profile (verdict, reasons, risk,
 * kind, UK class). Each profile holds how many contacts have it, so that a filter by verdict gets
 * its total from a few rows.
 *
 * Whoever writes verdicts, removes contacts or changes their addresses holds one advisory lock per
 * workspace until the transaction ends. It is taken after the rows of `contacts` and before the
 * rollup lock. This keeps verdicts from being written for contacts that are being removed, and the
 * profiles' counts need no lock order of their own.
 */

export interface VerdictProfile extends Pick<Judgement, 'verdict' | 'risk' | 'kind' | 'uk'> {
  /** Codes, in alphabetical order. */
  reasons: string[];
}

/**
 * Verdicts on contacts with ids from `firstId` to `lastId`. The columns are PostgreSQL array
 * literals of equal length.
 */
export interface JudgedContacts {
  firstId: number;
  lastId: number;
  ids: string;
  /**
   * hashtext(local@domain) of what was judged. A contact whose address has changed since keeps its
   * verdict.
   */
  keys: string;
  /** Places in `profiles`, from 1. */
  profileOf: string;
  profiles: VerdictProfile[];
  suggestions: { ids: string; fromDomains: string; toDomains: string; toLocals: string };
  mailboxes: { ids: string; locals: string; domains: string };
}

/** A further contact of the same address. It shares no mailbox with that. */
const copy = sql.lit(contactStates.copy);

/** Locks the workspace's verdicts until the transaction ends. */
export const lockVerdicts = (tx: TenantTx, workspaceId: number): Promise<void> =>
  takeLock(tx, verdictsLock, workspaceId);

/** Shows whether a contact's address is still the one that was judged. `c` is the contact. */
export const judgedKey: RawBuilder<unknown> = sql`hashtext(c.local || '@' || c.domain)`;

/** The numbers of these profiles, in their order. New profiles are added. */
async function profileIds(
  tx: TenantTx,
  workspaceId: number,
  profiles: readonly VerdictProfile[],
): Promise<number[]> {
  const given = JSON.stringify(profiles);
  const listed = sql`
    select p.place, p.verdict, array(select jsonb_array_elements_text(p.reasons)) as reasons, p.risk, p.kind, p.uk
    from rows from (jsonb_to_recordset(${given}::jsonb)
      as (verdict text, reasons jsonb, risk smallint, kind text, uk text)) with ordinality
      as p (verdict, reasons, risk, kind, uk, place)`;
  const find = () =>
    sql<{ id: number | null }>`
      select v.id from (${listed}) l left join verdict_profiles v
        on v.workspace_id = ${workspaceId} and v.verdict = l.verdict and v.reasons = l.reasons and v.risk = l.risk
        and v.kind is not distinct from l.kind and v.uk is not distinct from l.uk
      order by l.place`.execute(tx);
  const { rows } = await find();
  if (rows.every((row) => row.id !== null)) return rows.map((row) => row.id as number);
  await sql`
    insert into verdict_profiles (workspace_id, verdict, reasons, risk, kind, uk)
    select ${workspaceId}::bigint, verdict, reasons, risk, kind, uk from (${listed}) l
    on conflict do nothing`.execute(tx);
  return (await find()).rows.map((row) => row.id as number);
}

/**
 * Writes verdicts, the profiles' counts, suggestions and mailboxes. Skips contacts that are gone or
 * have another address by now. `renewTimes` also records that contacts with an unchanged verdict
 * were checked now; a run over all contacts records that once for all of them. Takes the verdict
 * lock. Answers how many of these contacts have a suggestion now.
 *
 * ON CONFLICT is not used, because it would look every row up in the index. Under the lock,
 * whatever is not there is new.
 */
export async function writeVerdicts(
  tx: TenantTx,
  workspaceId: number,
  judged: JudgedContacts,
  options: { renewTimes: boolean },
): Promise<number> {
  await lockVerdicts(tx, workspaceId);
  const numbers = await profileIds(tx, workspaceId, judged.profiles);
  const range = sql`between ${judged.firstId} and ${judged.lastId}`;
  // PostgreSQL expects almost no row to have the judged key, and would compare every contact of the
  // batch with every other.
  await sql`set local enable_nestloop = off`.execute(tx);
  const stillThere = sql`
    select g.id, (${numbers}::int[])[g.profile] as profile_id
    from unnest(${judged.ids}::bigint[], ${judged.keys}::int[], ${judged.profileOf}::int[]) as g (id, key, profile)
    join contacts c on c.workspace_id = ${workspaceId} and c.id = g.id and c.id ${range} and ${judgedKey} = g.key`;
  await sql`
    with live as materialized (${stillThere}),
    old as materialized (
      select v.contact_id, v.profile_id from contact_verifications v
      where v.workspace_id = ${workspaceId} and v.contact_id ${range}
    ),
    added as (
      insert into contact_verifications (workspace_id, contact_id, profile_id, checked_at)
      select ${workspaceId}::bigint, live.id, live.profile_id, now()
      from live left join old on old.contact_id = live.id where old.contact_id is null
      order by live.id
    ),
    changed as (
      update contact_verifications v set profile_id = live.profile_id, checked_at = now()
      from live join old on old.contact_id = live.id
      where v.workspace_id = ${workspaceId} and v.contact_id = live.id
        and ${options.renewTimes ? sql`true` : sql`old.profile_id <> live.profile_id`}
    ),
    moved as (
      select profile_id, sum(by)::bigint as by from (
        select profile_id, 1 as by from live
        union all
        select old.profile_id, -1 from old join live on live.id = old.contact_id
      ) each_one group by profile_id having sum(by) <> 0
    )
    update verdict_profiles p set contacts = p.contacts + moved.by
    from moved where p.workspace_id = ${workspaceId} and p.id = moved.profile_id`.execute(tx);
  await sql`set local enable_nestloop = on`.execute(tx);
  await replaceSuggestions(tx, workspaceId, judged);
  await replaceMailboxes(tx, workspaceId, judged);
  return countSuggestionsOf(tx, workspaceId, judged);
}

/**
 * How many of the judged contacts have a suggestion: not copies, nor those that a person has
 * dismissed.
 */
async function countSuggestionsOf(
  tx: TenantTx,
  workspaceId: number,
  { firstId, lastId, ids }: JudgedContacts,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from contact_suggestions s
    where s.workspace_id = ${workspaceId} and s.contact_id between ${firstId} and ${lastId}
      and s.contact_id = any(${ids}::bigint[])`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** The contacts of the batch whose address is still the judged one. */
const judgedAndThere = (workspaceId: number, judged: JudgedContacts): RawBuilder<unknown> => sql`
  select g.id from unnest(${judged.ids}::bigint[], ${judged.keys}::int[]) as g (id, key)
  join contacts c on c.workspace_id = ${workspaceId} and c.id = g.id and ${judgedKey} = g.key`;

/** True for what a person does not want to be asked about again. */
const isDismissed = (
  workspaceId: number,
  kind: 'pattern' | 'address' | 'mailbox',
  key: RawBuilder<unknown>,
) => sql`exists (
  select from review_dismissals d where d.workspace_id = ${workspaceId} and d.kind = ${kind} and d.key = ${key}
)`;

/**
 * Updates the suggestions of the judged contacts to match the verdict. Writes only what differs.
 */
async function replaceSuggestions(tx: TenantTx, workspaceId: number, judged: JudgedContacts): Promise<void> {
  const { ids, fromDomains, toDomains, toLocals } = judged.suggestions;
  const given = sql`unnest(${ids}::bigint[], ${fromDomains}::text[], ${toDomains}::text[], ${toLocals}::text[])
    as g (id, from_domain, to_domain, to_local)`;
  await sql`
    delete from contact_suggestions s
    where s.workspace_id = ${workspaceId} and s.contact_id between ${judged.firstId} and ${judged.lastId}
      and s.contact_id in (${judgedAndThere(workspaceId, judged)})
      and not exists (select from ${given} where g.id = s.contact_id and g.from_domain = s.from_domain
        and g.to_domain = s.to_domain and g.to_local = s.to_local)`.execute(tx);
  if (ids === '{}') return;
  await sql`
    insert into contact_suggestions (workspace_id, contact_id, from_domain, to_domain, to_local)
    select ${workspaceId}::bigint, g.id, g.from_domain, g.to_domain, g.to_local
    from ${given} join contacts c on c.workspace_id = ${workspaceId} and c.id = g.id
    where g.id in (${judgedAndThere(workspaceId, judged)})
      and not ${isDismissed(workspaceId, 'pattern', sql`g.from_domain || ' ' || g.to_domain`)}
      and not ${isDismissed(workspaceId, 'address', sql`c.local || '@' || c.domain`)}
    on conflict do nothing`.execute(tx);
}

/** The same for the mailboxes. */
async function replaceMailboxes(tx: TenantTx, workspaceId: number, judged: JudgedContacts): Promise<void> {
  const { ids, locals, domains } = judged.mailboxes;
  const given = sql`unnest(${ids}::bigint[], ${locals}::text[], ${domains}::text[]) as g (id, local, domain)`;
  await sql`
    delete from contact_mailboxes m
    where m.workspace_id = ${workspaceId} and m.contact_id between ${judged.firstId} and ${judged.lastId}
      and m.contact_id in (${judgedAndThere(workspaceId, judged)})
      and not exists (select from ${given} where g.id = m.contact_id and g.domain = m.domain and g.local = m.local)`.execute(
    tx,
  );
  if (ids === '{}') return;
  await sql`
    insert into contact_mailboxes (workspace_id, contact_id, local, domain)
    select ${workspaceId}::bigint, g.id, g.local, g.domain from ${given}
    where g.id in (${judgedAndThere(workspaceId, judged)})
    on conflict do nothing`.execute(tx);
}

/**
 * Whether contacts of the workspace are judged: some are now, or were before the last of them went
 * into the bin.
 */
export async function wereVerified(tx: TenantTx, workspaceId: number): Promise<boolean> {
  if (await hasVerdicts(tx, workspaceId)) return true;
  const { rows } = await sql<{ any: boolean }>`
    select exists (
      select from verification_runs where workspace_id = ${workspaceId} and finished_at is not null
    ) as any`.execute(tx);
  return rows[0]?.any ?? false;
}

/** Whether any contact of the workspace has a verdict. */
async function hasVerdicts(tx: TenantTx, workspaceId: number): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from contact_verifications where workspace_id = ${workspaceId}) as any`.execute(tx);
  return rows[0]?.any ?? false;
}

/**
 * Forgets all verdicts on the contacts in `gone` (a fragment that yields id, local, domain, state),
 * because they were removed or have another address. Takes the verdict lock.
 */
export async function forgetVerdicts(
  tx: TenantTx,
  workspaceId: number,
  gone: RawBuilder<unknown>,
): Promise<void> {
  await lockVerdicts(tx, workspaceId);
  if (!(await hasVerdicts(tx, workspaceId))) return;
  // The ids are an array, not a join: with old statistics the planner would read the whole
  // workspace again for each contact.
  const goneIds = sql`array(select g.id from (${gone}) g)`;
  await sql`
    with gone as (
      delete from contact_verifications v
      where v.workspace_id = ${workspaceId} and v.contact_id = any(${goneIds})
      returning v.profile_id
    )
    update verdict_profiles p set contacts = p.contacts - fewer.contacts
    from (select profile_id, count(*) as contacts from gone group by profile_id) fewer
    where p.workspace_id = ${workspaceId} and p.id = fewer.profile_id`.execute(tx);
  await sql`
    delete from contact_suggestions s
    where s.workspace_id = ${workspaceId} and s.contact_id = any(${goneIds})`.execute(tx);
  // Counted anew, not less: those that have come since the last run were never counted.
  const { rows: touched } = await sql<{ domain: string; local: string }>`
    with left_mailboxes as (
      delete from contact_mailboxes m
      where m.workspace_id = ${workspaceId} and m.contact_id = any(${goneIds})
      returning m.domain, m.local, m.contact_id
    )
    select s.domain, s.local from shared_mailboxes s
    where s.workspace_id = ${workspaceId} and (s.domain, s.local) in (
      select domain, local from left_mailboxes
      union all
      select g.domain, g.local from (${gone}) g
      where g.state <> ${copy} and g.id not in (select contact_id from left_mailboxes)
    )`.execute(tx);
  if (touched.length === 0) return;
  const column = (name: 'domain' | 'local') => sql`${touched.map((mailbox) => mailbox[name])}::text[]`;
  await gatherAt(tx, workspaceId, sql`select * from unnest(${column('domain')}, ${column('local')})`);
}

/**
 * Gathers the mailboxes that two or more contacts share, and answers how many there are. Two
 * different addresses share a mailbox only if at least one of them spells it differently, so only
 * those need looking at.
 */
export async function gatherSharedMailboxes(tx: TenantTx, workspaceId: number): Promise<number> {
  await lockVerdicts(tx, workspaceId);
  await gatherAmong(
    tx,
    workspaceId,
    sql`
      select m.domain, m.local, count(*) as contacts from contact_mailboxes m
      where m.workspace_id = ${workspaceId} group by m.domain, m.local`,
    sql`true`,
  );
  const { rows } = await sql<{ count: number }>`
    select count(*) from shared_mailboxes where workspace_id = ${workspaceId}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** The same for the mailboxes of a few contacts, however many others the workspace has. */
export async function gatherSharedMailboxesOf(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<void> {
  await lockVerdicts(tx, workspaceId);
  const those = sql`any(${[...ids]}::bigint[])`;
  const mailboxes = sql`
    select m.domain, m.local from contact_mailboxes m
    where m.workspace_id = ${workspaceId} and m.contact_id = ${those}
    union
    select c.domain, c.local from contacts c where c.workspace_id = ${workspaceId} and c.id = ${those}`;
  await gatherAt(tx, workspaceId, mailboxes);
}

/** Gathers these mailboxes alone. `mailboxes` yields (domain, local). */
const gatherAt = (tx: TenantTx, workspaceId: number, mailboxes: RawBuilder<unknown>): Promise<void> =>
  gatherAmong(
    tx,
    workspaceId,
    sql`
      select k.domain, k.local, n.contacts from (${mailboxes}) k (domain, local) cross join lateral (
        select count(*) as contacts from contact_mailboxes m
        where m.workspace_id = ${workspaceId} and m.domain = k.domain and m.local = k.local
      ) n
      where n.contacts > 0`,
    sql`(o.domain, o.local) in (${mailboxes})`,
  );

/**
 * `spelled` yields mailboxes (domain, local) with how many contacts spell each differently;
 * `isAmong` says which of the shared mailboxes `o` these are.
 */
async function gatherAmong(
  tx: TenantTx,
  workspaceId: number,
  spelled: RawBuilder<unknown>,
  isAmong: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with spelled as materialized (${spelled}),
    shared as materialized (
      select s.domain, s.local, s.contacts + (c.id is not null)::int as contacts
      from spelled s left join contacts c
        on c.workspace_id = ${workspaceId} and c.domain = s.domain and c.local = s.local and c.state <> ${copy}
      where s.contacts + (c.id is not null)::int > 1
        and not ${isDismissed(workspaceId, 'mailbox', sql`s.local || '@' || s.domain`)}
    ),
    gone as (
      delete from shared_mailboxes o
      where o.workspace_id = ${workspaceId} and ${isAmong}
        and not exists (select from shared s where s.domain = o.domain and s.local = o.local)
    )
    insert into shared_mailboxes as o (workspace_id, domain, local, contacts)
    select ${workspaceId}::bigint, domain, local, contacts from shared
    on conflict (workspace_id, domain, local) do update set contacts = excluded.contacts
    where o.contacts <> excluded.contacts`.execute(tx);
}

/**
 * Removes suggestions: those of a pattern, or of certain contacts. Answers the addresses of the
 * contacts.
 */
export async function dropSuggestions(
  tx: TenantTx,
  workspaceId: number,
  which: { pattern: { from: string; to: string } } | { ids: readonly number[] },
): Promise<string[]> {
  await lockVerdicts(tx, workspaceId);
  const chosen =
    'pattern' in which
      ? sql`s.from_domain = ${which.pattern.from} and s.to_domain = ${which.pattern.to}`
      : sql`s.contact_id = any(${[...which.ids]}::bigint[])`;
  const { rows } = await sql<{ address: string }>`
    delete from contact_suggestions s using contacts c
    where s.workspace_id = ${workspaceId} and ${chosen} and c.workspace_id = s.workspace_id and c.id = s.contact_id
    returning c.local || '@' || c.domain as address`.execute(tx);
  return rows.map((row) => row.address);
}

/** Removes a mailbox from the list of shared ones. Answers whether it was there. */
export async function dropSharedMailbox(
  tx: TenantTx,
  workspaceId: number,
  mailbox: { local: string; domain: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from shared_mailboxes
    where workspace_id = ${workspaceId} and domain = ${mailbox.domain} and local = ${mailbox.local}`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0) > 0;
}

/**
 * How much waits for a person's decision: suggestions, and mailboxes shared by several contacts.
 */
export async function countWaiting(
  tx: TenantTx,
  workspaceId: number,
): Promise<{ suggestions: number; sharedMailboxes: number }> {
  const { rows } = await sql<{ suggestions: number; sharedMailboxes: number }>`
    select (select count(*) from contact_suggestions where workspace_id = ${workspaceId}) as suggestions,
           (select count(*) from shared_mailboxes where workspace_id = ${workspaceId}) as "sharedMailboxes"`.execute(
    tx,
  );
  return rows[0] ?? { suggestions: 0, sharedMailboxes: 0 };
}
