import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { type Config, loadConfig } from './config.ts';
import { createLogger } from './logging.ts';
import { startDatabase } from './start-database.ts';

describe('startDatabase with DATABASE_URL', () => {
  let database: TestDatabase;
  let logged: string;
  const write = (line: string) => {
    logged += line;
  };
  const start = (url: string, env: Record<string, string> = {}) => {
    logged = '';
    const config: Config = loadConfig({ DATABASE_URL: url, SECRET_KEY: 'k'.repeat(32), ...env });
    return startDatabase(config, createLogger('warn', { write }));
  };

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('has the product take the role that row-level security binds', async () => {
    const running = await start(inject('testServer').adminUrl);
    expect(running.appRole).toBe('email_manager_app');
    expect(logged).toBe('');
  });

  it.skipIf(process.env.TEST_DATABASE_URL)(
    'refuses when the user may not take that role, and only warns where that is accepted',
    async () => {
      await expect(start(database.ownerUrl)).rejects.toThrow(/cannot take the role email_manager_app/);
      const running = await start(database.ownerUrl, { WITHOUT_ROW_LEVEL_SECURITY: 'accept' });
      expect(running.appRole).toBeUndefined();
      expect(logged).toContain('queries alone keep workspaces apart');
    },
  );

  it.skipIf(process.env.TEST_DATABASE_URL)('refuses when that role is the one that migrates', async () => {
    await expect(start(database.appUrl)).rejects.toThrow(/email_manager_app owns the tables/);
  });

  it('says where it could not connect, without the password', async () => {
    const url = 'postgres://someone:pass-word@localhost:1/nowhere';
    await expect(start(url)).rejects.toThrow(/cannot connect to PostgreSQL at localhost:1/);
    await expect(start(url)).rejects.not.toThrow(/pass-word/);
  });
});
