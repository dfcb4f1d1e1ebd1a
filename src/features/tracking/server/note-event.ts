import type { FastifyRequest } from 'fastify';
import type { SendReference } from '#features/messages/server/index.ts';
import { isAskedAhead } from '../rules/agents.ts';
import type { TrackingContext } from './context.ts';
import type { SendKey } from './sends-port.ts';

/** The longest that a reader waits until what they did is written down. */
const patienceMs = 1_000;

interface Seen extends SendKey {
  workspaceId: number;
  kind: 'open' | 'click';
  /** The number of a link; 0 for an open. */
  part: number;
  userAgent: string;
  isUnseen: boolean;
  ip: string;
  at: number;
}

/**
 * Writes an open or a click down, and answers once it is safe. One that cannot be written is lost:
 * a reader who follows a link comes before our figures. While somebody holds what it changes, it is
 * written after the answer.
 */
export function noteEvent(
  context: TrackingContext,
  { headers, method, ip }: FastifyRequest,
  { workspaceId, mailingId, sendId, part }: SendReference,
  kind: 'open' | 'click',
): Promise<void> {
  const isUnseen = method === 'HEAD' || isAskedAhead(headers);
  const userAgent = headers['user-agent'] ?? '';
  const seen = { workspaceId, mailingId, sendId, kind, part, userAgent, isUnseen, ip, at: Date.now() };
  return new Promise((resolve) => {
    const late = setTimeout(resolve, patienceMs);
    void count(context, seen).then(() => {
      clearTimeout(late);
      resolve();
    });
  });
}

async function count(
  { events, agents, bursts, countries, log }: TrackingContext,
  { workspaceId, mailingId, sendId, kind, part, userAgent, isUnseen, ip, at }: Seen,
): Promise<void> {
  try {
    const judged = agents.judge(userAgent, kind, isUnseen);
    // A proxy stands where its provider has put it, and not where the reader is.
    const country = judged.isHuman && judged.agent === 'person' ? await countries.of(ip) : null;
    const link = kind === 'click' ? part : null;
    await events.add(workspaceId, { mailingId, sendId, kind, link, ...judged, isUnseen, country, at });
    if (kind === 'click' && judged.isHuman) bursts.note({ workspaceId, mailingId, sendId, link: part, at });
  } catch (error) {
    log.warn({ err: error, kind }, 'what a reader did could not be counted');
  }
}
