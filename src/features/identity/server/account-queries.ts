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

/** Gives a user an address that is proven. */
export async function updateEmail(db: Db, userId: number, email: string): Promise<void> {
  await sql`
    update users set email = ${email}, email_verified = true, updated_at = now() where id = ${userId}`.execute(
    db,
  );
}

/** Keeps another password's hash. */
export async function updatePassword(db: Db, userId: number, hash: string): Promise<void> {
  await sql`
    insert into accounts (user_id, provider_id, account_id, password)
    values (${userId}, 'credential', ${String(userId)}, ${hash})
    on conflict (provider_id, account_id) do update set password = excluded.password, updated_at = now()`.execute(
    db,
  );
}

export interface OwnSessionRow {
  id: number;
  address: string | null;
  userAgent: string | null;
  createdAt: Date;
  lastSeenAt: Date;
}

/** A user's live sessions, the one used last first. */
export async function selectSessions(db: Db, userId: number): Promise<OwnSessionRow[]> {
  const { rows } = await sql<OwnSessionRow>`
    select id, ip_address as address, user_agent as "userAgent", created_at as "createdAt", last_seen_at as "lastSeenAt"
    from sessions where user_id = ${userId} and expires_at > now()
    order by last_seen_at desc, id desc`.execute(db);
  return rows;
}

/** Ends one of a user's sessions. */
export async function deleteSession(db: Db, userId: number, id: number): Promise<boolean> {
  const { rows } = await sql`
    delete from sessions where user_id = ${userId} and id = ${id} returning id`.execute(db);
  return rows.length > 0;
}

/** Ends a user's sessions but for the one to keep (null: all of them), and answers how many. */
export async function deleteSessions(db: Db, userId: number, keepId: number | null): Promise<number> {
  const { rows } = await sql`
    delete from sessions where user_id = ${userId} and id is distinct from ${keepId}::bigint returning id`.execute(
    db,
  );
  return rows.length;
}

/** Keeps the hash of a link's secret, and what the link is for, for so many minutes. */
export async function insertProof(
  db: Db,
  { identifier, value, minutes }: { identifier: string; value: string; minutes: number },
): Promise<void> {
  await sql`
    insert into verifications (identifier, value, expires_at)
    values (${identifier}, ${value}, now() + make_interval(mins => ${minutes}))`.execute(db);
}

/** Takes a proof away and answers what it was for; of two at the same moment one gets it. */
export async function takeProof(db: Db, identifier: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string; live: boolean }>`
    delete from verifications where identifier = ${identifier} returning value, expires_at > now() as live`.execute(
    db,
  );
  const row = rows[0];
  return row?.live ? row.value : undefined;
}

/** Forgets a user's other proofs of a kind: links to reset a password, devices that need no second factor. */
export async function deleteProofs(db: Db, prefix: string, userId: number): Promise<void> {
  await sql`
    delete from verifications where identifier like ${`${prefix}%`} and value = ${String(userId)}`.execute(
    db,
  );
}

/** The workspaces whose audit log tells of what a user does with their account. */
export async function selectWorkspaceIdsOf(db: Db, userId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select workspace_id as id from members where user_id = ${userId} order by workspace_id`.execute(db);
  return rows.map(({ id }) => id);
}
