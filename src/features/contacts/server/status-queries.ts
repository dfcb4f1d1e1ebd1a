import { sql } from 'kysely';
import type { Fragment } from '#platform/server/database.ts';
import { contactStates } from '../rules.ts';
/**
 * The joins that find what suppresses the contact `c`: `s` is its own entry on the list, `b` its
 * blocked domain. They join on unique keys, so they add no rows. The planner may hash them for
 * millions of contacts or probe them for a page.
 */
export const suppressionJoins: Fragment = sql`
  left join suppressions s on s.workspace_id = c.workspace_id and s.domain = c.domain and s.local = c.local
  left join contact_domains b on b.workspace_id = c.workspace_id and b.domain = c.domain and b.blocked`;

/** Contacts with what suppresses them. */
export const contactsWithSuppression: Fragment = sql`contacts c ${suppressionJoins}`;

/** Needs `contactsWithSuppression`. */
export const isSuppressed: Fragment = sql`(s.id is not null or b.domain is not null)`;

/** The status as text. Needs `contactsWithSuppression`. */
export const statusText: Fragment = sql`case
  when ${isSuppressed} then 'suppressed'
  when c.state = ${sql.lit(contactStates.invalid)} then 'invalid'
  when c.state = ${sql.lit(contactStates.copy)} then 'duplicate'
  else 'active' end`;
