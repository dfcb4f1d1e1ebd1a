import { type RawBuilder, sql } from 'kysely';
import { recordAudit } from '#features/audit/server/thread.ts';
import { adjustForAddresses, holdFigures } from '#features/rollups/server/thread.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { writtenAddress } from '../rules.ts';
import {
  addressesSince,
  anyToCarry,
  byReason,
  carryMany,
  givenByPairs,
  insertCarried,
  insertRecognised,
  newestEntry,
  pairsOfOthers,
  selectSince,
} from './carry-queries.ts';
import { givenByHashes, hasHashes } from './hash-queries.ts';
import { expectMany } from './lists/batch-queries.ts';
import { patiently } from './patience.ts';
import { countEntries, countsGiven } from './queries.ts';
import { giveReasons, markByOthers } from './reason-queries.ts';

/**
 * For contacts that get another address, or several that become one. If the old address was
 * suppressed, the new one is too, and the old entry stays; but a bounce goes only from one address
 * of a mailbox to another. Where the new one is on the list by hand, its entry says from then on
 * that the owner has left. New addresses on a hashed list are recognised. `pairs` yields
 * (from_local, from_domain, to_local, to_domain, is_same_mailbox). Returns how many addresses are
 * new on the list.
 * @throws LockBusy when the list is being changed for longer than 0.8 s.
 */
export async function carrySuppressions(
  tx: TenantTx,
  actor: { workspaceId: number; email: string },
  pairs: RawBuilder<unknown>,
): Promise<number> {
  const { workspaceId } = actor;
  const { carried, recognised } = await patiently(tx, async () => {
    await holdFigures(tx, workspaceId);
    const carried = await insertCarried(tx, workspaceId, pairs, actor.email);
    const isHashed = await hasHashes(tx, workspaceId);
    const recognised = isHashed ? await insertRecognised(tx, workspaceId, pairs) : [];
    // After the inserts, so that several old addresses of one new address are all heard.
    await giveReasons(tx, workspaceId, givenByPairs(workspaceId, pairs), 'owner');
    await markByOthers(tx, workspaceId, pairsOfOthers(workspaceId, pairs));
    const keys = sql`select to_local as local, to_domain as domain from (${pairs}) p`;
    if (isHashed) await giveReasons(tx, workspaceId, givenByHashes(workspaceId, keys));
    return { carried, recognised };
  });
  const added = [...carried, ...recognised];
  if (added.length === 0) return 0;
  await countEntries(tx, workspaceId, 'email', byReason(added));
  await adjustForAddresses(tx, workspaceId, added, 1);
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: 'suppression.carried_over',
    subject: 'suppressions',
    details: {
      added: added.length,
      recognised: recognised.length,
      addresses: added.slice(0, 100).map(writtenAddress),
    },
  });
  return added.length;
}

/** Whether `carryWithImport` has anything to carry. It asks without a lock. `pairs` as there. */
export const hasToCarry = async (tx: TenantTx, workspaceId: number, pairs: Fragment): Promise<boolean> =>
  anyToCarry(tx, workspaceId, pairs, { isHashed: await hasHashes(tx, workspaceId) });

/**
 * `carrySuppressions` for the contacts of an import, which are counted already, and whose old
 * addresses were never a contact's. `pairs` yields (from_local, from_domain, to_local, to_domain).
 * The caller holds the list (`holdList`).
 */
export async function carryWithImport(
  tx: TenantTx,
  workspaceId: number,
  pairs: Fragment,
  createdBy: string | null,
): Promise<void> {
  // Mended rows are few, and the list may be long.
  await expectMany(tx, false);
  const newest = await newestEntry(tx, workspaceId);
  const isHashed = await hasHashes(tx, workspaceId);
  const changes = await carryMany(tx, workspaceId, pairs, { createdBy, isHashed });
  await countEntries(tx, workspaceId, 'email', countsGiven(changes));
  const { added, first } = await selectSince(tx, workspaceId, newest);
  if (added === 0) return;
  await adjustForAddresses(tx, workspaceId, addressesSince(workspaceId, newest), 1);
  await recordAudit(tx, workspaceId, {
    actor: createdBy,
    action: 'suppression.carried_over',
    subject: 'suppressions',
    details: { added, recognised: 0, addresses: first.map(writtenAddress) },
  });
}
