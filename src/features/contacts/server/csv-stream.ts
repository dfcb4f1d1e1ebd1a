import type { Readable } from 'node:stream';
import { streamCopy } from '#platform/server/copy-stream.ts';
import type { Database } from '#platform/server/database.ts';
import { copyText } from './export-queries.ts';
import type { Fragment } from './filter-queries.ts';

/** A query as a stream of CSV with its columns' names. What people wrote is in the columns named `written`. */
export async function streamCsv(
  db: Database,
  workspaceId: number,
  query: Fragment,
  written: readonly string[],
): Promise<Readable> {
  const statement = copyText(db.system, query, `format csv, header, force_quote (${written.join(', ')})`);
  return streamCopy(db, workspaceId, statement);
}
