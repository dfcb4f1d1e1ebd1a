import { type RawBuilder, sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { ListName } from '../queries.ts';
import { isOwnersAlone } from '../reason-queries.ts';

/** Taking entries off a list, and putting them back. */

export interface LiftingRow {
  id: number;
  list: ListName;
  entries: number;
  undoneAt: Date | null;
  /** Entries are still being moved into it. */
  isOpen: boolean;
  isExpired: boolean;
}

const tableOf = { email: sql.table('suppressions'), domain: sql.table('domain_suppressions') };
const localOf = { email: sql`s.local`, domain: sql`null::text` };
const refusesAllOf = { email: sql`s.refuses_all`, domain: sql`false` };
const byOthersOf = { email: sql`s.by_others`, domain: sql`false` };

/** True for the named entries `s` of a list. */
export const isNamed = (ids: readonly number[]): RawBuilder<unknown> =>
  sql`s.id = any(${[...ids]}::bigint[])`;

/** True for the matching entries `s` of a list. `text` is in lower case, and empty for all. */
export function isMatching(list: ListName, text: string, reason: string | null): RawBuilder<unknown> {
  const content = list === 'email' ? sql`s.local || '@' || s.domain` : sql`s.domain`;
  const tests = [sql`true`];
  if (text !== '') tests.push(sql`strpos(${content}, ${text}) > 0`);
  if (reason !== null) tests.push(sql`s.reason = ${reason}`);
  return sql.join(tests, sql` and `);
}

/** Opens a lifting. Entries are then moved into it. */
export async function openLifting(
  tx: TenantTx,
  workspaceId: number,
  list: ListName,
  lifting: { why: string | null; liftedBy: string | null },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into suppression_liftings (workspace_id, list, why, lifted_by, is_open)
    values (${workspaceId}, ${list}, ${lifting.why}, ${lifting.liftedBy}, true) returning id`.execute(tx);
  return rows[0]?.id as number;
}

/** The ids of the first entries `s` after `after`, up to `upTo`, that `where` picks. */
export async function selectPicked(
  tx: TenantTx,
  workspaceId: number,
  list: ListName,
  where: RawBuilder<unknown>,
  range: { after: number; upTo: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select s.id from ${tableOf[list]} s
    where s.workspace_id = ${workspaceId} and s.id > ${range.after} and s.id <= ${range.upTo} and ${where}
    order by s.id limit ${range.limit}`.execute(tx);
  return rows.map((row) => row.id);
}

/** How many entries `s` of a list `where` picks. */
export async function countPicked(
  tx: TenantTx,
  workspaceId: number,
  list: ListName,
  where: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${tableOf[list]} s where s.workspace_id = ${workspaceId} and ${where}`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

/** The highest id of an entry in the list; 0 when it is empty. */
export async function selectLastEntry(tx: TenantTx, workspaceId: number, list: ListName): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from ${tableOf[list]} where workspace_id = ${workspaceId}`.execute(tx);
  return rows[0]?.id ?? 0;
}

/** An entry that came off a list or back onto it; a domain has no `local`. */
export interface MovedEntry {
  local: string | null;
  domain: string;
  reason: string;
}

/** Moves these entries off the list, into an open lifting, and returns those that were there. */
export async function moveOffList(
  tx: TenantTx,
  workspaceId: number,
  list: ListName,
  liftingId: number,
  ids: readonly number[],
): Promise<MovedEntry[]> {
  const { rows } = await sql<MovedEntry>`
    with gone as (
      delete from ${tableOf[list]} s where s.workspace_id = ${workspaceId} and ${isNamed(ids)}
      returning s.id, ${localOf[list]} as local, s.domain, s.reason, s.note, s.created_by, s.created_at, s.batch_id,
        ${refusesAllOf[list]} as refuses_all, ${byOthersOf[list]} as by_others
    )
    insert into lifted_suppressions
      (workspace_id, lifting_id, id, local, domain, reason, note, created_by, created_at, batch_id, refuses_all,
       by_others)
    select ${workspaceId}::bigint, ${liftingId}::bigint, gone.* from gone
    returning local, domain, reason`.execute(tx);
  await sql`
    update suppression_liftings set entries = entries + ${rows.length}
    where workspace_id = ${workspaceId} and id = ${liftingId}`.execute(tx);
  return rows;
}

/**
 * Closes a lifting, so that nothing more comes into it. Deletes one that stayed empty, and then
 * returns 0.
 */
export async function closeLifting(tx: TenantTx, workspaceId: number, id: number): Promise<number> {
  const { rows } = await sql<{ entries: number }>`
    update suppression_liftings set is_open = false
    where workspace_id = ${workspaceId} and id = ${id} returning entries`.execute(tx);
  const entries = rows[0]?.entries ?? 0;
  if (entries === 0) {
    await sql`delete from suppression_liftings where workspace_id = ${workspaceId} and id = ${id}`.execute(
      tx,
    );
  }
  return entries;
}

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

/** The lifting, locked against others who want to undo it too. */
export async function lockLifting(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  days: number,
): Promise<LiftingRow | undefined> {
  const { rows } = await sql<LiftingRow>`
    select id, list, entries, undone_at as "undoneAt", is_open as "isOpen",
           created_at < now() - make_interval(days => ${days}) as "isExpired"
    from suppression_liftings where workspace_id = ${workspaceId} and id = ${id} for update`.execute(tx);
  return rows[0];
}

/** Notes that a lifting is being undone, or that part of it failed and may be asked for again. */
export async function markUndone(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  isUndone: boolean,
): Promise<void> {
  await sql`
    update suppression_liftings set undone_at = case when ${isUndone} then now() end
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** The ids of the first entries of a lifting after `after`. */
export async function selectKept(
  tx: TenantTx,
  workspaceId: number,
  liftingId: number,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from lifted_suppressions
    where workspace_id = ${workspaceId} and lifting_id = ${liftingId} and id > ${after}
    order by id limit ${limit}`.execute(tx);
  return rows.map((row) => row.id);
}

/**
 * Puts these entries of a lifting back as they were, except those on the list again by now. Returns
 * what was put back.
 */
export async function putBack(
  tx: TenantTx,
  workspaceId: number,
  list: ListName,
  liftingId: number,
  ids: readonly number[],
): Promise<MovedEntry[]> {
  const [columns, conflict] =
    list === 'email'
      ? [sql`local, domain, refuses_all, by_others`, sql`workspace_id, domain, local`]
      : [sql`domain`, sql`workspace_id, domain`];
  const { rows } = await sql<MovedEntry>`
    insert into ${tableOf[list]} as s (workspace_id, id, ${columns}, reason, note, created_by, created_at, batch_id)
    overriding system value
    select workspace_id, id, ${columns}, reason, note, created_by, created_at, batch_id from lifted_suppressions
    where workspace_id = ${workspaceId} and lifting_id = ${liftingId} and id = any(${[...ids]}::bigint[])
    order by domain, local
    on conflict (${conflict}) do nothing
    returning ${localOf[list]} as local, s.domain, s.reason`.execute(tx);
  return rows;
}

/** What these entries of a lifting say of their addresses: (local, domain, reason, note). */
export function givenByLifted(workspaceId: number, liftingId: number, ids: readonly number[]): Fragment {
  const these = sql`
    lifted_suppressions
    where workspace_id = ${workspaceId} and lifting_id = ${liftingId} and id = any(${[...ids]}::bigint[])`;
  return sql`
    select local, domain, reason, note from ${these}
    union all select local, domain, 'bounced', null from ${these} and refuses_all`;
}

/** The addresses of these entries of a lifting that others than their owners have made. */
export const liftedOfOthers = (
  workspaceId: number,
  liftingId: number,
  ids: readonly number[],
): Fragment => sql`
  select l.local, l.domain from lifted_suppressions l
  where l.workspace_id = ${workspaceId} and l.lifting_id = ${liftingId} and l.id = any(${[...ids]}::bigint[])
    and not ${isOwnersAlone('l')}`;

/**
 * Removes liftings that can no longer be undone, with their entries. One whose undo began within a
 * day may still be on its way back.
 */
export async function purgeLiftings(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    with expired as (
      delete from suppression_liftings
      where workspace_id = ${workspaceId} and not is_open and created_at < now() - make_interval(days => ${days})
        and (undone_at is null or undone_at < now() - interval '1 day')
      returning id
    )
    delete from lifted_suppressions l using expired
    where l.workspace_id = ${workspaceId} and l.lifting_id = expired.id`.execute(tx);
}
