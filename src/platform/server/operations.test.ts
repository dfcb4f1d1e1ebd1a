import type { FastifyInstance } from 'fastify';
import { Counter } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { createTestHttp } from '#test/support/stub-caller.ts';
import { type Database, openDatabase } from './database.ts';
import { openDiskSpace } from './disk/disk-space.ts';
import { createLogger } from './logging.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { registerOperations } from './operations.ts';

let made: TestDatabase;
let db: Database;
let metrics: Metrics;
const disk = openDiskSpace({ log: createLogger('silent') });
const token = 'a-token-of-sixteen-characters-and-more';

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
});
afterAll(async () => {
  await db.close();
  await made.drop();
});

async function build(metricsToken: string | undefined, pool = db.pool): Promise<FastifyInstance> {
  const http = await createTestHttp((router) => {
    metrics = createMetrics(db, disk);
    metrics.measureCalls(router.app);
    router.app.get('/api/emails/:id', async () => ({ ok: true }));
    registerOperations(router.app, {
      pool,
      disk,
      metrics,
      metricsToken,
      apiDocument: () => ({
        info: { title: 'T', description: 'D' },
        tags: [],
        paths: {},
        components: { responses: {}, schemas: { Error: {} } },
      }),
    });
  });
  return http.app;
}

describe('operations', () => {
  it('answer health and readiness while all is well', async () => {
    const app = await build(undefined);
    for (const url of ['/api/health', '/api/ready']) {
      const answer = await app.inject(url);
      expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok', disk: 'ok' }]);
    }
    await app.close();
  });

  it('say that the process is up but not ready when the database is away', async () => {
    const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
    const app = await build(undefined, away.pool);
    expect((await app.inject('/api/health')).statusCode).toBe(200);
    const ready = await app.inject('/api/ready');
    expect([ready.statusCode, ready.json().code]).toEqual([503, 'unavailable']);
    await app.close();
    await away.close();
  });

  it('say that they are not ready while the database is not migrated', async () => {
    const empty = openDatabase({ url: made.appUrl.replace(/\/[^/?]+(\?|$)/, '/postgres$1') });
    const app = await build(undefined, empty.pool);
    expect((await app.inject('/api/ready')).statusCode).toBe(503);
    await app.close();
    await empty.close();
  });

  it('hide the metrics while no token is configured, and show them to its bearer alone', async () => {
    const hidden = await build(undefined);
    expect((await hidden.inject('/api/metrics')).statusCode).toBe(404);
    await hidden.close();
    const app = await build(token);
    const ask = (authorization?: string) =>
      app.inject({ url: '/api/metrics', headers: authorization ? { authorization } : {} });
    expect((await ask()).statusCode).toBe(401);
    expect((await ask('Bearer wrong')).statusCode).toBe(401);
    const shown = await ask(`Bearer ${token}`);
    expect(shown.statusCode).toBe(200);
    expect(shown.headers['content-type']).toMatch(/^text\/plain/);
    await app.close();
  });

  it('measure calls by route, never by address, and what features add', async () => {
    const app = await build(token);
    await app.inject('/api/emails/12');
    await app.inject('/api/emails/13');
    await app.inject('/nowhere/ann@acme.co.uk');
    new Counter({ name: 'dogs_total', help: 'Dogs', registers: [metrics.registry] }).inc(3);
    const text = await metrics.text();
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/emails/:id",status="200"} 2',
    );
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="none",status="404"} 1');
    expect(text).not.toContain('acme');
    expect(text).toContain('dogs_total 3');
    expect(text).toMatch(/database_connections\{purpose="interactive",state="open"\} \d/);
    expect(text).toContain('database_connections{purpose="interactive",state="most"} 8');
    expect(text).toContain('database_connections{purpose="background",state="most"} 6');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    await app.close();
  });

  it('serve the API document and its page', async () => {
    const app = await build(undefined);
    expect((await app.inject('/api/openapi.json')).json().info.title).toBe('T');
    const page = await app.inject('/api/docs');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    for (const path of ['/api/openapi.json', '/api/docs']) {
      const short = path.slice('/api'.length);
      for (const url of [short, `${short}/`, `${path}/`]) {
        const answer = await app.inject(url);
        expect([url, answer.statusCode, answer.headers.location]).toEqual([url, 302, path]);
      }
    }
    await app.close();
  });
});
