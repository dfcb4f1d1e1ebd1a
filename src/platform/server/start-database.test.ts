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
  const start = (url: string) => {
    logged = '';
    const config: Config = loadConfig({ DATABASE_URL: url, SECRET_KEY: 'k'.repeat(32) });
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

  it.skipIf(process.env.TEST_DATABASE_URL)('warns when the user may not take that role', async () => {
    const running = await start(database.ownerUrl);
    expect(running.appRole).toBeUndefined();
    expect(logged).toContain('row-level security does not guard');
  });

  it('says where it could not connect, without the password', async () => {
    const url = 'postgres://someone:pass-word@localhost:1/nowhere';
    await expect(start(url)).rejects.toThrow(/cannot connect to PostgreSQL at localhost:1/);
    await expect(start(url)).rejects.not.toThrow(/pass-word/);
  });
});
