import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { fieldNamesProblem } from '../../rules.ts';

/**
 * Remembers the names of extra fields that imports brought or people gave to contacts, so that
 * lists, exports, segments and templates offer them. Whoever takes the figures too takes them
 * before. Throws `invalid_input` when there are too many: a name that is not remembered is missing
 * in exports.
 */
export async function rememberFieldNames(
  tx: TenantTx,
  workspaceId: number,
  given: readonly string[],
): Promise<void> {
  if (given.length === 0) return;
  const names = [...new Set(given)].sort();
  // Once a day is enough, and what is written every time would be waited for every time.
  await noteUsed(tx, workspaceId, names, 1);
  const { rows: added } = await sql<{ name: string }>`
    insert into contact_field_names (workspace_id, name)
    select ${workspaceId}::bigint, name from unnest(${names}::text[]) as given (name)
    where not exists (
      select from contact_field_names known where known.workspace_id = ${workspaceId} and known.name = given.name)
    on conflict do nothing
    returning name`.execute(tx);
  if (added.length === 0) return;
  const there = (await selectFieldNames(tx, workspaceId)).length - added.length;
  const problem = fieldNamesProblem(
    there,
    added.map(({ name }) => name),
  );
  if (problem !== null) throw new AppError('invalid_input', problem, { fields: { attributes: problem } });
}

/** Names that were last used more than so many days ago are used now. */
export async function noteUsed(
  tx: TenantTx,
  workspaceId: number,
  names: readonly string[],
  days: number,
): Promise<void> {
  await sql`
    with old as (
      select name from contact_field_names
      where workspace_id = ${workspaceId} and name = any(${[...names]}::text[])
        and used_at < now() - make_interval(days => ${days})
      order by name for no key update
    )
    update contact_field_names known set used_at = now() from old
    where known.workspace_id = ${workspaceId} and known.name = old.name`.execute(tx);
}

/** The names of all extra fields. */
export async function selectFieldNames(tx: TenantTx, workspaceId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from contact_field_names where workspace_id = ${workspaceId} order by name`.execute(tx);
  return rows.map(({ name }) => name);
}

/** Those that were last used more than so many days ago. */
export async function selectUnusedNames(tx: TenantTx, workspaceId: number, days: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from contact_field_names
    where workspace_id = ${workspaceId} and used_at < now() - make_interval(days => ${days})`.execute(tx);
  return rows.map(({ name }) => name);
}

/** Where a look through contacts has come to, from the newest on. */
export interface Place {
  removalId: number;
  id: number;
}
export const newest: Place = { removalId: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

interface Looked {
  /** Those of the names that the contacts have. */
  found: string[];
  /** Null: there are no more contacts. */
  next: Place | null;
}

/** Looks for names in the next contacts, at most so many. */
export async function lookInContacts(
  tx: TenantTx,
  workspaceId: number,
  names: readonly string[],
  before: Place,
  most: number,
): Promise<Looked> {
  const { rows } = await sql<{ id: number | null; found: string[] }>`
    with piece as (
      select id, attributes from contacts where workspace_id = ${workspaceId} and id < ${before.id}
      order by id desc limit ${most}
    )
    select (select min(id) from piece) as id,
           array(select distinct name from piece, jsonb_object_keys(attributes) as name
                 where name = any(${[...names]}::text[])) as found`.execute(tx);
  const { id = null, found = [] } = rows[0] ?? {};
  return { found, next: id === null ? null : { ...before, id } };
}

/** The same for what is in the bin. */
export async function lookInBin(
  tx: TenantTx,
  workspaceId: number,
  names: readonly string[],
  before: Place,
  most: number,
): Promise<Looked> {
  const { rows } = await sql<{ place: Place | null; found: string[] }>`
    with piece as (
      select removal_id, id, attributes from removed_contacts
      where workspace_id = ${workspaceId} and (removal_id, id) < (${before.removalId}, ${before.id})
      order by removal_id desc, id desc limit ${most}
    )
    select (select jsonb_build_object('removalId', removal_id, 'id', id) from piece
            order by removal_id, id limit 1) as place,
           array(select distinct name from piece, jsonb_object_keys(attributes) as name
                 where name = any(${[...names]}::text[])) as found`.execute(tx);
  const { place = null, found = [] } = rows[0] ?? {};
  return { found, next: place };
}

/**
 * Forgets names that were not found, unless they have been used since. None while contacts have
 * come back from the bin since the look began: it may have missed them both there and here.
 */
export async function deleteUnusedNames(
  tx: TenantTx,
  workspaceId: number,
  names: readonly string[],
  { days, begunAt }: { days: number; begunAt: Date },
): Promise<void> {
  await sql`
    delete from contact_field_names
    where workspace_id = ${workspaceId} and name = any(${[...names]}::text[])
      and used_at < now() - make_interval(days => ${days})
      and not exists (
        select from removals
        where workspace_id = ${workspaceId} and restored_at > ${begunAt}::timestamptz - interval '1 hour')`.execute(
    tx,
  );
}
