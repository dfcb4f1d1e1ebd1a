import { sql } from 'kysely';
import type { References } from '#features/messages/server/index.ts';
import type { TrackedSends } from '#features/tracking/server/index.ts';
import { messageWriter } from './engine/writer.ts';
import { selectMailing } from './mailing-queries.ts';
import { selectFillingOf } from './send-queries.ts';

/** What the links of messages ask of the ledger. */
export const trackedSends = (site: { publicUrl: string; references: References }): TrackedSends => ({
  async find(tx, workspaceId, { mailingId, sendId }) {
    const { rows } = await sql<{ local: string; domain: string; handedAt: Date | null }>`
      select local, domain, handed_at as "handedAt" from sends
      where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and id = ${sendId}`.execute(tx);
    return rows[0] ?? null;
  },
  async page(tx, workspaceId, send) {
    const mailing = await selectMailing(tx, workspaceId, send.mailingId);
    const filling = mailing && (await selectFillingOf(tx, workspaceId, send));
    return filling
      ? messageWriter(mailing, site, null).page(filling, mailing.startedAt ?? mailing.createdAt)
      : null;
  },
});
