import { pageOfRows, placeById } from '#platform/server/cursor.ts';
import type { QueryOf, ResponseOf } from '#platform/shared/contract.ts';
import { listImages } from '../contract.ts';
import { mostBytes } from '../rules/limits.ts';
import type { ImagesContext } from './context.ts';
import { present } from './present.ts';
import { countImages, selectImages, selectKept } from './queries.ts';

/** A page of images. */
export async function listAll(
  context: ImagesContext,
  workspaceId: number,
  { search, ...query }: QueryOf<typeof listImages>,
): Promise<ResponseOf<typeof listImages>> {
  const scope = { workspaceId, list: listImages.path, of: { search } };
  const place = placeById(scope, query);
  return context.db.asTenant(workspaceId, async (tx) => {
    const found = await selectImages(tx, workspaceId, search, { ...place, limit: query.limit + 1 });
    const page = pageOfRows(scope, found, query.limit);
    return {
      items: page.rows.map((row) => present(context, workspaceId, row)),
      totalCount: await countImages(tx, workspaceId, search),
      nextCursor: page.nextCursor,
      usedBytes: (await selectKept(tx, workspaceId)).bytes,
      mostBytes,
    };
  });
}
