import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import InOrder from './test/support/order.ts';

/**
 * Three kinds of test: pure (`unit`), with a real PostgreSQL (`integration`), and the whole product
 * in a real browser (`e2e`). A test beside the code is `integration` if it imports from
 * test/support, because that is what needs the database. So nobody has to keep a list.
 */
const besideCode = globSync('src/**/*.test.{ts,tsx}');
const needsDatabase = besideCode.filter((file) =>
  /from '#test\/support\/(?!dirty-data|workbooks)/.test(readFileSync(file, 'utf8')),
);

// Generous, because the machine may be busy and no test is about time. Nothing is retried: a test
// that passes only the second time has failed. Files of one kind share their processes and the
// modules loaded there, so no test may leave anything behind.
const shared = {
  environment: 'node' as const,
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 45_000, interval: 20 } },
  isolate: false,
  setupFiles: ['test/support/property-seed.ts'],
  runner: './test/support/in-time.ts',
  // Every import and verification starts a thread. Its code is compiled once, not each time.
  env: { NODE_COMPILE_CACHE: resolve('.tmp/compile-cache') },
};

/** No test depends on another, so they run in shuffled order, the same in every run. */
const sequence = { shuffle: { tests: true } };

export default defineConfig({
  test: {
    // One more than the number of cores: while one worker waits for a page or a database, another
    // works.
    maxWorkers: availableParallelism() + 1,
    // The seed gives the order within a file. `--sequence.seed` tries another one.
    sequence: { seed: 20_261_122, sequencer: InOrder },
    reporters: ['default', './test/support/report.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          sequence,
          include: ['src/**/*.test.{ts,tsx}', 'test/checks/**/*.test.ts'],
          exclude: needsDatabase,
        },
      },
      {
        test: {
          ...shared,
          name: 'integration',
          sequence,
          include: [...needsDatabase, 'test/integration/**/*.test.ts'],
          setupFiles: [
            ...shared.setupFiles,
            'test/support/cheap-passwords.ts',
            'test/support/told-answers.ts',
          ],
          globalSetup: ['test/support/database-server.ts'],
        },
      },
      {
        // Several processes behind a balancer. Only `npm run test:cluster` runs them.
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
          sequence,
        },
      },
    ],
  },
});
