import { isDeepStrictEqual } from 'node:util';
import type { Database } from '#platform/server/database.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type applyBrand as endpoint, templatesAtOnce } from '../../contract/brand.ts';
import { type Brand, inBrand, type TemplateDocument } from '../../rules/document/schema.ts';
import { lockTemplate, selectTemplate, selectVisualIds } from '../queries.ts';
import { madeOf } from '../rendering/make-html.ts';
import { addVersion, note } from '../save-template.ts';
import type { Writer } from '../writer.ts';
import { readBrand } from './brand.ts';

type Outcome = 'changed' | 'unchanged' | 'skipped';

/**
 * Gives the next templates that are written in blocks the brand's look and logo, each as a new
 * version. One that somebody changes meanwhile, or that cannot be made any more, is skipped.
 */
export async function applyBrand(
  db: Database,
  writer: Writer,
  after: number,
): Promise<ResponseOf<typeof endpoint>> {
  const { workspaceId } = writer;
  const { brand, ids } = await db.asTenant(workspaceId, async (tx) => ({
    brand: await readBrand(tx, workspaceId),
    ids: await selectVisualIds(tx, workspaceId, after, templatesAtOnce + 1),
  }));
  const counts = { changed: 0, unchanged: 0, skipped: 0 };
  const now = ids.slice(0, templatesAtOnce);
  for (const id of now) counts[await applyTo(db, writer, id, brand)] += 1;
  return { ...counts, next: ids.length > now.length ? (now.at(-1) ?? null) : null };
}

async function applyTo(db: Database, writer: Writer, id: number, brand: Brand): Promise<Outcome> {
  const { workspaceId } = writer;
  const row = await db.asTenant(workspaceId, (tx) => selectTemplate(tx, workspaceId, id));
  if (row?.mode !== 'visual') return 'skipped';
  const document = inBrand(row.source as TemplateDocument, brand);
  if (isDeepStrictEqual(document, row.source)) return 'unchanged';
  const made = await madeOf(writer, { mode: 'visual', document }, brand).catch((error: unknown) => {
    if (error instanceof AppError && error.kind === 'invalid_input') return null;
    throw error;
  });
  if (!made) return 'skipped';
  return db.asTenant(workspaceId, async (tx): Promise<Outcome> => {
    await lockTemplate(tx, workspaceId, id);
    const latest = await selectTemplate(tx, workspaceId, id);
    if (latest?.version !== row.version) return 'skipped';
    await addVersion(tx, writer, latest, { ...latest, ...made });
    const { name, version } = latest;
    await note(tx, writer, 'template.changed', id, { name, changedFields: ['look'], version: version + 1 });
    return 'changed';
  });
}
