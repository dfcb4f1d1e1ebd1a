import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import { type Database, tenantStatement } from './database.ts';

/**
 * Streams the bytes that a `COPY … TO STDOUT` of a workspace's rows produces. It holds one
 * connection of the pool until the stream ends or is destroyed. Rejects when the statement cannot
 * start. A later failure destroys the stream.
 */
export async function streamCopy(db: Database, workspaceId: number, statement: string): Promise<Readable> {
  const client = await db.lendStream(workspaceId);
  try {
    await client.query('begin read only');
    await client.query(tenantStatement(workspaceId));
    const rows = client.query(copyTo(statement));
    const out = new PassThrough({ highWaterMark: 1_048_576 });
    pipeline(rows, out).then(
      () =>
        client.query('commit').then(
          () => client.release(),
          (error: Error) => client.release(error),
        ),
      // The reader went away or the statement failed. Do not reuse a connection in the middle of a
      // COPY.
      (error: Error) => client.release(error),
    );
    return out;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}
