import { imageSizes } from '#features/images/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import { heavyImages, imagesIn } from '../rules/heavy-images.ts';
import type { TemplateWarning } from '../rules/warnings.ts';

/** Warnings of images of the workspace that are larger than readers on a phone like. */
export async function heavyImagesOf(
  db: Database,
  workspaceId: number,
  html: string,
): Promise<TemplateWarning[]> {
  const urls = [...imagesIn(html).keys()];
  if (urls.length === 0) return [];
  return heavyImages(html, await db.asTenant(workspaceId, (tx) => imageSizes(tx, workspaceId, urls)));
}
