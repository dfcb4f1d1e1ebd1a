import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { appRole, ownerRole, startEmbeddedPostgres } from '#platform/server/embedded-postgres.ts';
import { createLogger } from '#platform/server/logging.ts';
import { makeDataDir, type Product, removeDataDir, startProduct } from '#test/support/product.ts';
import { startBalancer } from './balancer.ts';

/** Several processes of the product over one PostgreSQL, behind a balancer. */
export interface Cluster {
  /** The balancer's address. */
  url: string;
  web: Product[];
  workers: Product[];
  /** Stops one process in order and starts its successor, as an upgrade does. */
  restart(process: Product): Promise<void>;
  stop(): Promise<void>;
}

/** Starts `each` web processes and the same number of workers. PostgreSQL is in `databaseDir`. */
export async function startCluster(
  databaseDir: string,
  environment: Record<string, string> = {},
  each = 2,
): Promise<Cluster> {
  const dataDir = makeDataDir();
  const postgres = await startEmbeddedPostgres({ dataDir: databaseDir, log: createLogger('warn') });
  await letOwnerTakeRole(postgres.superuserUrl);
  const balancer = await startBalancer();
  const shared = {
    DATABASE_URL: postgres.ownerUrl,
    SECRET_KEY: randomBytes(48).toString('base64'),
    PUBLIC_URL: balancer.url,
    DRAIN_SECONDS: '1',
    ...environment,
  };
  const web: Product[] = [];
  const workers: Product[] = [];
  const start = async (role: 'web' | 'worker'): Promise<void> => {
    const one = await startProduct(dataDir, { ...shared, ROLE: role });
    if (role === 'worker') workers.push(one);
    else {
      web.push(one);
      balancer.add(one.url);
    }
  };
  const allReady = async () => {
    while (balancer.ready().length < web.length) await sleep(20);
  };
  // One after the other, because the first creates the tables.
  for (let at = 0; at < each; at += 1) {
    await start('web');
    await start('worker');
  }
  await allReady();
  return {
    url: balancer.url,
    web,
    workers,
    async restart(process) {
      const isWeb = web.includes(process);
      await start(isWeb ? 'web' : 'worker');
      await allReady();
      const list = isWeb ? web : workers;
      list.splice(list.indexOf(process), 1);
      const { code, output } = await process.stop('SIGTERM');
      balancer.remove(process.url);
      if (code !== 0) throw new Error(`a process ended with ${code}:\n${output}`);
    },
    async stop() {
      await Promise.all([...web, ...workers].map((one) => one.stop()));
      await balancer.close();
      await postgres.stop();
      removeDataDir(dataDir);
    },
  };
}

/** Lets the tables' owner work as the app's role, as operators set it up on their own server. */
export async function letOwnerTakeRole(superuserUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(`grant ${appRole} to ${ownerRole}`);
  await client.end();
}
