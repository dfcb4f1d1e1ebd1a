import { sql } from 'kysely';
import type { Db } from './queries.ts';

export interface AccountRow {
  id: number;
  name: string;
  email: string;
  emailVerified: boolean;
  createdAt: Date;
  twoFactorOn: boolean;
}

const accountColumns = sql`
  id, name, email, email_verified as "emailVerified", created_at as "createdAt", two_factor_enabled as "twoFactorOn"`;

/** A user's account. */
export async function selectAccount(db: Db, userId: number): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`select ${accountColumns} from users where id = ${userId}`.execute(
    db,
  );
  return rows[0];
}

/** The account with this address (lower case), if there is one. */
export async function selectAccountByEmail(db: Db, email: string): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`select ${accountColumns} from users where email = ${email}`.execute(
    db,
  );
  return rows[0];
}

/** Changes a user's name. */
export async function updateName(db: Db, userId: number, name: string): Promise<void> {
  await sql`update users set name = ${name}, updated_at = now() where id = ${userId}`.execute(db);
}

/** Gives a user a proven address. */
export async function updateEmail(db: Db, userId: number, email: string): Promise<void> {
  await sql`
    update users set email = ${email}, email_verified = true, updated_at = now() where id = ${userId}`.execute(
    db,
  );
}

/** Stores a new password's hash. */
export async function updatePassword(db: Db, userId: number, hash: string): Promise<void> {
  await sql`
    insert into accounts (user_id, provider_id, account_id, password)
    values (${userId}, 'credential', ${String(userId)}, ${hash})
    on conflict (provider_id, account_id) do update set password = excluded.password, updated_at = now()`.execute(
    db,
  );
}

/** The workspaces whose audit log records what a user does with their account. */
export async function selectWorkspaceIdsOf(db: Db, userId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select workspace_id as id from members where user_id = ${userId} order by workspace_id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Blocks others from changing this user until the transaction ends. Sign-ins and references still
 * work.
 */
export async function lockUser(db: Db, userId: number): Promise<{ name: string; email: string } | null> {
  const { rows } = await sql<{ name: string; email: string }>`
    select name, email from users where id = ${userId} for no key update`.execute(db);
  return rows[0] ?? null;
}

/** The hash of a user's password; null when they have none. */
export async function selectPasswordHash(db: Db, userId: number): Promise<string | null> {
  const { rows } = await sql<{ password: string | null }>`
    select password from accounts where user_id = ${userId} and provider_id = 'credential'`.execute(db);
  return rows[0]?.password ?? null;
}

/** Closes an account; false when it was already closed. */
export async function markSuspended(
  db: Db,
  id: number,
  { by, reason }: { by: string; reason: string | null },
): Promise<boolean> {
  const changed = await sql`
    update users set suspended_at = now(), suspended_by = ${by}, suspension_reason = ${reason}, updated_at = now()
    where id = ${id} and suspended_at is null`.execute(db);
  return Number(changed.numAffectedRows ?? 0) === 1;
}

/** Opens a closed account again; false when it was open. */
export async function liftSuspension(db: Db, id: number): Promise<boolean> {
  const changed = await sql`
    update users set suspended_at = null, suspended_by = null, suspension_reason = null, updated_at = now()
    where id = ${id} and suspended_at is not null`.execute(db);
  return Number(changed.numAffectedRows ?? 0) === 1;
}

/** Whether this account is closed. */
export async function isSuspended(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`select 1 from users where id = ${id} and suspended_at is not null`.execute(db);
  return rows.length > 0;
}
