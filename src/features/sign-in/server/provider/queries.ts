import { sql } from 'kysely';
import { z } from 'zod';
import { providerId } from '../../rules/provider.ts';
import type { Db } from '../queries.ts';

/** The account that an identity is connected to, and whether it is suspended. */
export async function selectHolder(
  db: Db,
  key: string,
): Promise<{ id: number; suspended: boolean } | undefined> {
  const { rows } = await sql<{ id: number; suspended: boolean }>`
    select u.id, u.suspended_at is not null as suspended
    from accounts a join users u on u.id = a.user_id
    where a.provider_id = ${providerId} and a.account_id = ${key}`.execute(db);
  return rows[0];
}

/** Whether an identity whose key begins with `keys` is connected to the account. */
export async function hasIdentity(db: Db, userId: number, keys: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from accounts
    where user_id = ${userId} and provider_id = ${providerId} and starts_with(account_id, ${keys})`.execute(
    db,
  );
  return rows.length > 0;
}

/** Connects an identity to an account. Fails with 23505 if somebody already has it. */
export async function insertIdentity(db: Db, userId: number, key: string): Promise<void> {
  await sql`
    insert into accounts (user_id, provider_id, account_id) values (${userId}, ${providerId}, ${key})`.execute(
    db,
  );
}

/**
 * Disconnects every identity of an account, including those of earlier issuers. Returns how many.
 */
export async function deleteIdentities(db: Db, userId: number): Promise<number> {
  const { rows } = await sql`
    delete from accounts where user_id = ${userId} and provider_id = ${providerId} returning id`.execute(db);
  return rows.length;
}

/** Makes an account without a password. The provider has proven its address. */
export async function insertUser(db: Db, { name, email }: { name: string; email: string }): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into users (name, email, email_verified) values (${name}, ${email}, true) returning id`.execute(
    db,
  );
  const row = rows[0];
  if (!row) throw new Error('a user was inserted without an id');
  return row.id;
}

/**
 * Ends the sessions that began at the provider, except the one to keep. That one now counts as
 * begun with a password. Returns how many ended.
 */
export async function endProviderSessions(db: Db, userId: number, keepId: number): Promise<number> {
  await sql`update sessions set through_provider = false where user_id = ${userId} and id = ${keepId}`.execute(
    db,
  );
  const { rows } = await sql`
    delete from sessions where user_id = ${userId} and through_provider returning id`.execute(db);
  return rows.length;
}

const begun = z.object({ callbackURL: z.string(), link: z.unknown().optional() });

/**
 * Where a sign-in through the provider was heading, and whether it connects an account; null when
 * it is over.
 */
export async function selectHeading(
  db: Db,
  state: string,
): Promise<{ path: string; connects: boolean } | null> {
  const { rows } = await sql<{ value: string }>`
    select value from verifications where identifier = ${state} and expires_at > now()`.execute(db);
  if (!rows[0]) return null;
  // The sign-in library wrote this (its OAuth state).
  const { callbackURL, link } = begun.parse(JSON.parse(rows[0].value));
  return { path: callbackURL, connects: link !== undefined };
}
