import { startProduct } from '#test/support/product.ts';
import { startCluster } from './cluster.ts';

/** The product as a browser test sees it: one process, or a cluster behind a balancer. */
export interface Whole {
  url: string;
  dataDir: string;
  stop(): Promise<unknown>;
}

/**
 * Starts the whole product in `dataDir`. With TEST_CLUSTER set, starts two processes of each role.
 */
export async function startWhole(dataDir: string, environment: Record<string, string> = {}): Promise<Whole> {
  if (!process.env.TEST_CLUSTER) return startProduct(dataDir, environment);
  const { url, stop } = await startCluster(dataDir, environment);
  return { url, dataDir, stop };
}
