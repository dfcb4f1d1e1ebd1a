import { sql } from 'kysely';
import { inBackground } from '#platform/server/call-context.ts';
import type { Database } from '#platform/server/database.ts';

/** How many statements wait for what others hold: rows and the product's own locks. */
export const waitingForLocks = ({ database }: { database: Database }): Promise<number> =>
  inBackground(async () => {
    const { rows } = await sql<{ waiting: number }>`
      select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.system);
    return Number(rows[0]?.waiting);
  });
