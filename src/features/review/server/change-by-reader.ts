import { sql } from 'kysely';
import { carrySuppressions } from '#features/suppressions/server/index.ts';
import { verifyNow } from '#features/verification/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { moveAddresses, movedAddresses } from './correction-queries.ts';
import { explain, forCaller } from './patience.ts';

/** Who it was, on the timeline and in the history of corrections. */
const byReader = 'the reader';

/** A correction that its reader has confirmed. It can be undone like every other. */
export const addressChanges = {
  async change(
    tx: TenantTx,
    workspaceId: number,
    contactId: number,
    { local, domain }: { local: string; domain: string },
  ): Promise<boolean> {
    const wanted = sql`
      select ${contactId}::bigint as contact_id, ${local}::text collate "C" as to_local,
        ${domain}::text collate "C" as to_domain`;
    return forCaller(tx, async () => {
      const moved = await moveAddresses(tx, workspaceId, wanted, { by: byReader, into: null }).catch(explain);
      if (!moved) return false;
      await carrySuppressions(tx, { workspaceId, email: byReader }, movedAddresses(workspaceId, moved));
      await verifyNow(tx, workspaceId, moved.contactIds);
      return true;
    });
  },
};
