import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/**
 * Three kinds of test: pure (`unit`), with a real PostgreSQL (`integration`), and the whole product in a real
 * browser (`e2e`). A test beside the code belongs to `integration` when it imports from test/support, because that
 * is what needs the database; so nobody has to keep a list.
 */
const besideCode = globSync('src/**/*.test.{ts,tsx}');
const needsDatabase = besideCode.filter((file) =>
  /from '#test\/support\/(?!dirty-data)/.test(readFileSync(file, 'utf8')),
);

// Generous, because the machine may be busy: no test is about time.
const shared = {
  environment: 'node' as const,
  testTimeout: 60_000,
  hookTimeout: 120_000,
  setupFiles: ['test/support/property-seed.ts'],
  // A busy machine may cut a test off; one that fails three times has found something.
  retry: process.env.CI ? 2 : 0,
};

export default defineConfig({
  test: {
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
          globalSetup: ['test/support/database-server.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
