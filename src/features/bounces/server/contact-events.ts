import { sql } from 'kysely';
import type { StoredContact } from '#features/contacts/rules.ts';
import type { TrackedSends } from '#features/tracking/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { BounceEvent } from '../contract/contact-events.ts';
import type { BounceKind } from '../rules/kinds.ts';

interface EventRow {
  mailingId: number;
  sendId: number;
  class: 'hard' | 'soft' | 'complaint';
  kind: string;
  said: string;
  at: Date;
}

/** What became of messages to a contact. */
export const tellEvents =
  (sends: () => TrackedSends | undefined) =>
  async (
    tx: TenantTx,
    workspaceId: number,
    { id }: Pick<StoredContact, 'id'>,
    limit: number,
  ): Promise<BounceEvent[]> => {
    const { rows } = await sql<EventRow>`
      select mailing_id as "mailingId", send_id as "sendId", class, kind, said, at from bounces
      where workspace_id = ${workspaceId} and contact_id = ${id} order by at desc limit ${limit}`.execute(tx);
    const found = rows.length > 0 ? await sends()?.find(tx, workspaceId, rows) : [];
    const names = new Map(found?.map(({ mailingId, mailing }) => [mailingId, mailing]));
    return rows.map((row): BounceEvent => {
      const { at, mailingId, said } = row;
      const told = { at: at.toISOString(), by: null, mailing: names.get(mailingId) ?? 'an email', said };
      return row.class === 'complaint'
        ? { kind: 'complained', ...told }
        : { kind: 'bounced', ...told, class: row.class, reason: row.kind as BounceKind };
    });
  };
