import type { Database, TenantTx } from '#platform/server/database.ts';
import type { JobDefinition, Jobs } from '#platform/server/jobs.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { SendKey, TrackedSend, TrackedSends } from '../sends-port.ts';
import { addressesOf, eachOnce, type Reader } from './addresses.ts';
import { hasGone, selectAddressesOfGone } from './gone-queries.ts';
import { carryPauses, deletePause, pairsFrom, selectPause, upsertPause } from './pause-queries.ts';

const goneJob = 'tracking.break-of-gone';

/** The send by which a break changes, and who reads it by now. `sentTo` is who got it. */
type BreakReader = SendKey & Reader & { sentTo: Pick<TrackedSend, 'contactId'> };

/**
 * Begins a reader's break of so many months, or ends it with null. It holds at once wherever they
 * are mailed by now. A job sees to the addresses that they have in the bin, because a bin with very
 * many removals takes long to go through. Returns until when the break goes.
 * @throws AppError `unavailable` while there is no queue for that job.
 */
export async function changeBreak(
  { db, jobs }: { db: Database; jobs: () => Jobs | undefined },
  workspaceId: number,
  reader: BreakReader,
  months: number | null,
): Promise<Date | null> {
  const changed = await db.asTenant(workspaceId, async (tx) => {
    for (const key of await addressesOf(tx, workspaceId, reader))
      await (months === null ? deletePause(tx, workspaceId, key) : upsertPause(tx, workspaceId, key, months));
    const until = await selectPause(tx, workspaceId, reader);
    return { until, isForGone: await hasGone(tx, workspaceId, reader.sentTo.contactId) };
  });
  if (changed.isForGone) {
    const { mailingId, sendId } = reader;
    const queue = jobs();
    if (!queue)
      throw new AppError('unavailable', 'The product has only just started. Try again in a moment.');
    // Once the break is stored: a job that is under way then may have read the earlier one.
    await queue.send(goneJob, { workspaceId, mailingId, sendId });
  }
  return changed.until;
}

/**
 * Gives the addresses of a reader's gone contacts the break that the address has to which the
 * message went. A contact that came back meanwhile takes it too, if its own is not longer, and has
 * none where that has none.
 */
export async function followBreak(
  tx: TenantTx,
  workspaceId: number,
  { contactId, local, domain }: Pick<TrackedSend, 'contactId' | 'local' | 'domain'>,
): Promise<void> {
  const sentTo = { local, domain };
  const gone = await selectAddressesOfGone(tx, workspaceId, contactId);
  const keys = await addressesOf(tx, workspaceId, { ...sentTo, contactId, sentTo });
  const hasEnded = (await selectPause(tx, workspaceId, sentTo)) === null;
  // A contact in the bin may have the address itself.
  for (const key of hasEnded ? [...gone, ...keys] : gone)
    if (key.local !== local || key.domain !== domain) await deletePause(tx, workspaceId, key);
  await carryPauses(tx, workspaceId, pairsFrom(sentTo, eachOnce([...keys, ...gone])));
}

/** Follows a break to the addresses in the bin. */
export const breakOfGone = (db: Database, sends: () => TrackedSends | undefined): JobDefinition => ({
  name: goneJob,
  // A statement in the background may take half of it.
  timeoutSeconds: 3600,
  async handler(data) {
    const workspaceId = Number(data.workspaceId);
    const key = { mailingId: Number(data.mailingId), sendId: Number(data.sendId) };
    await db.asTenant(workspaceId, async (tx) => {
      const [send] = (await sends()?.find(tx, workspaceId, [key])) ?? [];
      if (send) await followBreak(tx, workspaceId, send);
    });
  },
});
