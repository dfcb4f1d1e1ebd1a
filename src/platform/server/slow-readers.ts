import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import type { Log } from './logging.ts';

/**
 * Less than a download waits for its turn (`pools.ts`), so that those who wait behind a stalled
 * reader get theirs.
 */
export const usualStallMs = 30_000;

export interface SlowReaders {
  /** How long a reader may take nothing of what is waiting for it. */
  patienceMs: number;
  log: Log;
  /** Called for each reader that was cut off. */
  onCut?: (() => void) | undefined;
}

/**
 * Cuts off readers who stop reading. An answer that waits to be taken holds a connection, and an
 * export holds one to the database as well. The connection is reset, not closed: an answer to
 * HTTP/1.0 ends with its connection, and half a file would look whole.
 */
export function watchReaders(app: FastifyInstance, options: SlowReaders): void {
  app.addHook('onRequest', async (request, { raw }) => watch(request, raw, options));
  app.addHook('onSend', async (_request, { raw }, payload) => {
    if (isStream(payload)) resetWhenBroken(payload, raw);
  });
}

/** For the metrics. */
export function countCut(registry: Registry): () => void {
  const counter = new Counter({
    name: 'stalled_readers_total',
    help: 'Answers that were broken off because their reader had stopped reading',
    registers: [registry],
  });
  return () => counter.inc();
}

/** Looks are counted, not time: a process that was busy itself does not blame the reader. */
const looksInVain = 6;

function watch(request: FastifyRequest, raw: ServerResponse, { patienceMs, log, onCut }: SlowReaders): void {
  let taken = 0;
  let looks = 0;
  const look = () => {
    const { socket } = raw;
    // Bytes of which the network has not taken the last. The rest is counted in whole pieces.
    const waiting = socket?.writableLength ?? 0;
    const now = (socket?.bytesWritten ?? 0) - waiting;
    // If nothing waits for the reader, it is the answer that takes its time.
    if (!socket || waiting === 0 || now !== taken) {
      taken = now;
      looks = 0;
      return;
    }
    looks += 1;
    if (looks < looksInVain) return;
    log.warn(
      { route: request.routeOptions.url, bytesTaken: taken, bytesWaiting: waiting },
      'An answer was broken off because its reader had stopped reading',
    );
    onCut?.();
    socket.resetAndDestroy();
  };
  const looking = setInterval(look, Math.ceil(patienceMs / looksInVain)).unref();
  raw.once('close', () => clearInterval(looking));
}

/** Runs before the framework's own listener, which only closes the connection. */
function resetWhenBroken(payload: Readable, raw: ServerResponse): void {
  payload.prependOnceListener('error', () => {
    if (raw.headersSent) raw.socket?.resetAndDestroy();
  });
}

const isStream = (payload: unknown): payload is Readable =>
  typeof (payload as Readable | null)?.pipe === 'function';
