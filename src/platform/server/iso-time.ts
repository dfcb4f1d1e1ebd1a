import { type RawBuilder, sql } from 'kysely';

/**
 * A time to the second, as files write it: `2026-03-09T10:00:00Z`. It does not depend on the
 * session's date style or time zone.
 */
export const isoTime = (time: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
