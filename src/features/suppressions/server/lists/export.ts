import type { Readable } from 'node:stream';
import type { Database } from '#platform/server/database.ts';
import { streamCopy } from '#platform/server/stream-from.ts';
import { exportStatement, type ListExport } from './export-queries.ts';

/** A list as a stream of CSV. */
export const exportList = (db: Database, workspaceId: number, wanted: ListExport): Promise<Readable> =>
  streamCopy(db, workspaceId, exportStatement(db.system, workspaceId, wanted));
