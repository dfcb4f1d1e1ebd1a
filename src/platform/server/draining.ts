import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '#platform/shared/errors.ts';
import { getReadiness } from '#platform/shared/operations.ts';

/**
 * Stops one of several web processes without cutting off a call:
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
   * How long to keep taking calls, so that a balancer can notice that this process is not ready.
   */
  noticeMs: number;
  /** How long to wait after that for calls still being served. */
  patienceMs: number;
}

/** Tracks from now on which calls are being served. Call it before adding any route. */
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

/** Reports that it is not ready, keeps serving for a while, then waits until no call is left. */
export async function drain(app: FastifyInstance, { noticeMs, patienceMs }: DrainTimes): Promise<void> {
  const watch = watches.get(app);
  if (!watch) throw new Error('the calls of this application are not watched');
  watch.isDraining = true;
  await sleep(noticeMs);
  const until = Date.now() + patienceMs;
  while (Date.now() < until && [...watch.calls].some(isAtWork)) await sleep(20);
}

/** An event stream lasts as long as somebody listens, and the listener reconnects by itself. */
function isAtWork({ raw }: FastifyReply): boolean {
  return !String(raw.getHeader('content-type') ?? '').startsWith('text/event-stream');
}
