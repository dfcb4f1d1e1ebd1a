import { pageOfRows, placeById } from '#platform/server/cursor.ts';
import type { Database } from '#platform/server/database.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { listImports } from '../../contract.ts';
import { toRecord } from './get-import.ts';
import { listImportRows } from './record-queries.ts';

export async function listRecords(
  { db }: { db: Database },
  workspaceId: number,
  query: { page: number; limit: number; cursor?: string | undefined },
): Promise<ResponseOf<typeof listImports>> {
  const scope = { workspaceId, list: listImports.path, of: {} };
  const { after, offset } = placeById(scope, query);
  const { rows, totalCount } = await db.asTenant(workspaceId, (tx) =>
    listImportRows(tx, workspaceId, { after, offset, limit: query.limit + 1 }),
  );
  const page = pageOfRows(scope, rows, query.limit);
  return { items: page.rows.map(toRecord), totalCount, nextCursor: page.nextCursor };
}
