import { readFileSync } from 'node:fs';
import { findRunningPostgres } from '#platform/server/embedded-postgres.ts';
import { startProduct as startTestProduct } from '#test/support/product.ts';

/** The product running as people run it, on a database of its own under `dataDir`. */
export interface Product {
  url: string;
  ownerUrl: string;
  /** The most memory the node process has held so far, in MB (Linux; NaN elsewhere). */
  peakMegabytes(): number;
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
    stop: async () => void (await product.stop()),
  };
}

/** The value below which `share` percent of the measurements lie. */
export function percentile(measurements: readonly number[], share: number): number {
  const sorted = [...measurements].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))] ?? Number.NaN;
}
