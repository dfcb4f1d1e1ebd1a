import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { AppError } from '#platform/shared/errors.ts';
import {
  getApiDocument,
  getApiPage,
  getHealth,
  getMetrics,
  getReadiness,
} from '#platform/shared/operations.ts';
import { renderApiPage } from './api-page.ts';
import type { DiskSpace } from './disk/disk-space.ts';
import { databaseWaits } from './disk/out-of-room.ts';
import type { Metrics } from './metrics.ts';
import { isMigrated } from './migrate.ts';
import type { Json } from './openapi-schemas.ts';

export interface OperationsOptions {
  pool: pg.Pool;
  metrics: Metrics;
  disk: DiskSpace;
  metricsToken: string | undefined;
  /** Built on first use. */
  apiDocument: () => Json;
}

/** A readiness check that takes longer than this counts as failed. */
const readyWithinMs = 3000;

/**
 * Health, readiness, metrics and the API document. They bypass the sign-in on purpose, because they
 * must answer while the database does not.
 */
export function registerOperations(app: FastifyInstance, options: OperationsOptions): void {
  const { disk } = options;
  const state = () => ({ status: 'ok', disk: disk.isFull || disk.databaseWaits ? 'full' : 'ok' });
  app.get(getHealth.path, async () => state());
  app.get(getReadiness.path, async () => {
    if (await isReady(options.pool)) return state();
    if (disk.databaseWaits) throw databaseWaits();
    throw new AppError('unavailable', 'The database is not reachable, or not migrated yet.');
  });
  app.get(getMetrics.path, async (request, reply) => {
    if (!options.metricsToken) throw new AppError('not_found', 'There is nothing at this address.');
    if (!isBearer(request.headers.authorization, options.metricsToken)) {
      throw new AppError('unauthenticated', 'Send the METRICS_TOKEN as a bearer token.');
    }
    return reply.header('content-type', options.metrics.contentType).send(await options.metrics.text());
  });
  const document = once(() => JSON.stringify(options.apiDocument()));
  const page = once(() => renderApiPage(JSON.parse(document())));
  app.get(getApiDocument.path, async (_request, reply) => reply.type('application/json').send(document()));
  app.get(getApiPage.path, async (_request, reply) => reply.type('text/html; charset=utf-8').send(page()));
  // Where people who know other products look first.
  for (const { path } of [getApiDocument, getApiPage]) {
    const short = path.replace(/^\/api/, '');
    for (const other of [short, `${short}/`, `${path}/`])
      app.get(other, async (_request, reply) => reply.redirect(path));
  }
}

async function isReady(pool: pg.Pool): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, readyWithinMs, false);
  });
  // A database that is down or has no tables is exactly what this check is for.
  const answer = isMigrated(pool).catch(() => false);
  const ready = await Promise.race([answer, late]);
  clearTimeout(timer);
  return ready;
}

/** Compares digests, so that timing reveals neither the token's length nor its beginning. */
function isBearer(header: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? '';
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(token));
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
