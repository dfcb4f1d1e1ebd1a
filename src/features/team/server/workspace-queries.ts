import { sql } from 'kysely';
import type { SystemDb } from '#platform/server/database.ts';
import type { Role } from '#platform/shared/contract.ts';

export interface WorkspaceRow {
  id: number;
  name: string;
  role: Role;
  members: number;
  /** The address of the owner who has owned it longest. */
  owner: string | null;
}

/** The workspaces a person belongs to, starting with the longest membership. */
export async function selectWorkspaces(db: SystemDb, userId: number): Promise<WorkspaceRow[]> {
  const { rows } = await sql<WorkspaceRow>`
    select w.id, w.name, m.role, (select count(*) from members o where o.workspace_id = w.id) as members,
      (select u.email from members o join users u on u.id = o.user_id
       where o.workspace_id = w.id and o.role = 'owner' order by o.id limit 1) as owner
    from members m join workspaces w on w.id = m.workspace_id
    where m.user_id = ${userId}
    order by m.id`.execute(db);
  return rows;
}

/** How many workspaces a person owns. */
export async function countOwned(db: SystemDb, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from members where user_id = ${userId} and role = 'owner'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Gives a workspace another name. */
export async function updateWorkspaceName(db: SystemDb, workspaceId: number, name: string): Promise<void> {
  await sql`update workspaces set name = ${name} where id = ${workspaceId}`.execute(db);
}

/** Sets whether members need two-factor sign-in. Returns false when that was already so. */
export async function updateTwoFactorRule(
  db: SystemDb,
  workspaceId: number,
  required: boolean,
): Promise<boolean> {
  const { rows } = await sql`
    update workspaces set requires_two_factor = ${required}
    where id = ${workspaceId} and requires_two_factor <> ${required} returning id`.execute(db);
  return rows.length > 0;
}

/**
 * Blocks every other change of a workspace's members until the transaction ends. Returns its name.
 */
export async function lockWorkspace(db: SystemDb, workspaceId: number): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select name from workspaces where id = ${workspaceId} for no key update`.execute(db);
  return rows[0]?.name ?? null;
}

/**
 * The workspace where this person last worked, otherwise the one they have belonged to longest;
 * null without a workspace.
 */
export async function findWorkspaceOf(db: SystemDb, userId: number): Promise<number | null> {
  const { rows } = await sql<{ workspaceId: number }>`
    select workspace_id as "workspaceId"
    from members
    where user_id = ${userId}
    order by workspace_id = (
      select active_workspace_id from sessions where user_id = ${userId} order by updated_at desc limit 1
    ) desc nulls last, id
    limit 1`.execute(db);
  return rows[0]?.workspaceId ?? null;
}

/** Blocks others from making a workspace for this person until the transaction ends. */
export async function lockPerson(
  db: SystemDb,
  userId: number,
): Promise<{ name: string; email: string } | null> {
  const { rows } = await sql<{ name: string; email: string }>`
    select name, email from users where id = ${userId} for no key update`.execute(db);
  return rows[0] ?? null;
}

/** Makes a workspace with its owner in one statement. */
export async function insertWorkspace(db: SystemDb, name: string, ownerId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with workspace as (insert into workspaces (name) values (${name}) returning id),
         owner as (
           insert into members (workspace_id, user_id, role)
           select id, ${ownerId}::bigint, 'owner' from workspace
         )
    select id from workspace`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('a workspace was inserted without an id');
  return row.id;
}

export async function selectWorkspaceIds(db: SystemDb): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from workspaces order by id`.execute(db);
  return rows.map((row) => row.id);
}
