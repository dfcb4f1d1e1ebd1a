import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findRunningPostgres } from '#platform/server/embedded-postgres.ts';
import { startProduct as startTestProduct } from '#test/support/product.ts';

/** The product as people run it, on its own database under `dataDir`. */
export interface Product {
  url: string;
  ownerUrl: string;
  /** The most memory the node process has held so far, in MB (Linux only, NaN elsewhere). */
  peakMegabytes(): number;
  /** Seconds of processor time so far, of the product and of its database (Linux only). */
  processorSeconds(): { product: number; database: number };
  stop(): Promise<void>;
}

export async function startProduct(dataDir: string, env: Record<string, string> = {}): Promise<Product> {
  const product = await startTestProduct(dataDir, env);
  const running = await findRunningPostgres(dataDir);
  if (!running) throw new Error('the database of the product is not to be found');
  return {
    url: product.url,
    ownerUrl: running.ownerUrl,
    peakMegabytes() {
      try {
        const status = readFileSync(`/proc/${product.child.pid}/status`, 'utf8');
        return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
      } catch {
        return Number.NaN;
      }
    },
    processorSeconds: () => ({
      product: processorSecondsOf(product.child.pid),
      database: withChildren(serverOf(dataDir)).reduce((sum, pid) => sum + processorSecondsOf(pid), 0),
    }),
    stop: async () => void (await product.stop()),
  };
}

/** Runs a statement that only the superuser of the database under `dataDir` may run. */
export async function onServer(dataDir: string, statement: string): Promise<void> {
  const running = await findRunningPostgres(dataDir);
  if (!running) throw new Error('the database of the product is not to be found');
  const client = new pg.Client({ connectionString: running.superuserUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Seconds of processor time that the process and its ended children have used; 0 elsewhere. */
export function processorSecondsOf(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields 14 to 17 of proc(5), counted behind the name, in ticks of 10 ms.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place]), 0) / 100;
  } catch {
    return 0;
  }
}

/** The first process of the database under `dataDir`. */
const serverOf = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

function withChildren(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return [pid, ...children.split(' ').filter(Boolean).map(Number)];
  } catch {
    return [];
  }
}

/** The value below which `share` percent of the measurements lie. */
export function percentile(measurements: readonly number[], share: number): number {
  const sorted = [...measurements].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))] ?? Number.NaN;
}

/** What a person met at work. */
export interface Met {
  /** The milliseconds of each call. */
  times: number[];
  byPath: Map<string, number[]>;
}

/**
 * Calls the product like a person at work until `stop`. `search` is what they look for. With
 * `adds`, they sometimes add an address.
 */
export function probe(
  { url }: Pick<Product, 'url'>,
  cookie: string,
  { search, adds = false }: { search: string; adds?: boolean },
): { stop(): Promise<Met> } {
  let isRunning = true;
  const met: Met = { times: [], byPath: new Map() };
  const timed = async (name: string, path: string, init: RequestInit = {}) => {
    const started = performance.now();
    const response = await fetch(`${url}${path}`, { ...init, headers: { cookie, ...init.headers } });
    await response.arrayBuffer();
    const took = performance.now() - started;
    met.times.push(took);
    met.byPath.set(name, [...(met.byPath.get(name) ?? []), took]);
  };
  const paths = [
    '/api/emails?page=1&limit=20',
    '/api/stats',
    `/api/emails?search=${encodeURIComponent(search)}&limit=20`,
    '/api/activities',
  ];
  const calls = (async () => {
    for (let call = 0; isRunning; call++) {
      const path = paths[call % paths.length] as string;
      await timed(path, path);
      if (adds && call % 25 === 0) {
        // This writes to the same tables as a removal.
        await timed('an address added', '/api/emails', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: `new${call}.${Math.random()}@added.co.uk` }),
        });
      }
      await sleep(40);
    }
  })();
  return {
    async stop() {
      isRunning = false;
      await calls;
      return met;
    },
  };
}

/** One line per path. */
export function tellOfPaths({ byPath }: Met): void {
  for (const [path, times] of byPath) {
    const at = (share: number) => percentile(times, share).toFixed(0).padStart(5);
    console.log(
      `  ${path.padEnd(40)}${String(times.length).padStart(5)} calls, p50 ${at(50)} ms, p95 ${at(95)} ms`,
    );
  }
}
