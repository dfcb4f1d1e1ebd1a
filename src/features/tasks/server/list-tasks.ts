import { pageOfRows, placeById } from '#platform/server/cursor.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { listTasks } from '../contract.ts';
import type { TasksContext } from './context.ts';
import { presentTask } from './present.ts';
import { listTaskRows } from './queries.ts';

export async function listAll(
  { db, definitions, runner }: TasksContext,
  workspaceId: number,
  query: { open?: boolean | undefined; page: number; limit: number; cursor?: string | undefined },
): Promise<ResponseOf<typeof listTasks>> {
  const scope = { workspaceId, list: listTasks.path, of: { open: query.open } };
  const { after, offset } = placeById(scope, query);
  const { rows, totalCount } = await db.asTenant(workspaceId, (tx) =>
    listTaskRows(tx, workspaceId, { open: query.open, after, offset, limit: query.limit + 1 }),
  );
  const page = pageOfRows(scope, rows, query.limit);
  const items = page.rows.map((row) => presentTask(definitions, row, runner.find(row)?.row.progress));
  return { items, totalCount, nextCursor: page.nextCursor };
}
