import { sql } from 'kysely';
import type { StoredContact } from '#features/contacts/rules.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { SendingEvent } from '../../contract/contact-events.ts';

/** Campaigns that are looked through, the newest. */
const mostLookedAt = 500;

/**
 * The campaigns that a contact was sent. Each is asked by its primary key, since a send has the id
 * of its contact: an index by contact would cost every send of every campaign.
 */
export async function tellEvents(
  tx: TenantTx,
  workspaceId: number,
  { id }: Pick<StoredContact, 'id'>,
  limit: number,
): Promise<SendingEvent[]> {
  const { rows } = await sql<{ mailing: string; at: Date }>`
    select m.name as mailing, s.at
    from (
      select id, name from mailings
      where workspace_id = ${workspaceId} and kind = 'campaign' and started_at is not null
      order by id desc limit ${sql.lit(mostLookedAt)}
    ) m
    cross join lateral (
      select coalesce(handed_at, ended_at) as at from sends
      where workspace_id = ${workspaceId} and mailing_id = m.id and id = ${id} and state = 'sent'
      limit 1
    ) s
    order by s.at desc limit ${limit}`.execute(tx);
  return rows.map(({ mailing, at }) => ({ kind: 'mailed', at: at.toISOString(), by: null, mailing }));
}
