import { sql } from 'kysely';
import type { SystemDb } from '#platform/server/database.ts';

export interface VerificationFigures {
  /**
   * Contacts looked at by ended runs of all workspaces. Each contact counts as often as it was
   * looked at.
   */
  contactsEver: number;
  contactsThisMonth: number;
  /** Runs that began since `dayStart`. */
  runsToday: number;
}

/** Sums over the verification runs of all workspaces. */
export async function verificationFigures(
  db: SystemDb,
  { monthStart, dayStart }: { monthStart: Date; dayStart: Date },
): Promise<VerificationFigures> {
  const { rows } = await sql<VerificationFigures>`
    select contacts_ever as "contactsEver", contacts_this_month as "contactsThisMonth", runs_today as "runsToday"
    from verification_figures(${monthStart}, ${dayStart})`.execute(db);
  return rows[0] as VerificationFigures;
}
