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
  const rows = events.flatMap(({ type, subjectId = null, data = null, contactIds = [] }) =>
    shares(contactIds).map((share) => ({ type, data, subjectId, contactIds: share })),
  );
  await eventsNoted(
    sql`${workspaceId}::bigint`,
    sql`
      select e.type, e."subjectId" as subject_id, e.data, e."contactIds" as contact_ids
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as e(type text, "subjectId" bigint, data jsonb, "contactIds" bigint[])`,
  ).execute(tx);
}

/** At least one, which may be empty. */
function shares(ids: readonly number[]): (readonly number[])[] {
  if (ids.length <= mostContacts) return [ids];
  return [ids.slice(0, mostContacts), ...shares(ids.slice(mostContacts))];
}

/**
 * The statement that writes events, for a transaction of its own or as part of another statement.
 * `events` yields (type, subject_id, data, contact_ids), with up to 1,000 contacts each; null
 * stands for none.
 */
export const eventsNoted = (workspace: Fragment, events: Fragment) => sql`
  insert into event_inbox (workspace_id, type, subject_id, data, contact_ids)
  select ${workspace}, type, subject_id, data, coalesce(contact_ids, '{}') from (${events}) e`;

/**
 * The same for something that happened to many contacts: one event for each thousand. `contacts`
 * yields (id). `areInARow` says that nearly every id follows the one before, as those of an import
 * do. Then their numbers part them, which takes half the time of counting them.
 */
export const contactsNoted = (
  workspaceId: number,
  {
    type,
    subjectId = null,
    areInARow = false,
  }: Pick<NewEvent, 'type' | 'subjectId'> & { areInARow?: boolean },
  contacts: Fragment,
) => {
  const most = sql.lit(mostContacts);
  const shared = areInARow
    ? sql`select id, id / ${most} as share from (${contacts}) c`
    : sql`select id, (row_number() over () - 1) / ${most} as share from (${contacts}) c`;
  return eventsNoted(
    sql`${workspaceId}::bigint`,
    sql`
      select ${sql.lit(type)} as type, ${subjectId}::bigint as subject_id, null::jsonb as data,
        array_agg(id) as contact_ids
      from (${shared}) c
      group by share order by share`,
  );
};
