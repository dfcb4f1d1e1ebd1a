import { sql } from 'kysely';
import {
  adjustForAddresses,
  blockDomains,
  holdFigures,
  unblockDomains,
} from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { byReason } from '../carry-queries.ts';
import { deleteHashesOf, giveReasonsOfHashes, hasHashes } from '../hash-queries.ts';
import { patiently } from '../patience.ts';
import { countEntries, keyRows, type ListName } from '../queries.ts';
import { giveReasons, markByOthers } from '../reason-queries.ts';
import { givenByLifted, liftedOfOthers, type MovedEntry, moveOffList, putBack } from './lifting-queries.ts';

/*
 * One transaction's share of taking entries off a list or putting them back, with all figures. Each
 * takes the workspace's rollup lock and runs at most once per transaction. Neither waits longer
 * than `patiently` does; whoever has time tries again.
 */

/**
 * Entries per transaction. Other changes to the list, and imports that end, wait at most for one
 * piece.
 */
export const pieceSize = 5_000;

/** Takes these entries off the list, into an open lifting. Returns how many were there. */
export async function liftPiece(
  tx: TenantTx,
  workspaceId: number,
  list: ListName,
  liftingId: number,
  ids: readonly number[],
): Promise<number> {
  const gone = await patiently(tx, async () => {
    await holdFigures(tx, workspaceId);
    return moveOffList(tx, workspaceId, list, liftingId, ids);
  });
  if (gone.length === 0) return 0;
  await countEntries(
    tx,
    workspaceId,
    list,
    sql`select part, -entries as entries from (${byReason(gone)}) gone`,
  );
  if (list === 'domain') await unblockDomains(tx, workspaceId, domainsOf(gone));
  else {
    await adjustForAddresses(tx, workspaceId, keysOf(gone), -1);
    if (await hasHashes(tx, workspaceId)) await deleteHashesOf(tx, workspaceId, keyRows(keysOf(gone)));
  }
  return gone.length;
}

/**
 * Puts these entries of a lifting back. One that is on the list again keeps the weightier reason,
 * and each says what a hashed list says that has come in since. Returns how many were not there.
 */
export async function putBackPiece(
  tx: TenantTx,
  workspaceId: number,
  list: ListName,
  liftingId: number,
  ids: readonly number[],
): Promise<number> {
  const back = await patiently(tx, async () => {
    await holdFigures(tx, workspaceId);
    const put = await putBack(tx, workspaceId, list, liftingId, ids);
    if (list === 'email' && put.length < ids.length) {
      await giveReasons(tx, workspaceId, givenByLifted(workspaceId, liftingId, ids), 'owner');
      await markByOthers(tx, workspaceId, liftedOfOthers(workspaceId, liftingId, ids));
    }
    return put;
  });
  if (back.length === 0) return 0;
  await countEntries(tx, workspaceId, list, byReason(back));
  if (list === 'domain') await blockDomains(tx, workspaceId, domainsOf(back));
  else {
    await adjustForAddresses(tx, workspaceId, keysOf(back), 1);
    await giveReasonsOfHashes(tx, workspaceId, keyRows(keysOf(back)));
  }
  return back.length;
}

const keysOf = (entries: readonly MovedEntry[]) =>
  entries.map(({ local, domain }) => ({ local: local ?? '', domain }));

const domainsOf = (entries: readonly MovedEntry[]) =>
  sql`select * from unnest(${entries.map(({ domain }) => domain)}::text[]) as moved (domain)`;
