import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import { type Database, tenantStatement } from '#platform/server/database.ts';
import { exportStatement, type ListExport } from './export-queries.ts';

/** A list as a stream of CSV, straight from the server's COPY. One connection is taken until the stream ends or is destroyed. */
export async function exportList(db: Database, workspaceId: number, wanted: ListExport): Promise<Readable> {
  const statement = exportStatement(db.system, workspaceId, wanted);
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
      // The reader went away, or the statement failed: a connection in the middle of a COPY is not reused.
      (error: Error) => client.release(error),
    );
    return out;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}
