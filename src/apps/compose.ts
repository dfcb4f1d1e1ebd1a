import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import type { Registry } from 'prom-client';
import { refuseOtherMethods } from '#platform/server/before-routes.ts';
import type { Config } from '#platform/server/config.ts';
import { createFeatures } from '#platform/server/create-features.ts';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { type DiskSpace, openDiskSpace } from '#platform/server/disk/disk-space.ts';
import type { ServerFeature } from '#platform/server/feature.ts';
import { openFileStore } from '#platform/server/files.ts';
import { createHttp } from '#platform/server/http.ts';
import { type Jobs, startJobs } from '#platform/server/jobs.ts';
import type { Log } from '#platform/server/logging.ts';
import { createMetrics } from '#platform/server/metrics.ts';
import { registerOperations } from '#platform/server/operations.ts';
import type { Offer, Ports } from '#platform/server/ports.ts';
import { countCut } from '#platform/server/slow-readers.ts';
import * as operations from '#platform/shared/operations.ts';
import { features as allFeatures } from './features.ts';
import { apiDocument } from './openapi.ts';
import { securityHeaders, servePages } from './pages.ts';

export interface Composition extends Pick<Ports, 'use'> {
  app: FastifyInstance;
  database: Database;
  /** Starts the background work. Call it once the application listens. */
  startWork(): Promise<void>;
  /** Does the nightly work of all workspaces now. */
  nightly(): Promise<void>;
  /** Stops everything in order. */
  stop(): Promise<void>;
}

export interface ComposeOptions {
  config: Config;
  log: Log;
  /** How full the disk is. Absent: nobody looks, and what is refused for lack of room tells. */
  disk?: DiskSpace | undefined;
  /** The running, migrated database. */
  running: { appUrl: string; appRole?: string | undefined };
  /** Called when code breaks a rule of the database. Absent: that code fails instead. */
  onMisuse?: ((error: Error) => void) | undefined;
  /** The built web application. Absent: only the API. */
  webFolder?: string | undefined;
  /** Absent: the product's own. */
  features?: readonly ServerFeature[];
  /** Port values that exist from the start. */
  offers?: readonly Offer[];
}

const connecting = ({ running, onMisuse }: ComposeOptions) => ({
  ...{ url: running.appUrl, role: running.appRole },
  failsOnMisuse: onMisuse === undefined,
});

const watching = ({ config, log, onMisuse }: ComposeOptions) => ({
  sizes: config.connections,
  streamWaitMs: config.downloads.waitMs,
  onMisuse,
  // The error itself holds the whole client.
  onIdleError: ({ message }: Error) => log.warn({ reason: message }, 'A database connection broke'),
});

const serving = ({ config, log }: ComposeOptions, metrics: Registry) => ({
  log,
  trustedOrigins: [new URL(config.publicUrl).origin],
  trustProxy: config.trustProxy,
  stallMs: config.downloads.stallMs,
  onCut: countCut(metrics),
});

/** All features on one database and one port. Tests compose the product the same way. */
export async function compose(options: ComposeOptions): Promise<Composition> {
  const { config, log, features = allFeatures } = options;
  const connection = connecting(options);
  const db = openDatabase({ ...connection, ...watching(options) });
  const { disk = openDiskSpace({ log }) } = options;
  let jobs: Jobs | undefined;
  const connections = () => [...db.connections(), ...(jobs ? [jobs.connections()] : [])];
  const measured = createMetrics({ connections }, disk);
  const files = openFileStore(join(config.dataDir, 'files'));
  const metrics = measured.registry;
  const context = { db, connection, config, log, disk, files, metrics, jobs: () => jobs };
  const made = createFeatures(features, context, options.offers);
  const { app, router } = createHttp({ ...made, ...serving(options, metrics), disk });
  measured.measureCalls(app);
  // Made once: @fastify/helmet makes its headers anew for each call.
  const addHeaders = helmet(securityHeaders(config));
  app.addHook('onRequest', (request, reply, done) => addHeaders(request.raw, reply.raw, done as () => void));
  const { metricsToken, role } = config;
  const document = { metricsToken, apiDocument: () => apiDocument(features) };
  registerOperations(app, { pool: db.pool, metrics: measured, disk, ...document });
  // A worker answers health calls but serves no people.
  if (role !== 'worker') made.routes(router);
  refuseOtherMethods(app, [...Object.values(operations), ...router.calls]);
  await servePages(app, role === 'worker' ? undefined : options.webFolder);
  return {
    app,
    database: db,
    use: made.use,
    nightly: made.nightly,
    async startWork() {
      made.start();
      jobs = await startJobs({ ...connection, log, jobs: made.jobs, work: role !== 'web' });
    },
    async stop() {
      for (const stop of [() => app.close(), () => jobs?.stop(), made.stopWork, made.stop]) await stop();
      await db.close();
    },
  };
}
