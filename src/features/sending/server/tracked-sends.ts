import { sql } from 'kysely';
import type { LinkSite } from '#features/links/server/index.ts';
import type { TrackedSend, TrackedSends } from '#features/tracking/server/index.ts';
import { selectVariantOf } from './ab-test/test-queries.ts';
import { messageWriter } from './engine/writer.ts';
import { selectMailing } from './mailing-queries.ts';
import { selectFillingOf } from './send-queries.ts';

/** What the links of messages ask of the ledger. */
export const trackedSends = (site: LinkSite): TrackedSends => ({
  all: sql`select workspace_id, mailing_id, id as send_id, contact_id, handed_at from sends`,
  async find(tx, workspaceId, sends) {
    const { rows } = await sql<TrackedSend>`
      select s.mailing_id as "mailingId", s.id as "sendId", s.contact_id as "contactId", s.local, s.domain,
        s.handed_at as "handedAt", m.name as mailing, m.kind = 'test' as "isTest"
      from unnest(${sends.map(({ mailingId }) => mailingId)}::bigint[], ${sends.map(({ sendId }) => sendId)}::bigint[])
        k(mailing_id, id)
      join sends s on s.workspace_id = ${workspaceId} and s.mailing_id = k.mailing_id and s.id = k.id
      join mailings m on m.workspace_id = ${workspaceId} and m.id = k.mailing_id`.execute(tx);
    return rows;
  },
  async page(tx, workspaceId, send) {
    const variant = await selectVariantOf(tx, workspaceId, send);
    const mailing = await selectMailing(tx, workspaceId, send.mailingId, variant);
    const filling = mailing && (await selectFillingOf(tx, workspaceId, send, mailing));
    return filling
      ? messageWriter(mailing, site, null, null).page(filling, mailing.startedAt ?? mailing.createdAt)
      : null;
  },
});
