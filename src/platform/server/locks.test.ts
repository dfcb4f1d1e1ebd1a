import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { type Database, kyselyOn, openDatabase } from './database.ts';
import { declareLock, LockBusy, lockStatement, takeLock, tryLock, waitAtMost, watchLocks } from './locks.ts';

const early = declareLock({ name: 'early', number: 99_001, rank: 1, meanwhile: 'The early work is done' });
const many = declareLock({
  name: 'many wait',
  number: 99_003,
  rank: 1.5,
  meanwhile: 'Much is done',
  patienceMs: 100,
});
const late = declareLock({ name: 'late', number: 99_002, rank: 2, meanwhile: 'The late work is done' });

let made: TestDatabase;
let db: Database;
let workspaceId = 0;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
});
beforeEach(() => {
  workspaceId += 1;
});
afterAll(async () => {
  await db.close();
  await made.drop();
});

/** A transaction on another connection, named `name`, that holds the lock until it is ended. */
async function holder(name: string, mode: 'shared' | 'exclusive' = 'exclusive') {
  const client = new pg.Client({ connectionString: made.appUrl, application_name: name });
  await client.connect();
  await client.query('begin');
  await client.query(lockStatement(late, workspaceId, mode));
  return { end: () => client.end() };
}

const timeoutOf = async (tx: Parameters<Parameters<Database['asTenant']>[1]>[0]) => {
  const { rows } = await sql<{ now: string }>`select current_setting('lock_timeout') as now`.execute(tx);
  return rows[0]?.now;
};

describe('taking a lock', () => {
  it('holds it to the end of the transaction, for one workspace', async () => {
    const other = await holder('somebody');
    try {
      expect(await db.asTenant(workspaceId, (tx) => tryLock(tx, late, workspaceId))).toBe(false);
      expect(await db.asTenant(workspaceId, (tx) => tryLock(tx, late, workspaceId + 1))).toBe(true);
    } finally {
      await other.end();
    }
    expect(await db.asTenant(workspaceId, (tx) => tryLock(tx, late, workspaceId))).toBe(true);
  });

  it('out of order fails, and again in order does not', async () => {
    await db.asTenant(workspaceId, async (tx) => {
      await takeLock(tx, early, workspaceId);
      await takeLock(tx, late, workspaceId, 'shared');
      await takeLock(tx, early, workspaceId);
      await takeLock(tx, late, workspaceId);
    });
    const wrong = db.asTenant(workspaceId, async (tx) => {
      await takeLock(tx, late, workspaceId);
      await takeLock(tx, early, workspaceId);
    });
    await expect(wrong).rejects.toThrow('The lock "early" (rank 1) was taken after "late" (rank 2)');
  });

  it('out of order fails on handles of one connection too, in one transaction', async () => {
    const client = new pg.Client({ connectionString: made.appUrl });
    await client.connect();
    const begin = async () => {
      await client.query('begin');
      watchLocks(client, (error) => {
        throw error;
      });
    };
    try {
      await begin();
      await takeLock(kyselyOn(client), late, workspaceId);
      await client.query('commit');
      await begin();
      await takeLock(kyselyOn(client), early, workspaceId);
      await takeLock(kyselyOn(client), late, workspaceId);
      await client.query('commit');
      await begin();
      await takeLock(kyselyOn(client), late, workspaceId);
      await expect(takeLock(kyselyOn(client), early, workspaceId)).rejects.toThrow(
        'The lock "early" (rank 1) was taken after "late" (rank 2)',
      );
    } finally {
      await client.end();
    }
  });

  it('does not wait for another one who shares it', async () => {
    const other = await holder('somebody', 'shared');
    await db.asTenant(workspaceId, (tx) => takeLock(tx, late, workspaceId, 'shared'));
    await other.end();
  });

  it.each([
    ['somebody', 'The late work is done just now. Try again in a moment.'],
    ['email-manager import 12', 'An import is changing the database just now. Try again in a moment.'],
  ])('in vain says for whom: %s', async (name, message) => {
    const other = await holder(name);
    try {
      const waiting = db.asTenant(workspaceId, (tx) =>
        waitAtMost(tx, 50, 'a row', () => takeLock(tx, late, workspaceId)),
      );
      await expect(waiting).rejects.toThrow(LockBusy);
      await expect(waiting).rejects.toMatchObject({ code: 'conflict', message, retryAfter: 1 });
    } finally {
      await other.end();
    }
  });
});

describe('a lock that many wait for', () => {
  it('is let go while its holder waits for somebody else, who then begins again', async () => {
    const other = await holder('somebody');
    let times = 0;
    const waiting = db.asTenant(workspaceId, async (tx) => {
      times += 1;
      await takeLock(tx, many, workspaceId);
      expect(await timeoutOf(tx)).toBe('100ms');
      await takeLock(tx, late, workspaceId);
    });
    try {
      await vi.waitFor(() => expect(times).toBe(2), 10_000);
      // It would wait ten minutes, as background work may.
      await db.asTenant(workspaceId, (tx) =>
        waitAtMost(tx, 5_000, 'a row', () => takeLock(tx, many, workspaceId)),
      );
    } finally {
      await other.end();
    }
    await waiting;
    expect(times).toBeGreaterThan(1);
  });

  it('is let go for a row too, but not where the caller has set a limit', async () => {
    const other = await holder('somebody');
    let times = 0;
    const waiting = db.asTenant(workspaceId, async (tx) => {
      times += 1;
      await takeLock(tx, many, workspaceId);
      await waitAtMost(tx, 50, 'a row', () => takeLock(tx, late, workspaceId));
    });
    await expect(waiting).rejects.toThrow(LockBusy);
    expect(times).toBe(1);
    const row = db.asTenant(workspaceId, async (tx) => {
      times += 1;
      await takeLock(tx, many, workspaceId);
      // As a wait for a row is, this is none for a declared lock.
      if (times < 4) await sql.raw(lockStatement(late, workspaceId)).execute(tx);
    });
    await row;
    expect(times).toBe(4);
    await other.end();
  });
});

describe('waiting at most so long', () => {
  it('counts all waits together, and leaves the patience as it was', async () => {
    const other = await holder('somebody');
    setTimeout(() => void other.end(), 300);
    await db.asTenant(workspaceId, async (tx) => {
      const before = await timeoutOf(tx);
      await waitAtMost(tx, 30_000, 'a row', async () => {
        await takeLock(tx, late, workspaceId);
        const left = Number.parseInt((await timeoutOf(tx)) ?? '', 10);
        expect(left).toBeLessThan(30_000);
        await waitAtMost(tx, 60_000, 'a row', async () => {
          expect(Number.parseInt((await timeoutOf(tx)) ?? '', 10)).toBeLessThan(30_000);
        });
      });
      expect(await timeoutOf(tx)).toBe(before);
    });
  });
});
