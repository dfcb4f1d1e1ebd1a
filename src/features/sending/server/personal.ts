import { sql } from 'kysely';
import { contactsOf } from '#features/bin/server/index.ts';
import type { Fragment } from '#platform/server/database.ts';
import type { Person, PersonalData } from '#platform/server/feature.ts';
import { erasedDomain } from './send-queries.ts';

/**
 * The sends `s` to a person, under this address or an earlier one of their contact. No index finds
 * them: people leave the contacts sooner than the ledger.
 */
const sendsTo = (person: Person): Fragment => {
  const { workspaceId, local, domain } = person;
  return sql`
    s.workspace_id = ${workspaceId}
      and ((s.domain = ${domain} and s.local = ${local}) or s.contact_id in (${contactsOf(person)}))`;
};

const keptTo = ({ workspaceId, local, domain }: Person): Fragment =>
  sql`workspace_id = ${workspaceId} and lower(recipient) = ${`${local}@${domain}`}`;

/** Which emails a person was sent. */
export const personal: PersonalData = {
  async export(tx, person) {
    const { rows } = await sql<Record<string, unknown>>`
      select m.name, m.subject, s.state, s.reason, s.reply, s.handed_at as "handedAt"
      from sends s join mailings m on m.workspace_id = s.workspace_id and m.id = s.mailing_id
      where ${sendsTo(person)} and m.kind = 'campaign' order by m.id`.execute(tx);
    const kept = await sql<{ subject: string; at: Date }>`
      select subject, created_at as at from outbox_messages where ${keptTo(person)} order by id`.execute(tx);
    return {
      ...(rows.length > 0 && { emails: rows }),
      ...(kept.rows.length > 0 && { keptMessages: kept.rows }),
    };
  },
  // The ledger keeps its lines, so that its books stay right. They name nobody. What had not left
  // is left out at the hand-over, by that address or because there is no such contact.
  async erase(tx, person) {
    await sql`
      update sends s set local = 'erased', domain = ${erasedDomain}, contact_id = null, data = null, reply = null
      where ${sendsTo(person)}`.execute(tx);
    await sql`delete from outbox_messages where ${keptTo(person)}`.execute(tx);
  },
};
