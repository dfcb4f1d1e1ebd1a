import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';

/** SQL that yields the `send_id` of each message that came back, or was complained of. */
export const sendsBack = (
  workspaceId: number,
  mailingId: number,
  event: 'bounce' | 'complaint',
): Fragment => sql`
  select b.send_id from bounces b
  where b.workspace_id = ${workspaceId} and b.mailing_id = ${mailingId} and b.event = ${event}`;

/** When messages came back or were complained of. */
export async function selectBack(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  sendIds: readonly number[],
): Promise<{ sendId: number; event: 'bounce' | 'complaint'; at: Date }[]> {
  const { rows } = await sql<{ sendId: number; event: 'bounce' | 'complaint'; at: Date }>`
    select send_id as "sendId", event, at from bounces
    where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and send_id = any(${[...sendIds]}::bigint[])`.execute(
    tx,
  );
  return rows;
}
