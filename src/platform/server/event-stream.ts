import type { FastifyReply, FastifyRequest } from 'fastify';

export interface ServerEvent {
  event: string;
  /** Sent as JSON. */
  data: unknown;
  /** Settles when it is time for the next event. Absent on the last one. */
  until?: Promise<unknown>;
}

/**
 * Answers a call with server-sent events
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html). Calls `next` for one event
 * after the other until the last one, or until the listener is gone. Check the call itself before
 * this.
 */
export async function answerWithEvents(
  { reply, request }: { reply: FastifyReply; request: FastifyRequest },
  next: () => Promise<ServerEvent>,
): Promise<FastifyReply> {
  reply.hijack();
  const out = reply.raw;
  // Use `setHeader`, because draining reads the header to tell a stream from a call.
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
