import { sql } from 'kysely';
import type { Fragment } from '#platform/server/database.ts';
import type { ExportColumn } from './export-queries.ts';

/** The names of a contact's lists or tags, A to Z, put together by an aggregate. */
const namesOf = (
  members: string,
  groups: string,
  key: string,
  aggregate: (name: Fragment) => Fragment,
): Fragment => sql`(
  select ${aggregate(sql`g.name`)} from ${sql.table(members)} m
  join ${sql.table(groups)} g on g.workspace_id = m.workspace_id and g.id = ${sql.ref(`m.${key}`)}
  where m.workspace_id = c.workspace_id and m.contact_id = c.id and g.deleted_at is null)`;

const inText = (name: Fragment): Fragment => sql`string_agg(${name}, '; ' order by lower(${name}), g.id)`;
const inJson = (name: Fragment): Fragment =>
  sql`coalesce(json_agg(${name} order by lower(${name}), g.id), '[]')`;

/**
 * Columns with the names of a contact's lists and tags. People named them, so they may hold
 * anything.
 */
export const membershipColumns: readonly ExportColumn[] = (
  [
    ['lists', 'list_members', 'lists', 'list_id'],
    ['tags', 'contact_tags', 'tags', 'tag_id'],
  ] as const
).map(([header, members, groups, key]) => ({
  header,
  value: namesOf(members, groups, key, inText),
  json: namesOf(members, groups, key, inJson),
  isWritten: true,
  ifTaken: `contact_${header}`,
}));
