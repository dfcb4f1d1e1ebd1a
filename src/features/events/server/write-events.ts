import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';

/** Contacts of one event. A reader takes them at once, and a million have a thousand events. */
const mostContacts = 1_000;

/** Something that happened. */
export interface NewEvent {
  /** As a feature declares it (`streamTypes`): 'list.joined'. */
  type: string;
  /** The number of what it is about: of the list, the import, the mailing. */
  subjectId?: number | null;
  data?: Readonly<Record<string, unknown>>;
  contactIds?: readonly number[];
}

/** Writes events into the stream. They are there once the transaction commits. */
export async function noteEvents(
  tx: TenantTx,
  workspaceId: number,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ type, subjectId = null, data = null, contactIds = [] }) => ({
    ...{ type, data, contactIds },
    subjectId,
  }));
  await eventsNoted(
    sql`${workspaceId}::bigint`,
    sql`
      select e.type, e."subjectId" as subject_id, e.data, c.id as contact_id
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as e(type text, "subjectId" bigint, data jsonb, "contactIds" jsonb)
      left join lateral jsonb_array_elements_text(e."contactIds") as i(id) on true
      left join lateral (select i.id::bigint as id) c on true`,
  ).execute(tx);
}

/**
 * The statement that writes events, for a transaction of its own or as part of another statement.
 * `rows` yields (type, subject_id, data, contact_id): those of the same type, subject and data are
 * one event with all their contacts, or some events of many. A row without a contact is about none.
 */
export const eventsNoted = (workspace: Fragment, rows: Fragment) => sql`
  insert into event_inbox (workspace_id, type, subject_id, data, contact_ids)
  select ${workspace}, type, subject_id, data, coalesce(array_agg(contact_id) filter (where contact_id is not null), '{}')
  from (
    select type, subject_id, data, contact_id,
      (row_number() over (partition by type, subject_id, data order by contact_id) - 1) / ${sql.lit(mostContacts)} as share
    from (${rows}) r
  ) r
  group by type, subject_id, data, share
  order by min(contact_id)`;
