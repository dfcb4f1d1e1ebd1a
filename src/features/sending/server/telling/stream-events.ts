import { sql } from 'kysely';
import { eventsNoted } from '#features/events/server/index.ts';
import type { Fragment } from '#platform/server/database.ts';
import type { MailingKind } from '../../rules/mailing.ts';

/** Whose sends an event is about. */
interface OfMailing {
  workspaceId: number;
  mailingId: number;
  kind: MailingKind;
}

/**
 * Says in the stream how sends ended. `sends` are rows with (id, contact_id, state, reason). For
 * a transactional message it also tells the place among the recipients of its call, because there
 * may be no contact.
 */
export const sendsNoted = ({ workspaceId, mailingId, kind }: OfMailing, sends: Fragment): Fragment => {
  const type = sql`'email.' || state as type, ${mailingId}::bigint as subject_id`;
  const data = sql`case when state <> 'sent' and reason is not null then jsonb_build_object('reason', reason) end`;
  return eventsNoted(
    sql`${workspaceId}::bigint`,
    kind === 'campaign'
      ? sql`select ${type}, ${data} as data, array_agg(contact_id) as contact_ids from ${sends} group by state, reason`
      : sql`select ${type}, coalesce(${data}, '{}') || jsonb_build_object('place', id) as data,
              array_remove(array[contact_id], null) as contact_ids from ${sends}`,
  );
};
