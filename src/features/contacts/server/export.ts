import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import { type Database, tenantStatement } from '#platform/server/database.ts';
import { copyText, exportQuery } from './export-queries.ts';
import type { Fragment } from './filter-queries.ts';

/**
 * The contacts that `where` picks as a stream of CSV, straight from the server's COPY: as fast as PostgreSQL writes, and no more in
 * memory than a socket's buffer. One connection of the pool is taken until the stream ends or is destroyed.
 */
export async function streamExport(
  db: Database,
  workspaceId: number,
  { where, withHeader }: { where: Fragment; withHeader: boolean },
): Promise<Readable> {
  const statement = copyText(db.system, exportQuery(where), withHeader);
  const client = await db.pool.connect();
  try {
    await client.query('begin read only');
    await client.query(tenantStatement(workspaceId));
    // COPY has no LIMIT for a cursor's plan to wait for; the first row may come late, all rows should come soon.
    const rows = client.query(copyTo(statement));
    const out = new PassThrough({ highWaterMark: 1_048_576 });
    pipeline(rows, out).then(
      () =>
        client.query('commit').then(
          () => client.release(),
          (error: Error) => client.release(error),
        ),
      // The reader went away, or the statement failed: a connection in the middle of a COPY is not reused.
      (error: Error) => client.release(error),
    );
    return out;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}
