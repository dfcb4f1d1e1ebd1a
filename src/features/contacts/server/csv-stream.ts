import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import { type Database, tenantStatement } from '#platform/server/database.ts';
import { copyText } from './export-queries.ts';
import type { Fragment } from './filter-queries.ts';

/**
 * A query as a stream of CSV with its columns' names, straight from the server's COPY. What people wrote is in the columns
 * named `written`. One connection of the pool is taken until the stream ends or is destroyed.
 */
export async function streamCsv(
  db: Database,
  workspaceId: number,
  query: Fragment,
  written: readonly string[],
): Promise<Readable> {
  const statement = copyText(db.system, query, `format csv, header, force_quote (${written.join(', ')})`);
  const client = await db.pool.connect();
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
      // The reader went away, or the statement failed: a connection in the middle of a COPY is not used again.
      (error: Error) => client.release(error),
    );
    return out;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}
