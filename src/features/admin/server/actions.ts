import type { SystemDb } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { storableText } from '#platform/server/storable-text.ts';
import { insertAction } from './queries.ts';

/** Records what the administrator did, in the transaction `db` if it is one. */
export async function recordAction(
  db: SystemDb,
  caller: Pick<Caller, 'email'>,
  line: { action: string; subject: string; details: Record<string, unknown> },
): Promise<void> {
  const clean = (_key: string, value: unknown) => (typeof value === 'string' ? storableText(value) : value);
  await insertAction(db, {
    actor: caller.email,
    action: line.action,
    subject: storableText(line.subject),
    details: JSON.stringify(line.details, clean),
  });
}
