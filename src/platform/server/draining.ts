import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '#platform/shared/errors.ts';
import { getReadiness } from '#platform/shared/operations.ts';

/**
 * Stopping one web process of several without cutting a call off:
 *
 *   serving --(begin)--> not ready, still serving --(the balancer has noticed)--> waits for the calls at work --> closed
 */
interface Watch {
  calls: Set<FastifyReply>;
  isDraining: boolean;
}

const watches = new WeakMap<FastifyInstance, Watch>();

export interface DrainTimes {
  /**
   * How long calls are still taken, so that a balancer can see that this process is not ready any
   * more.
   */
  noticeMs: number;
  /** How long calls at work may take after that. */
  patienceMs: number;
}

/** Knows from now on which calls are at work. Before any route is added. */
export function watchCalls(app: FastifyInstance): void {
  const watch: Watch = { calls: new Set(), isDraining: false };
  watches.set(app, watch);
  app.addHook('onRequest', async (request, reply) => {
    if (watch.isDraining) {
      reply.header('connection', 'close');
      if (request.url.split('?', 1)[0] === getReadiness.path)
        throw new AppError('unavailable', 'This process is about to stop.');
    }
    watch.calls.add(reply);
    reply.raw.once('close', () => watch.calls.delete(reply));
  });
}

/**
 * Answers that it is not ready, goes on serving for a while, then waits until no call is at work.
 */
export async function drain(app: FastifyInstance, { noticeMs, patienceMs }: DrainTimes): Promise<void> {
  const watch = watches.get(app);
  if (!watch) throw new Error('the calls of this application are not watched');
  watch.isDraining = true;
  await sleep(noticeMs);
  const until = Date.now() + patienceMs;
  while (Date.now() < until && [...watch.calls].some(isAtWork)) await sleep(20);
}

/** A stream of events lasts as long as somebody listens, and is taken up again by whoever does. */
function isAtWork({ raw }: FastifyReply): boolean {
  return !String(raw.getHeader('content-type') ?? '').startsWith('text/event-stream');
}
