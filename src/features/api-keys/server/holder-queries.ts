import { sql } from 'kysely';
import type { SystemDb, TenantTx } from '#platform/server/database.ts';
import type { Role } from '#platform/shared/contract.ts';

/** A person whom a key acts for. */
export interface HolderRow {
  userId: number;
  name: string;
  email: string;
  /** Null: not a member any more. */
  role: Role | null;
  isSuspended: boolean;
}

/** These people as they are now. */
export async function selectHolders(
  db: SystemDb,
  workspaceId: number,
  userIds: readonly number[],
): Promise<HolderRow[]> {
  const { rows } = await sql<HolderRow>`
    select u.id as "userId", u.name, u.email, m.role, u.suspended_at is not null as "isSuspended"
    from users u left join members m on m.user_id = u.id and m.workspace_id = ${workspaceId}
    where u.id = any(${userIds}::bigint[])`.execute(db);
  return rows;
}

/**
 * A member's role, which stays as it is until the transaction ends: whoever removes the member at
 * the same moment waits, and then sees what was done.
 */
export async function holdRole(tx: TenantTx, workspaceId: number, userId: number): Promise<Role | undefined> {
  const { rows } = await sql<{ role: Role }>`
    select role from members where workspace_id = ${workspaceId} and user_id = ${userId} for share`.execute(
    tx,
  );
  return rows[0]?.role;
}

/** How many keys act for each person. Revoked and expired ones do not count. */
export async function countByHolder(tx: TenantTx, workspaceId: number): Promise<Map<number, number>> {
  const { rows } = await sql<{ userId: number; keys: number }>`
    select coalesce(holder_id, created_by) as "userId", count(*)::int as keys from api_keys
    where workspace_id = ${workspaceId} and revoked_at is null and (expires_at is null or expires_at > now())
    group by 1`.execute(tx);
  return new Map(rows.map(({ userId, keys }) => [userId, keys]));
}

interface NamedKey {
  id: number;
  name: string;
}

/** Revokes all keys that act for a person. */
export async function markAllRevoked(
  tx: TenantTx,
  workspaceId: number,
  userId: number,
  by: string,
): Promise<NamedKey[]> {
  const { rows } = await sql<NamedKey>`
    update api_keys set revoked_at = now(), revoked_by = ${by}
    where workspace_id = ${workspaceId} and coalesce(holder_id, created_by) = ${userId} and revoked_at is null
    returning id, name`.execute(tx);
  return rows;
}

/** Gives all keys that act for one person to another. */
export async function giveAll(
  tx: TenantTx,
  workspaceId: number,
  { from, to }: { from: number; to: number },
): Promise<NamedKey[]> {
  const { rows } = await sql<NamedKey>`
    update api_keys set holder_id = ${to}
    where workspace_id = ${workspaceId} and coalesce(holder_id, created_by) = ${from} and revoked_at is null
    returning id, name`.execute(tx);
  return rows;
}

/** The key's holder, with the key locked. Undefined when there is no such key. */
export async function lockKey(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<{ name: string; holderId: number } | undefined> {
  const { rows } = await sql<{ name: string; holderId: number }>`
    select name, coalesce(holder_id, created_by) as "holderId" from api_keys
    where workspace_id = ${workspaceId} and id = ${id} and revoked_at is null for update`.execute(tx);
  return rows[0];
}

/** Gives one key to a person. */
export async function giveKey(
  tx: TenantTx,
  workspaceId: number,
  { id, to }: { id: number; to: number },
): Promise<void> {
  await sql`
    update api_keys set holder_id = ${to} where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}
