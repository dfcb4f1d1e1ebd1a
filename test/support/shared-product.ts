import type { TestProject } from 'vitest/node';
import { startWhole } from '#test/cluster/whole.ts';
import { startDnsServer } from './dns-server.ts';
import { makeDataDir, removeDataDir } from './product.ts';

/** A running product, as a test finds it. */
export interface RunningProduct {
  /** Its address, for example `http://localhost:40123`. */
  url: string;
  dataDir: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    sharedProduct: RunningProduct;
  }
}

/** What the shared product's name server knows. Every other name does not exist. */
const names = {
  'stravaigcraft.scot': { mx: [{ exchange: 'mail.stravaigcraft.scot', priority: 10 }] },
  'mute.co.uk': {},
  'quillandpress.co.uk': {
    txt: ['v=spf1 include:spf.stravaigcraft.scot ~all'],
    mx: [{ exchange: 'mail.stravaigcraft.scot', priority: 10 }],
  },
  'spf.stravaigcraft.scot': { txt: ['v=spf1 ip4:192.0.2.7 -all'] },
  '_dmarc.quillandpress.co.uk': { txt: ['v=DMARC1; p=none'] },
};

/**
 * Runs once per test run: starts the whole product, as `npm start` runs it, for every browser test
 * that needs no settings of its own. Each test signs up a person and stays in their workspace, so
 * tests do not see each other's actions.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dns = await startDnsServer(names);
  const dataDir = makeDataDir();
  const tidyUp = async () => {
    await dns.close();
    removeDataDir(dataDir);
  };
  try {
    const product = await startWhole(dataDir, { DNS_SERVERS: dns.address });
    project.provide('sharedProduct', { url: product.url, dataDir });
    return async () => {
      await product.stop();
      await tidyUp();
    };
  } catch (error) {
    await tidyUp();
    throw error;
  }
}
