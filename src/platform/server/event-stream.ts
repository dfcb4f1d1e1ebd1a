import type { FastifyReply, FastifyRequest } from 'fastify';

export interface ServerEvent {
  event: string;
  /** Sent as JSON. */
  data: unknown;
  /** Settles when it is time for the next one; absent on the last. */
  until?: Promise<unknown>;
}

/**
 * Answers a call with server-sent events
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html): asks `next` for one after the
 * other until the last, or until whoever listens has gone. What is wrong with the call itself must
 * be found before.
 */
export async function answerWithEvents(
  { reply, request }: { reply: FastifyReply; request: FastifyRequest },
  next: () => Promise<ServerEvent>,
): Promise<FastifyReply> {
  reply.hijack();
  const out = reply.raw;
  // Set, not only written: whoever drains the process has to tell a stream from a call.
  out.setHeader('content-type', 'text/event-stream; charset=utf-8');
  out.setHeader('cache-control', 'no-store');
  out.setHeader('x-accel-buffering', 'no');
  out.writeHead(200);
  try {
    while (!out.destroyed) {
      const { event, data, until } = await next();
      out.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      if (!until) break;
      await until;
    }
  } catch (error) {
    request.log.warn({ err: error }, 'a progress stream ended early');
  } finally {
    out.end();
  }
  return reply;
}
