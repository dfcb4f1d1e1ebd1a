import pg from 'pg';
import { tenantStatement } from '#platform/server/database.ts';
import { limitSession } from '../staging-queries.ts';
import type { EngineJob } from './messages.ts';

/**
 * How long an import waits for whoever changes the suppression list; a change of it takes seconds.
 */
const lockTimeoutMs = 10 * 60_000;

/** A connection of the engine's own, whose statements end with the import's time. */
export async function connect(job: EngineJob): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: job.database.url,
    application_name: `email-manager import ${job.importId}`,
    connectionTimeoutMillis: 10_000,
    lock_timeout: lockTimeoutMs,
    ...(job.database.role ? { options: `-c role=${job.database.role}` } : {}),
  });
  // A connection that breaks while idle is met again, as an error, by the next statement.
  client.on('error', () => undefined);
  await client.connect();
  await limitSession(client, job.deadline - Date.now());
  return client;
}

/** Runs `work` in one transaction of the import's workspace. */
export async function inTransaction<T>(
  client: pg.Client,
  job: EngineJob,
  work: () => Promise<T>,
): Promise<T> {
  await client.query(`begin; ${tenantStatement(job.workspaceId)}`);
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
