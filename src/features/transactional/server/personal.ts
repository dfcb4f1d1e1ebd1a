import { sql } from 'kysely';
import { forgetData } from '#features/sending/server/index.ts';
import type { PersonalData } from '#platform/server/feature.ts';

/** Messages to a person, under any spelling of the address. */
export const personal: PersonalData = {
  async export(tx, { workspaceId, local, domain }) {
    const { rows } = await sql<{ subject: string; at: Date; state: string | null }>`
      select t.subject, t.created_at as at, s.state from transactional_messages t
      left join sends s on s.workspace_id = t.workspace_id and s.mailing_id = t.mailing_id and s.id = t.send_id
      where t.workspace_id = ${workspaceId} and lower(t.address) = ${`${local}@${domain}`} order by t.id`.execute(
      tx,
    );
    return rows.length > 0 ? { transactionalMessages: rows } : {};
  },
  // The figures of the mailing stay. What was written to the person goes with the merge data.
  async erase(tx, { workspaceId, local, domain }) {
    const { rows } = await sql<{ mailingId: number; sendId: number }>`
      delete from transactional_messages
      where workspace_id = ${workspaceId} and lower(address) = ${`${local}@${domain}`}
      returning mailing_id as "mailingId", send_id as "sendId"`.execute(tx);
    await forgetData(tx, workspaceId, rows);
  },
};
