import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { Allowance } from '../rules.ts';

/**
 * Takes one of what a person may have verified and answers 0, or takes nothing and answers the
 * seconds until there is one. A full allowance is one whose time is past; each use moves that time
 * on by what it takes to be given back.
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
  // It may have come back between the two statements; then it is there at the next call.
  return Math.max(rows[0]?.seconds ?? 0, 0.001);
}
