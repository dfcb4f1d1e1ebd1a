import pg from 'pg';
import { tenantStatement } from '#platform/server/database.ts';
import { watchLocks } from '#platform/server/locks.ts';
import { limitSession } from '../staging-queries.ts';
import type { EngineJob } from './messages.ts';

/**
 * How long an import waits for someone who is changing the suppression list or deleting contacts of
 * its file. Such a change takes seconds.
 */
const lockTimeoutMs = 10 * 60_000;

/** A separate connection for the engine. Its statements stop when the import's time is over. */
export async function connect(job: EngineJob): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: job.database.url,
    application_name: `email-manager import ${job.importId}`,
    connectionTimeoutMillis: 10_000,
    lock_timeout: lockTimeoutMs,
    ...(job.database.role ? { options: `-c role=${job.database.role}` } : {}),
  });
  // When an idle connection breaks, the next statement reports the error.
  client.on('error', () => undefined);
  await client.connect();
  await limitSession(client, job.deadline - Date.now());
  return client;
}

/**
 * Runs `work` in one transaction of the import's workspace. Where misuse of the database fails, it
 * must take its locks in the order of their ranks.
 */
export async function inTransaction<T>(
  client: pg.Client,
  job: EngineJob,
  work: () => Promise<T>,
): Promise<T> {
  await client.query(`begin; ${tenantStatement(job.workspaceId)}`);
  watchLocks(client, job.database.failsOnMisuse ? throwIt : () => undefined);
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

function throwIt(error: Error): never {
  throw error;
}
