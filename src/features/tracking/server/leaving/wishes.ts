import { otherAddressesOf } from '#features/contacts/server/index.ts';
import { entryOf, liftForRecipient, suppressRecipient } from '#features/suppressions/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { each } from '#platform/server/each-workspace.ts';
import { LockBusy } from '#platform/server/locks.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { TrackingContext } from '../context.ts';
import { eventStatement } from '../queries.ts';
import type { SendKey, TrackedSends } from '../sends-port.ts';
import { type AddressKey, deletePause, selectPause } from './pause-queries.ts';
import {
  deleteOpenWishes,
  endWish,
  hasOpenWish,
  insertWish,
  type OpenWish,
  selectOpenWishes,
} from './wish-queries.ts';

type Parts = Pick<TrackingContext, 'db' | 'sends'>;

/** How long somebody can take it back on the page. */
const undoMinutes = 60;

/**
 * Somebody leaves. The wish is safe once this answers, and from then on nothing is handed over to
 * them. As a rule it is carried out by then too; while the suppression list is busy, it is carried
 * out within a minute.
 */
export async function leaveBy(
  context: Parts,
  workspaceId: number,
  wish: Omit<OpenWish, 'id'>,
): Promise<void> {
  const id = await context.db.asTenant(workspaceId, (tx) => insertWish(tx, workspaceId, wish));
  try {
    await carryOut(context, workspaceId, { ...wish, id });
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'internal') throw error;
  }
}

async function carryOut({ db, sends }: Parts, workspaceId: number, wish: OpenWish): Promise<void> {
  const { mailingId, sendId, mailing } = wish;
  await db.asTenant(workspaceId, async (tx) => {
    const note = mailing === null ? null : `From “${mailing}”`;
    for (const { local, domain } of await addressesOf(tx, workspaceId, sends(), wish)) {
      await suppressRecipient(tx, workspaceId, { local, domain, reason: 'unsubscribed', note });
      await deletePause(tx, workspaceId, { local, domain });
    }
    if (!(await endWish(tx, workspaceId, wish.id))) return;
    const nothing = { device: null, program: null, country: null, agentHash: null, link: null } as const;
    const person = { agent: 'person', isUnseen: false, isHuman: true, at: Date.now() } as const;
    const event = { mailingId, sendId, kind: 'leave', ...person, ...nothing } as const;
    const all = sends()?.all;
    if (!all) return;
    await eventStatement(workspaceId, all, [event]).execute(tx);
  });
}

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
  const about = ({ id }: OpenWish) => ({ workspaceId, wishId: id });
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

/** Takes a leaving back that is not older than an hour. Returns whether there was one. */
export async function comeBack(
  tx: TenantTx,
  workspaceId: number,
  sends: TrackedSends | undefined,
  reader: SendKey & AddressKey,
): Promise<boolean> {
  let isDone = false;
  for (const key of await addressesOf(tx, workspaceId, sends, reader)) {
    const isOpen = await deleteOpenWishes(tx, workspaceId, key);
    const isLifted = await liftForRecipient(tx, workspaceId, key, {
      reason: 'unsubscribed',
      minutes: undoMinutes,
      why: 'The recipient took it back',
    });
    isDone ||= isOpen || isLifted;
  }
  return isDone;
}

/**
 * The address that a reader is known by, then the others that they have: a contact that was
 * corrected or merged is mailed there.
 */
export async function addressesOf(
  tx: TenantTx,
  workspaceId: number,
  sends: TrackedSends | undefined,
  { mailingId, sendId, local, domain }: SendKey & AddressKey,
): Promise<AddressKey[]> {
  const [sent] = (await sends?.find(tx, workspaceId, [{ mailingId, sendId }])) ?? [];
  const reader = { contactId: sent?.contactId ?? null, local, domain };
  return [{ local, domain }, ...(await otherAddressesOf(tx, workspaceId, reader))];
}

/** Whether somebody gets emails, and whether they can still take their leaving back. */
export interface Standing {
  hasLeft: boolean;
  /** They asked for it, or must be taken to have. Others on the list can still leave. */
  isOwnWish: boolean;
  canComeBack: boolean;
  pausedUntil: Date | null;
}

const ownWishes: readonly string[] = ['unsubscribed', 'complained', 'erased'];

export async function standingOf(tx: TenantTx, workspaceId: number, key: AddressKey): Promise<Standing> {
  const entry = await entryOf(tx, workspaceId, key);
  if (await hasOpenWish(tx, workspaceId, key))
    return { hasLeft: true, isOwnWish: true, canComeBack: entry === undefined, pausedUntil: null };
  const isYoung = (entry?.createdAt.getTime() ?? 0) > Date.now() - undoMinutes * 60_000;
  return {
    hasLeft: entry !== undefined,
    isOwnWish: entry !== undefined && ownWishes.includes(entry.reason),
    canComeBack: entry?.reason === 'unsubscribed' && isYoung,
    pausedUntil: await selectPause(tx, workspaceId, key),
  };
}
