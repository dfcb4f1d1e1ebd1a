import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/**
 * Where the run's databases are created, see `database-server.ts`. Tests replace the database names
 * in the URLs.
 */
export interface TestServer {
  adminUrl: string;
  ownerUrl: string;
  appUrl: string;
  template: string;
  /** The tables' owner, who gets each copy. Absent when it is the administrator. */
  owner?: string;
}

export interface TestDatabase {
  /** Connects as the role that owns the tables. */
  ownerUrl: string;
  /** Connects like the product: bound by row-level security. */
  appUrl: string;
  drop(): Promise<void>;
}

/** The same connection string with another database. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/**
 * A migrated, empty database for the caller alone. Create one per test file in `beforeAll` and drop
 * it in `afterAll`. First close every connection to it, or they are cut off.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('testServer');
  const name = `${server.template.replace(/template$/, '')}${randomBytes(6).toString('hex')}`;
  await asAdmin(server, (client) =>
    client.query(
      `create database ${name} template ${server.template} ${server.owner ? `owner ${server.owner}` : ''}`,
    ),
  );
  return {
    ownerUrl: withDatabase(server.ownerUrl, name),
    appUrl: withDatabase(server.appUrl, name),
    drop: () => asAdmin(server, (client) => client.query(`drop database if exists ${name} with (force)`)),
  };
}

async function asAdmin(server: TestServer, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server.adminUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
