import { sql } from 'kysely';
import type { StoredContact } from '#features/contacts/rules.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { TrackingEvent } from '../contract/contact-events.ts';
import type { SendKey, TrackedSends } from './sends-port.ts';

interface EventRow extends SendKey {
  kind: 'opened' | 'clicked' | 'unsubscribed';
  at: Date;
  url: string | null;
}

/** The first open, the first click on each link, and the leaving, for each message. */
async function selectEvents(
  tx: TenantTx,
  workspaceId: number,
  contactId: number,
  limit: number,
): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    with own as materialized (
      select * from tracked_sends where workspace_id = ${workspaceId} and contact_id = ${contactId}
      order by mailing_id desc limit ${limit}
    )
    select e.* from (
      select 'opened' as kind, mailing_id as "mailingId", send_id as "sendId", human_opened_at as at, null as url
      from own where human_opened_at is not null
      union all
      select 'unsubscribed', mailing_id, send_id, left_at, null from own where left_at is not null
      union all
      select 'clicked', o.mailing_id, o.send_id, min(e.at), l.url
      from own o
      join tracking_events e on e.workspace_id = ${workspaceId} and e.mailing_id = o.mailing_id and e.send_id = o.send_id
        -- No click is older than the first one: months before that are not looked at.
        and e.at >= o.clicked_at
      join mailing_links l on l.workspace_id = ${workspaceId} and l.mailing_id = o.mailing_id and l.number = e.link
      where e.kind = 'click' and e.is_human and o.human_clicked_at is not null
      group by o.mailing_id, o.send_id, l.url
    ) e
    order by e.at desc limit ${limit}`.execute(tx);
  return rows;
}

/** What a contact did with the messages that it got. */
export const tellEvents =
  (sends: () => TrackedSends | undefined) =>
  async (
    tx: TenantTx,
    workspaceId: number,
    { id }: Pick<StoredContact, 'id'>,
    limit: number,
  ): Promise<TrackingEvent[]> => {
    const rows = await selectEvents(tx, workspaceId, id, limit);
    const found = rows.length > 0 ? await sends()?.find(tx, workspaceId, rows) : [];
    const names = new Map(found?.map(({ mailingId, mailing }) => [mailingId, mailing]));
    return rows.map(({ kind, at, mailingId, url }): TrackingEvent => {
      const told = { at: at.toISOString(), by: null, mailing: names.get(mailingId) ?? 'an email' };
      return kind === 'clicked' ? { kind, ...told, url: url ?? '' } : { kind, ...told };
    });
  };

/** When a contact `c` last did something with a message, as far as people count. */
export const lastActivity = (workspaceId: number): Fragment => sql`(
  select max(greatest(t.human_opened_at, t.human_clicked_at, t.left_at)) from tracked_sends t
  where t.workspace_id = ${workspaceId} and t.contact_id = c.id
)`;
