import { sql } from 'kysely';
import type { Fragment } from '#platform/server/database.ts';

/** Ranges of ids at even distances, and how many contacts each of them holds on average. */
const windows = 1000;
const contactsPerWindow = 16;
/** Contacts may lie close together, in few of the windows. */
const mostPerWindow = 5_000;

/**
 * Some 16,000 contacts `c` of a workspace that has `all` of them, for a `from`. The windows are as
 * wide as its contacts lie apart, so that each contact is as likely as any other to be in one. They
 * are the same every time, so that estimates stay as they are.
 */
export const sampledContacts = (workspaceId: number, all: number): Fragment => sql`(
  with ends as materialized (
    select (select min(id) from contacts where workspace_id = ${workspaceId}) as first,
           (select max(id) from contacts where workspace_id = ${workspaceId}) as last
  ),
  places as materialized (
    select first + (last - first + 1 - width) * place / ${sql.lit(windows - 1)} as first, width
    from ends
    cross join lateral (
      select greatest((last - first + 1) * ${sql.lit(contactsPerWindow)} / ${Math.max(all, 1)}::bigint, 1) as width
    ) w
    cross join generate_series(0, ${sql.lit(windows - 1)}) place
  )
  select in_window.* from places
  cross join lateral (
    select * from contacts w
    where w.workspace_id = ${workspaceId} and w.id >= places.first and w.id < places.first + places.width
    order by w.id limit ${sql.lit(mostPerWindow)}
  ) in_window
) c`;
