import type { SystemDb } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { storableJson, storableText } from '#platform/server/storable-text.ts';
import { insertAction } from './queries.ts';

/** Records what the administrator did, in the transaction `db` if it is one. */
export async function recordAction(
  db: SystemDb,
  caller: Pick<Caller, 'email'>,
  line: { action: string; subject: string; details: Record<string, unknown> },
): Promise<void> {
  await insertAction(db, {
    actor: caller.email,
    action: line.action,
    subject: storableText(line.subject),
    details: storableJson(line.details),
  });
}
