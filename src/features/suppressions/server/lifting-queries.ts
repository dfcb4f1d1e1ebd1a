import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { ListName } from './queries.ts';

/** Taking entries off a list, and putting them back. */

export interface LiftingRow {
  id: number;
  list: ListName;
  entries: number;
  undoneAt: Date | null;
  isExpired: boolean;
}

const tableOf = { email: sql.table('suppressions'), domain: sql.table('domain_suppressions') };
const localOf = { email: sql`s.local`, domain: sql`null::text` };

/** True for the entries `s` of a list that are named. */
export const isNamed = (ids: readonly number[]): RawBuilder<unknown> =>
  sql`s.id = any(${[...ids]}::bigint[])`;

/** True for the entries `s` of a list that match; `text` is in lower case, and empty for all. */
export function isMatching(list: ListName, text: string, reason: string | null): RawBuilder<unknown> {
  const content = list === 'email' ? sql`s.local || '@' || s.domain` : sql`s.domain`;
  const tests = [sql`true`];
  if (text !== '') tests.push(sql`strpos(${content}, ${text}) > 0`);
  if (reason !== null) tests.push(sql`s.reason = ${reason}`);
  return sql.join(tests, sql` and `);
}

/** Moves the entries that `where` picks off the list and answers how many; they are kept under the lifting. */
export async function moveOffList(
  tx: TenantTx,
  workspaceId: number,
  list: ListName,
  where: RawBuilder<unknown>,
  lifting: { why: string | null; liftedBy: string },
): Promise<{ id: number; entries: number }> {
  const { rows } = await sql<{ id: number; entries: number }>`
    with lifting as (
      insert into suppression_liftings (workspace_id, list, why, lifted_by)
      values (${workspaceId}, ${list}, ${lifting.why}, ${lifting.liftedBy}) returning id
    ),
    gone as (
      delete from ${tableOf[list]} s where s.workspace_id = ${workspaceId} and ${where}
      returning s.id, ${localOf[list]} as local, s.domain, s.reason, s.note, s.created_by, s.created_at, s.batch_id
    ),
    kept as (
      insert into lifted_suppressions
        (workspace_id, lifting_id, id, local, domain, reason, note, created_by, created_at, batch_id)
      select ${workspaceId}::bigint, lifting.id, gone.* from gone, lifting
    )
    select lifting.id, (select count(*) from gone) as entries from lifting`.execute(tx);
  const moved = rows[0] ?? { id: 0, entries: 0 };
  await sql`
    update suppression_liftings set entries = ${moved.entries}
    where workspace_id = ${workspaceId} and id = ${moved.id}`.execute(tx);
  return moved;
}

/** Forgets a lifting that found nothing. */
export async function dropLifting(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  await sql`delete from suppression_liftings where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** What a lifting took off the list, as (part, entries) with the sign given. */
export const liftedByReason = (workspaceId: number, liftingId: number, sign: 1 | -1): RawBuilder<unknown> =>
  sql`select reason as part, ${sign}::int * count(*) as entries from lifted_suppressions
      where workspace_id = ${workspaceId} and lifting_id = ${liftingId} group by reason`;

/** The keys of the addresses that a lifting took off the list. */
export const liftedKeys = (workspaceId: number, liftingId: number): RawBuilder<unknown> =>
  sql`select domain, local from lifted_suppressions
      where workspace_id = ${workspaceId} and lifting_id = ${liftingId}`;

export interface LiftedRow {
  id: number;
  local: string | null;
  domain: string;
  reason: string;
  note: string | null;
  createdBy: string | null;
  createdAt: Date;
}

/** The first entries of a lifting. */
export async function selectLifted(
  tx: TenantTx,
  workspaceId: number,
  liftingId: number,
  limit: number,
): Promise<LiftedRow[]> {
  const { rows } = await sql<LiftedRow>`
    select id, local, domain, reason, note, created_by as "createdBy", created_at as "createdAt"
    from lifted_suppressions
    where workspace_id = ${workspaceId} and lifting_id = ${liftingId} order by id limit ${limit}`.execute(tx);
  return rows;
}

/** The lifting, held against others who would undo it too. */
export async function lockLifting(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  days: number,
): Promise<LiftingRow | undefined> {
  const { rows } = await sql<LiftingRow>`
    select id, list, entries, undone_at as "undoneAt",
           created_at < now() - make_interval(days => ${days}) as "isExpired"
    from suppression_liftings where workspace_id = ${workspaceId} and id = ${id} for update`.execute(tx);
  return rows[0];
}

/** Puts the entries of a lifting back as they stood, but for those on the list again by now. */
export async function putBack(
  tx: TenantTx,
  workspaceId: number,
  list: ListName,
  liftingId: number,
): Promise<number> {
  const [columns, conflict] =
    list === 'email'
      ? [sql`local, domain`, sql`workspace_id, domain, local`]
      : [sql`domain`, sql`workspace_id, domain`];
  const { numAffectedRows } = await sql`
    insert into ${tableOf[list]} (workspace_id, id, ${columns}, reason, note, created_by, created_at, batch_id)
    overriding system value
    select workspace_id, id, ${columns}, reason, note, created_by, created_at, batch_id from lifted_suppressions
    where workspace_id = ${workspaceId} and lifting_id = ${liftingId}
    order by domain, local
    on conflict (${conflict}) do nothing`.execute(tx);
  await sql`
    update suppression_liftings set undone_at = now() where workspace_id = ${workspaceId} and id = ${liftingId}`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}

/** The entries that `putBack` put back: they have their old ids, which nobody else was given. */
const backOnList = (workspaceId: number, list: ListName, liftingId: number): RawBuilder<unknown> =>
  sql`lifted_suppressions l join ${tableOf[list]} s on s.workspace_id = l.workspace_id and s.id = l.id
      where l.workspace_id = ${workspaceId} and l.lifting_id = ${liftingId}`;

export const backByReason = (workspaceId: number, list: ListName, liftingId: number): RawBuilder<unknown> =>
  sql`select s.reason as part, count(*) as entries from ${backOnList(workspaceId, list, liftingId)} group by s.reason`;

export const backKeys = (workspaceId: number, liftingId: number): RawBuilder<unknown> =>
  sql`select s.domain, s.local from ${backOnList(workspaceId, 'email', liftingId)}`;

/** The domains that `putBack` put back. */
export const backDomains = (workspaceId: number, liftingId: number): RawBuilder<unknown> =>
  sql`select s.domain from ${backOnList(workspaceId, 'domain', liftingId)}`;

/** Removes liftings that can no longer be undone, with what they kept. */
export async function purgeLiftings(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    with expired as (
      delete from suppression_liftings
      where workspace_id = ${workspaceId} and created_at < now() - make_interval(days => ${days}) returning id
    )
    delete from lifted_suppressions l using expired
    where l.workspace_id = ${workspaceId} and l.lifting_id = expired.id`.execute(tx);
}
