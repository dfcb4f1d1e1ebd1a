import { type RawBuilder, sql } from 'kysely';

/**
 * A time as files write it, to the second: `2026-03-09T10:00:00Z`, whatever the session's own style
 * and zone are.
 */
export const isoTime = (time: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
