import { inBackground } from '#platform/server/call-context.ts';
import type { Database } from '#platform/server/database.ts';
import type { TemplatePreset } from '../../contract.ts';
import type { Brand } from '../../rules/document/schema.ts';
import { textFromHtml } from '../../rules/html/text.ts';
import { presets } from '../../rules/presets/index.ts';
import { withBrandOn } from '../../rules/presets/whole-document.ts';
import { readBrand } from '../brand/brand.ts';
import { htmlOf } from '../rendering/make-html.ts';

/** Brands whose presets are kept made: all of one take half a second. */
const mostKept = 50;
const kept = new Map<string, Promise<TemplatePreset[]>>();

/** All presets as the workspace's brand looks, with their HTML. */
export async function listPresets(db: Database, workspaceId: number): Promise<TemplatePreset[]> {
  const brand = await db.asTenant(workspaceId, (tx) => readBrand(tx, workspaceId));
  const key = JSON.stringify(brand);
  const made = kept.get(key) ?? inBackground(() => madeFor(workspaceId, brand));
  kept.delete(key);
  kept.set(key, made);
  for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest);
  try {
    return await made;
  } catch (error) {
    kept.delete(key);
    throw error;
  }
}

/**
 * Others with the same brand may wait for it too, so it goes on when the first caller leaves. What
 * people of the workspace want meanwhile comes in between, because they take turns with it.
 */
const madeFor = (workspaceId: number, brand: Brand): Promise<TemplatePreset[]> =>
  Promise.all(
    presets.map(async ({ look, document: plain, ...rest }) => {
      const document = withBrandOn(plain, look, brand);
      const { htmlContent } = await htmlOf({ workspaceId }, { mode: 'visual', document }, {});
      return { ...rest, document, htmlContent, textContent: textFromHtml(htmlContent) };
    }),
  );
