import { otherAddressesOf } from '#features/contacts/server/index.ts';
import { holdFigures } from '#features/rollups/server/index.ts';
import {
  canTakeBack,
  entryOf,
  liftForRecipient,
  suppressRecipients,
} from '#features/suppressions/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { each } from '#platform/server/each-workspace.ts';
import { LockBusy, waitAtMost } from '#platform/server/locks.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { TrackingContext } from '../context.ts';
import { eventStatement } from '../queries.ts';
import type { SendKey, TrackedSend } from '../sends-port.ts';
import { addressesOf, addressesToComeBackTo, eachOnce, type Reader } from './addresses.ts';
import { type AddressKey, carryPauses, selectPause } from './pause-queries.ts';
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

type Parts = Pick<TrackingContext, 'db' | 'sends'>;

/** What somebody can take back on the page, and for how long. */
const ownLeaving = { reason: 'unsubscribed', minutes: 60 };

/**
 * Somebody leaves. The wish is safe once this answers, and from then on nothing is handed over to
 * any of their addresses. As a rule it is carried out by then too; while the suppression list is
 * busy, it is carried out within a minute.
 */
export async function leaveBy(context: Parts, workspaceId: number, wish: Wish & Reader): Promise<void> {
  await context.db.asTenant(workspaceId, async (tx) =>
    insertWish(tx, workspaceId, wish, await addressesOf(tx, workspaceId, wish)),
  );
  try {
    await carryOut(context, workspaceId, wish);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'internal') throw error;
  }
}

async function carryOut({ db, sends }: Parts, workspaceId: number, send: SendKey): Promise<void> {
  const { mailingId, sendId } = send;
  await db.asTenant(workspaceId, async (tx) => {
    // First: it may have been taken back meanwhile, or its reader erased.
    const wished = await endWish(tx, workspaceId, send);
    if (wished.length === 0) return;
    const isNews = await suppressReader(tx, workspaceId, wished);
    // The button of a mail provider and ours may have been pressed at once.
    if (!isNews && (await hasLeftBy(tx, workspaceId, send))) return;
    const nothing = { device: null, program: null, country: null, agentHash: null, link: null } as const;
    const person = { agent: 'person', isUnseen: false, isHuman: true, at: Date.now() } as const;
    const event = { mailingId, sendId, kind: 'leave', ...person, ...nothing } as const;
    const all = sends()?.all;
    if (!all) return;
    await eventStatement(workspaceId, all, [event]).execute(tx);
  });
}

/**
 * How long a wish waits for the suppression list in total, in milliseconds. Less than PostgreSQL
 * takes to see a deadlock, and less than the second that unsubscribing may take.
 */
const patienceMs = 800;

/**
 * Suppresses a reader where they wished it and wherever they are mailed by now. Returns whether
 * they had not left before at one of these addresses.
 */
const suppressReader = (tx: TenantTx, workspaceId: number, wished: readonly WishRow[]): Promise<boolean> =>
  waitAtMost(tx, patienceMs, 'The suppression list is being changed', async () => {
    const [first] = wished;
    if (!first) return false;
    // Whoever gives the contact another address holds them until that can be seen.
    await holdFigures(tx, workspaceId);
    const keys = eachOnce([...wished, ...(await otherAddressesOf(tx, workspaceId, first))]);
    let isNews = false;
    for (const key of keys) isNews ||= !isOwnWish(await entryOf(tx, workspaceId, key));
    const note = first.mailing === null ? null : `From “${first.mailing}”`;
    await suppressRecipients(
      tx,
      workspaceId,
      keys.map((key) => ({ ...key, reason: 'unsubscribed', note })),
    );
    return isNews;
  });

/** So many times the busy suppression list is tried. Then the wishes wait for the next minute. */
const mostWaits = 3;

/** Carries out the wishes that had to wait. One that fails does not keep the others waiting. */
export async function carryOutWishes(
  context: Parts & Pick<TrackingContext, 'log'>,
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
      await carryOut(context, workspaceId, wish);
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
  for (const key of keys) {
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
  { topics }: Pick<TrackingContext, 'topics'>,
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
