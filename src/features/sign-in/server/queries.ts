import { type Kysely, sql } from 'kysely';

/**
 * Any handle on the sign-in tables: the pool, or a running transaction. They belong to no tenant.
 */
// biome-ignore lint/suspicious/noExplicitAny: no table types are kept beside the SQL
export type Db = Kysely<any>;

/**
 * Counts one attempt under `key` in a window of `windowMs` that begins with the first attempt.
 * Returns the total and when the window began. It is one statement, so that attempts at the same
 * moment are all counted.
 */
export async function countAttempt(
  db: Db,
  key: string,
  now: number,
  windowMs: number,
): Promise<{ count: number; since: number }> {
  const { rows } = await sql<{ count: number; since: number }>`
    insert into rate_limits as kept (key, count, last_request) values (${key}, 1, ${now})
    on conflict (key) do update set
      count = case when kept.last_request <= ${now - windowMs}::bigint then 1 else kept.count + 1 end,
      last_request = case when kept.last_request <= ${now - windowMs}::bigint then ${now}::bigint else kept.last_request end
    returning count, last_request as since`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('an attempt was counted without an answer');
  return row;
}

/**
 * Deletes what has expired: sessions, one-time proofs, and attempts counted before `attemptsBefore`
 * (ms since 1970).
 */
export async function deleteExpired(db: Db, attemptsBefore: number): Promise<void> {
  await sql`delete from sessions where expires_at < now()`.execute(db);
  await sql`delete from verifications where expires_at < now()`.execute(db);
  await sql`delete from rate_limits where last_request < ${attemptsBefore}`.execute(db);
}

/** Stores the hash of a link's secret, and what the link is for, for this many minutes. */
export async function insertProof(
  db: Db,
  { identifier, value, minutes }: { identifier: string; value: string; minutes: number },
): Promise<void> {
  await sql`
    insert into verifications (identifier, value, expires_at)
    values (${identifier}, ${value}, now() + make_interval(mins => ${minutes}))`.execute(db);
}

/** What a proof is for, which stays where it is; undefined when it was used or has expired. */
export async function selectProof(db: Db, identifier: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`
    select value from verifications where identifier = ${identifier} and expires_at > now()`.execute(db);
  return rows[0]?.value;
}

/** Takes a proof away and returns what it was for. If two ask at the same moment, one gets it. */
export async function takeProof(db: Db, identifier: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string; live: boolean }>`
    delete from verifications where identifier = ${identifier} returning value, expires_at > now() as live`.execute(
    db,
  );
  const row = rows[0];
  return row?.live ? row.value : undefined;
}

/**
 * Deletes a user's other proofs of a kind: links to reset a password, devices that need no second
 * factor.
 */
export async function deleteProofs(db: Db, prefix: string, userId: number): Promise<void> {
  await sql`
    delete from verifications where identifier like ${`${prefix}%`} and value = ${String(userId)}`.execute(
    db,
  );
}

/**
 * Deletes a user's sign-ins that wait for their second step (`prefix`). The counters of attempts
 * (`attempts`) have numbers as well, which are no users.
 */
export async function deleteSecondSteps(
  db: Db,
  { prefix, attempts }: { prefix: string; attempts: string },
  userId: number,
): Promise<void> {
  await sql`
    delete from verifications
    where identifier like ${`${prefix}%`} and identifier not like ${`${attempts}%`} and value = ${String(userId)}`.execute(
    db,
  );
}

/** Deletes the proofs, among those of addresses (`prefix`), that would replace a user's address. */
export async function deleteEmailChanges(db: Db, prefix: string, userId: number): Promise<void> {
  // Only values behind this prefix are JSON. A "case" alone promises the order of the tests.
  await sql`
    delete from verifications
    where case when identifier like ${`${prefix}%`}
               then value::jsonb ->> 'userId' = ${String(userId)} and value::jsonb ->> 'replaces' is not null
               else false end`.execute(db);
}
