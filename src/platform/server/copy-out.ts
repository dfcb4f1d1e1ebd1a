import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/**
 * The bytes of a `COPY … TO STDOUT`. Rejects when the statement fails at once. When it fails later,
 * the stream is destroyed with the error, also while nobody reads. The package below only tells of
 * the error: without a listener that ends the process, and who reads afterwards waits for ever.
 */
export async function copyOut(client: pg.ClientBase, statement: string): Promise<Readable> {
  const rows = client.query(copyTo(statement)) as unknown as Readable;
  rows.on('error', (error) => rows.destroy(error));
  await once(rows, 'readable');
  return rows;
}
