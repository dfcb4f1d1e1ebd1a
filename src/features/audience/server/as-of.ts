import { sql } from 'kysely';
import { z } from 'zod';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { Tree } from '../rules/tree.ts';
import { selectLastId } from './list-queries.ts';

/**
 * The contacts that there are at a moment: those with an id up to the last one, without those that
 * running imports bring, and those that come back from the bin later. These have their ids already,
 * and are seen only once they are committed. Work that an earlier version confirmed has no moment.
 *
 * `meant` is what the tree stood for at that moment, where it asks for lists that fill themselves.
 * Work that an earlier version confirmed has none. `meant` reads it.
 */
export const asOfInput = (meant: z.ZodType<Tree>) =>
  z.strictObject({
    lastId: z.number(),
    coming: z.array(z.number()),
    at: z.string().optional(),
    meant: meant.optional(),
  });
export type AsOf = z.output<ReturnType<typeof asOfInput>>;

/** Who is there now. */
export async function selectAsOf(tx: TenantTx, workspaceId: number): Promise<AsOf> {
  const { rows } = await sql<Omit<AsOf, 'lastId'>>`
    select now()::text as at, (
      select coalesce(json_agg(id), '[]') from imports
      where workspace_id = ${workspaceId} and status in ('uploading', 'processing')
    ) as coming`.execute(tx);
  return { coming: [], ...rows[0], lastId: await selectLastId(tx, workspaceId) };
}

/** True for the contacts `c` that there were. */
export const wasThere = ({ lastId, coming, at = 'infinity' }: AsOf): Fragment => sql`(
  c.id <= ${lastId} and (c.import_id is null or c.import_id <> all(${coming}::bigint[]))
  and (c.restored_at is null or c.restored_at <= ${at}::timestamptz))`;
