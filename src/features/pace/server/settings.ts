import { recordActivity } from '#features/activities/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { BodyOf } from '#platform/shared/contract.ts';
import { londonClock } from '#platform/shared/london-time.ts';
import { type changePace, mostReceivers, mostWarmUps, type SendingPace } from '../contract.ts';
import { changedList, type ListKind } from '../rules/changed-list.ts';
import { minutesOf, timeOf } from '../rules/grant.ts';
import { warmFrom, warmUpDay, warmUpSteps } from '../rules/warm-up.ts';
import {
  lockPace,
  type Plan,
  type ReceiverLimit,
  readCap,
  selectPace,
  selectReceivers,
  selectWarmUps,
  writePace,
  writeReceivers,
  writeWarmUps,
} from './queries.ts';
import { readNames } from './read-names.ts';

/** How fast campaigns leave, and what of it is used today. */
export async function readPace(tx: TenantTx, workspaceId: number): Promise<SendingPace> {
  const today = londonClock(new Date()).slice(0, 10);
  const pace = await selectPace(tx, workspaceId);
  const isQuiet = pace !== null && pace.quietFrom !== null && pace.quietTo !== null;
  const sentOn = (row: { day: string | null; daySent: number } | null) =>
    row?.day === today ? row.daySent : 0;
  const warmUps = await selectWarmUps(tx, workspaceId);
  const receivers = await selectReceivers(tx, workspaceId);
  return {
    perHour: pace?.perHour ?? null,
    perDay: pace?.perDay ?? null,
    quietHours: isQuiet
      ? { from: timeOf(pace.quietFrom as number), to: timeOf(pace.quietTo as number) }
      : null,
    frequencyCap: await readCap(tx, workspaceId),
    receivers: receivers.map(({ receiver, perHour }) => ({ receiver, perHour })),
    sentToday: sentOn(pace),
    warmUps: warmUps.map((row) => {
      const { domain, begunOn, first, doubleEvery, most } = row;
      return {
        ...{ domain, begunOn, first, doubleEvery, most },
        allowedToday: warmUpDay(row, today),
        sentToday: sentOn(row),
        steps: warmUpSteps(row),
        warmFrom: warmFrom(row),
      };
    }),
  };
}

const warmUpList: ListKind<Plan> = {
  name: 'domain',
  fields: { all: 'warmUps', one: 'warmUp' },
  most: mostWarmUps,
  twice: 'A domain stands there twice.',
  full: `At most ${mostWarmUps} domains warm up at a time. End one first.`,
  taken: 'warms up already.',
};
const receiverList: ListKind<ReceiverLimit> = {
  name: 'receiver',
  fields: { all: 'receivers', one: 'receiver' },
  most: mostReceivers,
  twice: 'A receiver stands there twice.',
  full: `At most ${mostReceivers} receivers have a limit. Remove one first.`,
  taken: 'has a limit already.',
};

/**
 * Changes what is given, one caller at a time. Setting the same again records nothing and
 * ends no waits. Throws what `readNames` and `changedList` throw.
 */
export async function setPace(
  tx: TenantTx,
  workspaceId: number,
  actor: string,
  body: BodyOf<typeof changePace>,
  endWaits: () => Promise<void>,
): Promise<SendingPace> {
  const given = readNames(body);
  await lockPace(tx, workspaceId);
  const before = await readPace(tx, workspaceId);
  const { perHour = before.perHour, perDay = before.perDay, quietHours = before.quietHours } = given;
  const { frequencyCap: cap = before.frequencyCap } = given;
  await writePace(tx, workspaceId, {
    ...{ perHour, perDay, cap },
    quietFrom: quietHours && minutesOf(quietHours.from),
    quietTo: quietHours && minutesOf(quietHours.to),
  });
  const plans = { all: given.warmUps, one: given.warmUp, end: given.endWarmUp };
  await writeWarmUps(tx, workspaceId, changedList<Plan>(before.warmUps, plans, warmUpList));
  const limits = { all: given.receivers, one: given.receiver, end: given.endReceiver };
  await writeReceivers(tx, workspaceId, changedList<ReceiverLimit>(before.receivers, limits, receiverList));
  const after = await readPace(tx, workspaceId);
  const changes = Object.entries(inWords(after)).flatMap(([name, to]) => {
    const from = inWords(before)[name as keyof ReturnType<typeof inWords>];
    return from === to ? [] : [[name, { from, to }] as const];
  });
  if (changes.length > 0) {
    await endWaits();
    await recordAudit(tx, workspaceId, {
      ...{ actor, action: 'settings.changed', subject: 'settings:pace' },
      details: { changes: Object.fromEntries(changes) },
    });
    await recordActivity(tx, workspaceId, {
      ...{ action: 'Settings Updated', details: 'The pace of sending was changed' },
      ...{ status: 'completed', icon: 'settings', iconColor: 'primary', actor },
    });
  }
  return after;
}

const inWords = ({ perHour, perDay, quietHours, frequencyCap, warmUps, receivers }: SendingPace) => ({
  ...{ perHour, perDay },
  quietHours: quietHours ? `${quietHours.from}–${quietHours.to}` : null,
  frequencyCap: frequencyCap ? `${frequencyCap.messages} in ${frequencyCap.days} days` : null,
  warmUps:
    warmUps
      .map(
        ({ domain, first, doubleEvery, most }) =>
          `${domain}: ${first}, twice as many every ${doubleEvery} days, to ${most}`,
      )
      .join('; ') || null,
  receivers: receivers.map(({ receiver, perHour }) => `${receiver}: ${perHour} an hour`).join('; ') || null,
});
