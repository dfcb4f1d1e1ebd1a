import type { TenantTx } from '#platform/server/database.ts';
import { type Granted, grant } from '../rules/grant.ts';
import { type Place, placesOf } from '../rules/places.ts';
import { keepPlaces, lockLimits, lockReceivers, selectReceivers, unuse, useUp } from './queries.ts';

/**
 * Takes as many of the wanted messages as may leave now, in the transaction that hands them over.
 * So all processes together keep to the limits. Null when there is no limit.
 */
export async function takeMessages(
  tx: TenantTx,
  workspaceId: number,
  fromDomain: string,
  wanted: number,
): Promise<Pick<Granted, 'count' | 'wait'> | null> {
  const { pace, warmUp, now } = await lockLimits(tx, workspaceId, fromDomain);
  if (!pace && !warmUp) return null;
  const { count, wait, tokens, today, isNews } = grant(pace, warmUp, wanted, now);
  if (isNews) await useUp(tx, workspaceId, fromDomain, { count, tokens, today, now });
  return { count, wait };
}

/**
 * Why and how long a message has to wait at this moment; null when it may leave. Takes nothing. The
 * limits stay locked, so whoever changes them sees what the transaction has written down.
 */
export async function waitNow(
  tx: TenantTx,
  workspaceId: number,
  fromDomain: string,
): Promise<Granted['wait']> {
  const { pace, warmUp, now } = await lockLimits(tx, workspaceId, fromDomain);
  return grant(pace, warmUp, 1, now).wait;
}

/**
 * Gives back what was taken in this transaction for messages that did not leave after all: somebody
 * is not mailed any more, or their provider asks for less. `takeMessages` did not answer null.
 */
export const giveBack = (
  tx: TenantTx,
  workspaceId: number,
  fromDomain: string,
  count: number,
): Promise<void> => unuse(tx, workspaceId, fromDomain, count);

/** The receivers that get no more than so many an hour. Mostly there are none. */
export const limitedReceivers = async (tx: TenantTx, workspaceId: number): Promise<string[]> =>
  (await selectReceivers(tx, workspaceId)).map(({ receiver }) => receiver);

/**
 * Gives messages their places, in the order given, in the transaction that lets them wait. So all
 * processes together keep to the limits. A message to a receiver whose limit is gone may leave now.
 */
export async function takePlaces<Message extends { receiver: string }>(
  tx: TenantTx,
  workspaceId: number,
  messages: readonly Message[],
): Promise<(Message & Place)[]> {
  const byReceiver = Map.groupBy(messages, ({ receiver }) => receiver);
  const { rows, now } = await lockReceivers(tx, workspaceId, [...byReceiver.keys()]);
  const given = rows.map((row) => {
    const those = byReceiver.get(row.receiver) ?? [];
    const { places, nextAt } = placesOf(row, those.length, now);
    return {
      receiver: row.receiver,
      nextAt,
      placed: those.map((message, at) => ({ ...message, ...(places[at] as Place) })),
    };
  });
  await keepPlaces(tx, workspaceId, given);
  return given.flatMap(({ placed }) => placed);
}
