import { sql } from 'kysely';
import { forgetData } from '#features/sending/server/index.ts';
import type { Fragment } from '#platform/server/database.ts';
import type { Person, PersonalData } from '#platform/server/feature.ts';

/**
 * The ids of the messages to a person. The log keeps an address as it was given (`Ann@müller.de`),
 * the ledger keeps it normalised. Whoever erases asks here before the ledger forgets whom it names.
 */
const messagesTo = ({ workspaceId, local, domain }: Person): Fragment => sql`
  select t.id from transactional_messages t
  where t.workspace_id = ${workspaceId} and lower(t.address) = ${`${local}@${domain}`}
  union
  select t.id from sends s
  join transactional_messages t
    on t.workspace_id = s.workspace_id and t.mailing_id = s.mailing_id and t.send_id = s.id
  where s.workspace_id = ${workspaceId} and s.contact_id is null
    and s.domain = ${domain} and s.local = ${local}`;

/** Messages to a person, under any spelling of the address. */
export const personal: PersonalData = {
  async export(tx, person) {
    const { rows } = await sql<{ subject: string; at: Date; state: string | null }>`
      select t.subject, t.created_at as at, s.state from transactional_messages t
      left join sends s on s.workspace_id = t.workspace_id and s.mailing_id = t.mailing_id and s.id = t.send_id
      where t.workspace_id = ${person.workspaceId} and t.id in (${messagesTo(person)}) order by t.id`.execute(
      tx,
    );
    return rows.length > 0 ? { transactionalMessages: rows } : {};
  },
  // The figures of the mailing stay. What was written to the person goes with the merge data.
  async erase(tx, person) {
    const { workspaceId } = person;
    const { rows } = await sql<{ mailingId: number; sendId: number }>`
      delete from transactional_messages
      where workspace_id = ${workspaceId} and id in (${messagesTo(person)})
      returning mailing_id as "mailingId", send_id as "sendId"`.execute(tx);
    await forgetData(tx, workspaceId, rows);
  },
};
