import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from './database.ts';
import type { DiskSpace } from './disk/disk-space.ts';

export interface Metrics {
  readonly contentType: string;
  /** In the Prometheus text format. */
  text(): Promise<string>;
  /** Where features add their metrics. */
  readonly registry: Registry;
  /** Measures every call whose route is added after this. */
  measureCalls(app: FastifyInstance): void;
}

/**
 * The metrics, in their own registry: every call's duration by route, the event loop, memory and
 * garbage collection, the use of database connections, and what features add. No metric names a
 * person or a workspace.
 */
export function createMetrics(db: Pick<Database, 'connections'>, disk: DiskSpace): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  measureConnections(db, registers);
  measureDisk(disk, registers);
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    registry,
    measureCalls: (app) => measureCalls(app, registers),
  };
}

function measureCalls(app: FastifyInstance, registers: Registry[]): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long calls took, by the route they matched',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  });
  app.addHook('onResponse', async (request, reply) => {
    // The raw path would create a series for every id, and for every address somebody tries.
    const route = request.routeOptions.url ?? 'none';
    durations.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
  });
}

function measureConnections(db: Pick<Database, 'connections'>, registers: Registry[]): void {
  new Gauge({
    name: 'database_connections',
    help: 'Connections to the database by what they are for: open, idle among these, calls that wait for one, and the most that may be open',
    labelNames: ['purpose', 'state'],
    registers,
    collect() {
      for (const { purpose, most, open, idle, waiting } of db.connections()) {
        this.set({ purpose, state: 'open' }, open);
        this.set({ purpose, state: 'idle' }, idle);
        this.set({ purpose, state: 'waiting' }, waiting);
        this.set({ purpose, state: 'most' }, most);
      }
    },
  });
}

function measureDisk(disk: DiskSpace, registers: Registry[]): void {
  new Gauge({
    name: 'disk_free_bytes',
    help: 'Room left on the disk of the product, where least is left',
    registers,
    collect() {
      if (!Number.isNaN(disk.freeBytes)) this.set(disk.freeBytes);
    },
  });
  new Gauge({
    name: 'disk_full',
    help: '1 while the disk is full: reading goes on, and nothing is written',
    registers,
    collect() {
      this.set(disk.isFull || disk.databaseWaits ? 1 : 0);
    },
  });
}
