import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';

/** People's names by their email addresses. */
export async function selectNames(tx: TenantTx, emails: readonly string[]): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map();
  const { rows } = await sql<{ email: string; name: string }>`
    select email, name from users where email = any(${[...emails]}::text[])`.execute(tx);
  return new Map(rows.map(({ email, name }) => [email, name]));
}
