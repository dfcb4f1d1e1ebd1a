import { sql } from 'kysely';
import type { Fragment } from '#platform/server/database.ts';
import { londonMoment } from '#platform/shared/london-time.ts';

/** What files and programs call the field with a contact's time zone. */
const fields = [
  ...['timezone', 'TIMEZONE', 'Timezone', 'TimeZone', 'timeZone', '$timezone'],
  ...['time zone', 'Time zone', 'Time Zone', 'TIME ZONE', 'time_zone', 'Time_Zone', 'TIME_ZONE'],
];

/**
 * When the clocks of each recipient show a time, as a join `z` with `due` for the contacts `c`.
 * Zones have their names in the IANA database, such as `Europe/Paris`. A contact without one that
 * is known is taken to be in London. Where a time comes twice, as clocks are put back, the first is
 * meant; PostgreSQL means the second. One that is left out is taken as an hour later.
 *
 * @param wall As `2026-11-24T10:00`.
 */
export function dueByZone(wall: string): { join: Fragment; due: Fragment } {
  const inLondon = londonMoment(wall);
  if (!inLondon) throw new RangeError(`no time of a day: ${wall}`);
  const named = sql.join(
    fields.map((field) => sql`c.attributes ->> ${sql.lit(field)}`),
    sql`, `,
  );
  return {
    join: sql`left join (
        select lower(name) as zone, min(coalesce(
          (select min(first) from unnest(array[at - interval '1 hour', at - interval '30 minutes']) as first
           where first at time zone name = ${wall}::timestamp), at)) as at
        from (select name, ${wall}::timestamp at time zone name as at from pg_timezone_names) named
        where name <> 'Europe/London' group by 1
      ) z on z.zone = lower(replace(trim(coalesce(${named})), ' ', '_'))`,
    due: sql`coalesce(z.at, ${inLondon.toISOString()}::timestamptz)`,
  };
}
