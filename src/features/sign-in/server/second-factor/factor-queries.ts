import { sql } from 'kysely';
import type { Db } from '../queries.ts';

/** What the library has encrypted of a second factor. */
export interface FactorRow {
  id: number;
  secret: string;
  backupCodes: string;
}

const factorColumns = sql`id, secret, backup_codes as "backupCodes"`;

/** The second factor of a user; undefined when they have none. */
export async function selectFactorOf(db: Db, userId: number): Promise<FactorRow | undefined> {
  const { rows } = await sql<FactorRow>`
    select ${factorColumns} from two_factors where user_id = ${userId}`.execute(db);
  return rows[0];
}

/** Turns two-factor sign-in off. Returns false when it was off. */
export async function deleteFactor(db: Db, userId: number): Promise<boolean> {
  await sql`delete from two_factors where user_id = ${userId}`.execute(db);
  const { rows } = await sql`
    update users set two_factor_enabled = false, updated_at = now()
    where id = ${userId} and two_factor_enabled returning id`.execute(db);
  return rows.length > 0;
}

/** Second factors in the order of their ids, from the one after `after`. */
export async function selectFactors(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<FactorRow[]> {
  const { rows } = await sql<FactorRow>`
    select ${factorColumns} from two_factors where id > ${after} order by id limit ${limit}`.execute(db);
  return rows;
}

/** Replaces what is encrypted, unless somebody has changed it meanwhile. */
export async function replaceFactor(
  db: Db,
  from: FactorRow,
  to: Pick<FactorRow, 'secret' | 'backupCodes'>,
): Promise<void> {
  await sql`
    update two_factors set secret = ${to.secret}, backup_codes = ${to.backupCodes}
    where id = ${from.id} and secret = ${from.secret} and backup_codes = ${from.backupCodes}`.execute(db);
}
