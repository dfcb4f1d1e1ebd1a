import type { FastifyRequest } from 'fastify';
import type { SendReference } from '#features/messages/server/index.ts';
import { withContext } from '#platform/server/call-context.ts';
import type { Database } from '#platform/server/database.ts';
import { judgeAgent } from '../rules/agents.ts';
import type { SendKey, Sighting, TrackedSends, TrackingContext } from './context.ts';
import { insertEvents, type NewEvent } from './queries.ts';

/** Longer names of programs say nothing more. */
const longestAgent = 500;

/**
 * Writes an open or a click down, and answers once it is safe. One that cannot be written is lost:
 * a reader who follows a link comes before our figures.
 */
export async function noteEvent(
  { events, log }: TrackingContext,
  { headers, method }: FastifyRequest,
  { workspaceId, mailingId, sendId, part }: SendReference,
  kind: Sighting['kind'],
): Promise<void> {
  const userAgent = (headers['user-agent'] ?? '').slice(0, longestAgent);
  const link = kind === 'click' ? part : null;
  const isHead = method === 'HEAD';
  const sighting = { workspaceId, mailingId, sendId, kind, link, userAgent, isHead, at: Date.now() };
  await events
    .add(sighting)
    .catch((error: unknown) => log.warn({ err: error, kind }, 'what a reader did could not be counted'));
}

/** Writes events of several workspaces, each workspace's in one transaction. */
export async function writeSightings(
  db: Database,
  sends: TrackedSends | undefined,
  sightings: readonly Sighting[],
): Promise<null[]> {
  const failures: unknown[] = [];
  for (const [workspaceId, own] of Map.groupBy(sightings, (one) => one.workspaceId))
    await withContext({ purpose: 'public' }, () => writeOf(db, sends, workspaceId, own)).catch((error) =>
      failures.push(error),
    );
  if (failures.length > 0) throw failures[0];
  return sightings.map(() => null);
}

function writeOf(
  db: Database,
  sends: TrackedSends | undefined,
  workspaceId: number,
  sightings: readonly Sighting[],
): Promise<void> {
  return db.asTenant(workspaceId, async (tx) => {
    const keys = new Map(sightings.map((one) => [keyOf(one), one]));
    const found = (await sends?.find(tx, workspaceId, [...keys.values()])) ?? [];
    const known = new Map(found.map((send) => [keyOf(send), send]));
    const events = sightings.flatMap(({ userAgent, isHead, at, ...sighting }): NewEvent[] => {
      const send = known.get(keyOf(sighting));
      if (!send) return [];
      const secondsAfter = send.handedAt && (at - send.handedAt.getTime()) / 1000;
      const { kind: agent, device, isHuman } = judgeAgent({ userAgent, isHead, secondsAfter });
      const { mailingId, sendId, kind, link } = sighting;
      return [{ mailingId, sendId, contactId: send.contactId, kind, link, agent, device, isHuman }];
    });
    if (events.length > 0) await insertEvents(tx, workspaceId, events);
  });
}

const keyOf = ({ mailingId, sendId }: SendKey): string => `${mailingId} ${sendId}`;
