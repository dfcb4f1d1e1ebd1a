import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Image, ImageUse } from '../contract.ts';
import { pathOf } from '../rules/address.ts';
import type { ImagesContext } from './context.ts';
import { type AnyImageRow, type ImageRow, selectImage } from './queries.ts';

/** An image as callers see it. */
export function present(
  { publicUrl }: Pick<ImagesContext, 'publicUrl'>,
  workspaceId: number,
  row: ImageRow,
): Image {
  const { id, name, alt, width, height, bytes, isAnimated, keptUntil, createdBy, createdAt, updatedAt } = row;
  return {
    id,
    name,
    alt,
    url: new URL(pathOf({ workspaceId, ...row }), publicUrl).href,
    width,
    height,
    bytes,
    isAnimated,
    keptUntil: keptUntil && keptUntil > new Date() ? keptUntil.toISOString() : null,
    createdBy,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** One image that is not deleted, or one that may be. Throws `not_found`. */
export async function needImage(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  options: { lock?: boolean; orDeleted?: boolean } = {},
): Promise<AnyImageRow> {
  const row = await selectImage(tx, workspaceId, id, options);
  if (row && (options.orDeleted || !row.isDeleted)) return row;
  throw new AppError('not_found', 'This image is not there any more. Reload the page.');
}

/** What shows an image now, whichever feature it belongs to. */
export async function usesOf(
  { users }: Pick<ImagesContext, 'users'>,
  tx: TenantTx,
  workspaceId: number,
  token: string,
): Promise<ImageUse[]> {
  const found: ImageUse[] = [];
  for (const user of users) found.push(...(await user.usesOf(tx, workspaceId, token)));
  return found;
}
