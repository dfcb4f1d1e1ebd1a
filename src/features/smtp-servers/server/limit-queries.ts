import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import { prepared } from '#platform/server/prepared.ts';
import { type Room, roomOf, type ServerLimits } from '../rules/limit.ts';

/**
 * Counts as many of the wanted messages as a server may get now. All processes count in its row. A
 * server that is gone has no limit.
 */
export async function takeRoom(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  asked: { wanted: number; returned: number },
): Promise<Pick<Room, 'count' | 'full'>> {
  const { rows } = await sql<ServerLimits>`${prepared}
    select per_hour as "perHour", per_minute as "perMinute", hour_next_at as "hourNextAt",
      minute_next_at as "minuteNextAt"
    from smtp_servers where workspace_id = ${workspaceId} and id = ${id} for update`.execute(tx);
  const [limits] = rows;
  if (!limits) return { count: asked.wanted, full: null };
  // Not before the lock: others may have filled what was free.
  const clock = await sql<{ now: Date }>`${prepared} select clock_timestamp() as now`.execute(tx);
  const { now } = clock.rows[0] as { now: Date };
  const { count, full, hourNextAt, minuteNextAt } = roomOf(limits, asked, now);
  const isNews =
    hourNextAt.getTime() !== limits.hourNextAt.getTime() ||
    minuteNextAt.getTime() !== limits.minuteNextAt.getTime();
  if (isNews)
    await sql`${prepared}
      update smtp_servers set hour_next_at = ${hourNextAt}, minute_next_at = ${minuteNextAt}
      where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
  return { count, full };
}
