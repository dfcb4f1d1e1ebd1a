import type { Readable } from 'node:stream';
import { streamCopy } from '#platform/server/copy-stream.ts';
import type { Database } from '#platform/server/database.ts';
import { exportStatement, type ListExport } from './export-queries.ts';

/** A list as a stream of CSV. */
export const exportList = (db: Database, workspaceId: number, wanted: ListExport): Promise<Readable> =>
  streamCopy(db, workspaceId, exportStatement(db.system, workspaceId, wanted));
