import type { TenantTx } from '#platform/server/database.ts';
import { port } from '#platform/server/ports.ts';

/** What the events of mailings are about, as people know it. */
export interface MailingSubject {
  mailingId: number;
  /** Null: a batch of transactional messages. */
  campaignId: number | null;
}

/** The feature that sends tells what its mailings were made for. */
export const mailingSubjectsPort =
  port<(tx: TenantTx, workspaceId: number, mailingIds: readonly number[]) => Promise<MailingSubject[]>>(
    'events.mailing-subjects',
  );
