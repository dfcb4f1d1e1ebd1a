import { Readable } from 'node:stream';
import type pg from 'pg';
import { copyOut } from './copy-out.ts';
import { type Database, kyselyOn, type TenantTx, tenantStatement } from './database.ts';
import { watchLocks } from './locks.ts';

/** A connection that a stream has until its end. */
export interface StreamLoan {
  readonly tx: TenantTx;
  /** Opens a transaction of the workspace. The stream's end commits it. */
  begin(mode?: string): Promise<void>;
  commit(): Promise<void>;
  /** The bytes of a `COPY … TO STDOUT`. Rejects when the statement fails at once. */
  copy(statement: string): Promise<Readable>;
}

/**
 * Streams what `open` returns, with one stream connection until the stream ends or is destroyed.
 * Rejects with the error of `open`, which can still be answered. If anything fails later, the
 * stream fails, so that half a file is not mistaken for a whole one.
 */
export async function streamFrom(
  db: Database,
  workspaceId: number,
  open: (loan: StreamLoan) => Promise<AsyncIterable<Buffer | string>>,
): Promise<Readable> {
  const client = await db.lendStream(workspaceId);
  const { release, isReleased } = releaseOnce(client);
  const { loan, dropCopy } = loanOf(db, client, workspaceId);
  try {
    const source = await open(loan);
    const bytes = Readable.from(untilCommitted(source, loan, release), {
      objectMode: false,
      highWaterMark: 1_048_576,
    });
    bytes.once('close', () => {
      // The reader went away, or a statement failed. A connection in the middle of a COPY is not
      // reused.
      if (isReleased()) return;
      dropCopy();
      release(new Error('the stream was broken off'));
    });
    return bytes;
  } catch (error) {
    release(error as Error);
    throw error;
  }
}

async function* untilCommitted(
  source: AsyncIterable<Buffer | string>,
  loan: StreamLoan,
  release: () => void,
): AsyncGenerator<Buffer | string, void> {
  yield* source;
  await loan.commit();
  release();
}

function releaseOnce(client: pg.PoolClient) {
  // The stream's reader sees a broken connection. Without a listener here it would end the process.
  const ignore = () => undefined;
  client.on('error', ignore);
  let isReleased = false;
  return {
    isReleased: () => isReleased,
    release: (error?: Error) => {
      if (isReleased) return;
      isReleased = true;
      if (!error) client.removeListener('error', ignore);
      client.release(error);
    },
  };
}

function loanOf(
  { onMisuse }: Database,
  client: pg.PoolClient,
  workspaceId: number,
): { loan: StreamLoan; dropCopy: () => void } {
  let rows: Readable | undefined;
  const loan: StreamLoan = {
    tx: kyselyOn(client),
    async begin(mode = '') {
      await client.query(`begin ${mode}`);
      await client.query(tenantStatement(workspaceId));
      watchLocks(client, onMisuse);
    },
    commit: async () => void (await client.query('commit')),
    async copy(statement) {
      rows = await copyOut(client, statement);
      return rows;
    },
  };
  return { loan, dropCopy: () => rows?.destroy() };
}

/** The bytes that a `COPY … TO STDOUT` of a workspace's rows produces. See `streamFrom`. */
export const streamCopy = (db: Database, workspaceId: number, statement: string): Promise<Readable> =>
  streamFrom(db, workspaceId, async (loan) => {
    await loan.begin('read only');
    return loan.copy(statement);
  });
