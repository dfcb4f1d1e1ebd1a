import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import { takeLock } from '#platform/server/locks.ts';
import type { Starts } from '#platform/server/start-limits.ts';
import { importStartsLock } from './locks.ts';

/**
 * How many imports a person started recently and the workspace has running, without `except`.
 * Whoever starts one asks first in the same transaction, and holds a lock until its end, so that
 * many starts at the same moment are all counted.
 */
export async function countStarts(
  tx: TenantTx,
  workspaceId: number,
  of: { createdBy: string | null; aMinute: number; except: number | null },
): Promise<Starts> {
  await takeLock(tx, importStartsLock, workspaceId);
  const { rows } = await sql<Starts>`
    select (
      select ceil(60 - extract(epoch from clock_timestamp() - created_at))::int from imports
      where workspace_id = ${workspaceId} and created_by = ${of.createdBy}
        and created_at > clock_timestamp() - interval '1 minute'
      order by created_at desc offset ${of.aMinute - 1}::bigint limit 1
    ) as "secondsToWait", (
      select count(*) from imports
      where workspace_id = ${workspaceId} and status in ('uploading', 'checking', 'processing')
        and (lease_until is null or lease_until > now()) and id is distinct from ${of.except}::bigint
    ) as "underWay"`.execute(tx);
  return rows[0] ?? { secondsToWait: null, underWay: 0 };
}
