import { otherAddressesOf } from '#features/contacts/server/index.ts';
import { holdFigures } from '#features/rollups/server/index.ts';
import {
  canTakeBack,
  entryOf,
  liftForRecipient,
  suppressRecipients,
} from '#features/suppressions/server/index.ts';
import type { Database, Fragment, TenantTx } from '#platform/server/database.ts';
import { each } from '#platform/server/each-workspace.ts';
import { LockBusy, waitAtMost } from '#platform/server/locks.ts';
import type { Log } from '#platform/server/logging.ts';
import { eventStatement } from '../queries.ts';
import type { SendKey, TrackedSend, TrackedSends } from '../sends-port.ts';
import type { Topics } from '../topics-port.ts';
import { addressesOf, addressesToComeBackTo, eachOnce, ownLeaving, type Reader } from './addresses.ts';
import { selectAddressesOfGone, selectAddressesOfGoneWithin } from './gone-queries.ts';
import { type AddressKey, carryPauses, pairsFrom, selectPause } from './pause-queries.ts';
import {
  carryOpenWishes,
  deleteOpenWishes,
  endWish,
  hasLeftBy,
  hasOpenWish,
  insertWish,
  selectOpenWishes,
  type Wish,
  type WishRow,
} from './wish-queries.ts';

export interface Parts {
  db: Database;
  sends: () => TrackedSends | undefined;
}

/**
 * How long a wish waits for others in total, in milliseconds. Less than PostgreSQL takes to see a
 * deadlock, and less than the second that unsubscribing may take.
 */
export const patienceMs = 800;

/** How much of that goes by, at most, while the bin is gone through. */
const binMs = patienceMs / 2;

/**
 * Writes down that somebody leaves. From then on nothing is handed over to any of their addresses.
 */
export async function storeWish({ db }: Parts, workspaceId: number, wish: Wish & Reader): Promise<void> {
  await db.asTenant(workspaceId, async (tx) =>
    insertWish(tx, workspaceId, wish, await addressesOf(tx, workspaceId, wish)),
  );
}

/** An open wish holds at the addresses of gone contacts too: they may be back before its end. */
export async function wishForGone(
  tx: TenantTx,
  workspaceId: number,
  wish: Pick<Wish, 'contactId'> & AddressKey,
): Promise<void> {
  const gone = await selectAddressesOfGoneWithin(tx, workspaceId, wish.contactId, binMs);
  if (gone.length === 0) return;
  await carryOpenWishes(tx, workspaceId, pairsFrom(wish, gone));
}

/**
 * Carries a wish out. It waits at most `listMs` milliseconds for the list and for whoever counts
 * what its reader did. `goneOf`: the contact whose gone addresses the wish has not got yet.
 */
export async function carryOut(
  { db, sends }: Parts,
  workspaceId: number,
  send: SendKey,
  { listMs, goneOf }: { listMs: number; goneOf: number | null },
): Promise<void> {
  await db.asTenant(workspaceId, async (tx) => {
    // Before the wish is held: whoever takes it back waits for that, and this may take long.
    const gone = await selectAddressesOfGone(tx, workspaceId, goneOf);
    // Before anything is done: it may have been taken back meanwhile, or its reader erased.
    const wished = await endWish(tx, workspaceId, send);
    const [first] = wished;
    if (!first) return;
    // Whoever comes back finds them by these rows, without the bin.
    await insertWish(tx, workspaceId, { ...send, ...first }, gone, { isDone: true });
    await waitAtMost(tx, listMs, 'The suppression list is being changed', async () => {
      const isNews = await suppressReader(tx, workspaceId, first, [...wished, ...gone]);
      // The button of a mail provider and ours may have been pressed at once.
      if (isNews || !(await hasLeftBy(tx, workspaceId, send)))
        await tellLeaving(tx, workspaceId, send, sends());
    });
  });
}

async function tellLeaving(
  tx: TenantTx,
  workspaceId: number,
  { mailingId, sendId }: SendKey,
  sends: TrackedSends | undefined,
): Promise<void> {
  if (!sends) return;
  const nothing = { device: null, program: null, country: null, agentHash: null, link: null } as const;
  const person = { agent: 'person', isUnseen: false, isHuman: true, at: Date.now() } as const;
  const event = { mailingId, sendId, kind: 'leave', ...person, ...nothing } as const;
  await eventStatement(workspaceId, sends.all, [event]).execute(tx);
}

/**
 * Suppresses a reader at these addresses and wherever they are mailed by now. `wish` is a row of
 * theirs. Returns whether they had not left before at one of these addresses.
 */
async function suppressReader(
  tx: TenantTx,
  workspaceId: number,
  wish: WishRow,
  addresses: readonly AddressKey[],
): Promise<boolean> {
  // Whoever gives the contact another address holds them until that can be seen.
  await holdFigures(tx, workspaceId);
  const keys = eachOnce([...addresses, ...(await otherAddressesOf(tx, workspaceId, wish))]);
  let isNews = false;
  for (const key of keys) isNews ||= !isOwnWish(await entryOf(tx, workspaceId, key));
  const note = wish.mailing === null ? null : `From “${wish.mailing}”`;
  await suppressRecipients(
    tx,
    workspaceId,
    keys.map((key) => ({ ...key, reason: 'unsubscribed', note })),
  );
  return isNews;
}

/** So many times the busy suppression list is tried. Then the wishes wait for the next minute. */
const mostWaits = 3;

/** Carries out the wishes that had to wait. One that fails does not keep the others waiting. */
export async function carryOutWishes(
  context: Parts & { log: Log },
  workspaceId: number,
  signal?: AbortSignal,
): Promise<void> {
  const { db, log } = context;
  const open = await db.asTenant(workspaceId, (tx) => selectOpenWishes(tx, workspaceId));
  const failed = 'A wish to leave could not be carried out';
  const about = ({ mailingId, sendId }: SendKey) => ({ workspaceId, mailingId, sendId });
  let waits = 0;
  await each(open, { failed, log, signal, about }, async (wish) => {
    if (waits === mostWaits) return;
    try {
      await carryOut(context, workspaceId, wish, { listMs: patienceMs, goneOf: wish.contactId });
    } catch (error) {
      if (error instanceof LockBusy) waits++;
      throw error;
    }
  });
}

/**
 * Takes a leaving back that is not older than an hour; a break goes on. Returns whether there was
 * one.
 */
export async function comeBack(tx: TenantTx, workspaceId: number, reader: Reader): Promise<boolean> {
  const keys = await addressesToComeBackTo(tx, workspaceId, reader);
  // Before the list is held: whoever carries a wish out holds it, and then waits for the list.
  let isDone = await deleteOpenWishes(tx, workspaceId, reader.contactId, keys);
  // Whoever was carrying one out just then has suppressed more addresses.
  const keysByNow = await addressesToComeBackTo(tx, workspaceId, reader);
  for (const key of eachOnce([...keys, ...keysByNow])) {
    const why = 'The recipient took it back';
    const isLifted = await liftForRecipient(tx, workspaceId, key, { ...ownLeaving, why });
    isDone ||= isLifted;
  }
  return isDone;
}

/**
 * For contacts that get another address, or several that become one: a break, an open wish to leave
 * and the topics that they have left hold there too. `pairs` yields (contact_id, from_local,
 * from_domain, to_local, to_domain): the contact that had the old address, both addresses.
 */
export async function carryStayingAway(
  { topics }: { topics: () => Topics | undefined },
  tx: TenantTx,
  workspaceId: number,
  pairs: Fragment,
): Promise<void> {
  await carryPauses(tx, workspaceId, pairs);
  await carryOpenWishes(tx, workspaceId, pairs);
  await topics()?.carryLeft(tx, workspaceId, pairs);
}

/** Whether somebody gets emails, and whether they can still take their leaving back. */
export interface Standing {
  hasLeft: boolean;
  /** They asked for it, or must be taken to have. Others on the list can still leave. */
  isOwnWish: boolean;
  canComeBack: boolean;
  /** The end of their break, also while they have left: it holds again once they come back. */
  pausedUntil: Date | null;
}

const ownWishes: readonly string[] = ['unsubscribed', 'complained', 'erased'];
const isOwnWish = (entry: Awaited<ReturnType<typeof entryOf>>): boolean =>
  entry !== undefined && ownWishes.includes(entry.reason);

export async function standingOf(tx: TenantTx, workspaceId: number, key: AddressKey): Promise<Standing> {
  const entry = await entryOf(tx, workspaceId, key);
  const pausedUntil = await selectPause(tx, workspaceId, key);
  if (await hasOpenWish(tx, workspaceId, key))
    return { hasLeft: true, isOwnWish: true, canComeBack: entry === undefined, pausedUntil };
  return {
    hasLeft: entry !== undefined,
    isOwnWish: isOwnWish(entry),
    canComeBack: entry !== undefined && canTakeBack(entry, ownLeaving),
    pausedUntil,
  };
}

/**
 * Where the reader of a message stands, and the contact that they are by now. Whoever has left at
 * their address and is mailed at another is met at that one: what they want is about those emails.
 * `sentTo` is where the message went.
 */
export async function meetReader(
  tx: TenantTx,
  workspaceId: number,
  send: TrackedSend,
  sentTo: AddressKey,
): Promise<{ send: TrackedSend; standing: Standing }> {
  const standing = await standingOf(tx, workspaceId, send);
  if (!standing.isOwnWish) return { send, standing };
  const { contactId, local, domain } = send;
  let isOwnWish = true;
  for (const other of await otherAddressesOf(tx, workspaceId, { contactId, local, domain })) {
    const there = await standingOf(tx, workspaceId, other);
    if (!there.hasLeft) return { send: { ...send, ...other }, standing: there };
    isOwnWish &&= there.isOwnWish;
  }
  let canComeBack = false;
  for (const key of await addressesToComeBackTo(tx, workspaceId, { ...send, sentTo }))
    canComeBack ||= (await standingOf(tx, workspaceId, key)).canComeBack;
  return { send, standing: { ...standing, isOwnWish, canComeBack } };
}
