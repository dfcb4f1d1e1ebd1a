import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Three kinds of test: pure (`unit`), with a real PostgreSQL (`integration`), and the whole product
 * in a real browser (`e2e`). A test beside the code belongs to `integration` when it imports from
 * test/support, because that is what needs the database; so nobody has to keep a list.
 */
const besideCode = globSync('src/**/*.test.{ts,tsx}');
const needsDatabase = besideCode.filter((file) =>
  /from '#test\/support\/(?!dirty-data)/.test(readFileSync(file, 'utf8')),
);

// Generous, because the machine may be busy: no test is about time. Nothing is tried twice: a test
// that passes only the second time has failed. Files of a kind share their processes and what these
// have loaded, so no test may leave anything behind there.
const shared = {
  environment: 'node' as const,
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 45_000, interval: 20 } },
  isolate: false,
  setupFiles: ['test/support/property-seed.ts'],
  // Every import and verification starts a thread; what it loads is compiled once, not each time.
  env: { NODE_COMPILE_CACHE: resolve('.tmp/compile-cache') },
};

export default defineConfig({
  test: {
    // One more than there are cores: while one waits for a page or a database, another works.
    maxWorkers: availableParallelism() + 1,
    // The order within a file, where it is shuffled. `--sequence.seed` tries another.
    sequence: { seed: 20_261_122 },
    reporters: ['default', './test/support/report.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'test/checks/**/*.test.ts'],
          exclude: needsDatabase,
        },
      },
      {
        test: {
          ...shared,
          name: 'integration',
          include: [...needsDatabase, 'test/integration/**/*.test.ts'],
          setupFiles: [...shared.setupFiles, 'test/support/cheap-passwords.ts'],
          globalSetup: ['test/support/database-server.ts'],
        },
      },
      {
        // Several processes behind a balancer: by `npm run test:cluster` alone.
        test: {
          ...shared,
          name: 'cluster',
          include: process.env.TEST_CLUSTER ? ['test/cluster/**/*.test.ts'] : [],
          testTimeout: 300_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/shared-product.ts'],
          testTimeout: 180_000,
          // No test needs what another did: they come in an order that nobody has chosen.
          sequence: { shuffle: { tests: true } },
        },
      },
    ],
  },
});
