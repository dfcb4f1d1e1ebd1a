import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kyselyOn } from '#platform/server/database.ts';
import { declareLock, takeLock } from '#platform/server/locks.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { connect, inTransaction } from './connection.ts';
import type { EngineJob } from './messages.ts';

const early = declareLock({ name: 'early', number: 99_011, rank: 1, meanwhile: 'It is early' });
const late = declareLock({ name: 'late', number: 99_012, rank: 2, meanwhile: 'It is late' });

let made: TestDatabase;
const open: pg.Client[] = [];

beforeAll(async () => {
  made = await createTestDatabase();
});
afterAll(async () => {
  for (const client of open) await client.end();
  await made.drop();
});

/** Takes both locks in the wrong order in an import's transaction, each by its own handle. */
async function outOfOrder(failsOnMisuse: boolean): Promise<void> {
  const database = { url: made.appUrl, failsOnMisuse };
  const job = { workspaceId: 1, importId: 7, database, deadline: Date.now() + 60_000 } as EngineJob;
  const client = await connect(job);
  open.push(client);
  await inTransaction(client, job, async () => {
    await takeLock(kyselyOn(client), late, 1);
    await takeLock(kyselyOn(client), early, 1);
  });
}

describe('the transaction of an import', () => {
  it('takes its locks in the order of their ranks, or fails where misuse fails', async () => {
    await expect(outOfOrder(true)).rejects.toThrow('The lock "early" (rank 1) was taken after "late"');
    await outOfOrder(false);
  });
});
