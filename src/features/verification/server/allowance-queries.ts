import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { Allowance } from '../rules.ts';

/**
 * Takes one use from a person's allowance and answers 0, or takes nothing and answers the seconds
 * until one is free. An allowance is full when its time has passed. Each use moves that time on by
 * what it takes to give one back.
 */
export async function takeUse(
  tx: TenantTx,
  workspaceId: number,
  userId: number,
  { burst, perSecond }: Allowance,
): Promise<number> {
  const oneMore = sql`make_interval(secs => ${1 / perSecond})`;
  const room = (burst - 1) / perSecond;
  const taken = await sql`
    insert into verification_uses as u (workspace_id, user_id, full_at)
    values (${workspaceId}, ${userId}, clock_timestamp() + ${oneMore})
    on conflict (workspace_id, user_id) do update set full_at = greatest(u.full_at, clock_timestamp()) + ${oneMore}
      where u.full_at <= clock_timestamp() + make_interval(secs => ${room})`.execute(tx);
  if (Number(taken.numAffectedRows ?? 0) > 0) return 0;
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from full_at - clock_timestamp())::float8 - ${room}::float8 as seconds
    from verification_uses where workspace_id = ${workspaceId} and user_id = ${userId}`.execute(tx);
  // A use may have come back between the two statements. The next call will then find it.
  return Math.max(rows[0]?.seconds ?? 0, 0.001);
}
