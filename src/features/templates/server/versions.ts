import type { TenantTx } from '#platform/server/database.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import type { latestTemplateVersion, Template, TemplateVersion } from '../contract.ts';
import { findTemplate, needTemplate, noTemplate } from './find-template.ts';
import { lockTemplate, selectLatest, selectVersions } from './queries.ts';
import { addVersion, note, refuseChanged } from './save-template.ts';
import type { Writer } from './writer.ts';

/** The versions of a template. Throws `not_found`. */
export async function listVersions(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<{ items: TemplateVersion[] }> {
  const rows = await selectVersions(tx, workspaceId, id);
  if (rows.length === 0) await needTemplate(tx, workspaceId, id);
  return { items: rows.map((row) => ({ ...row, savedAt: row.savedAt.toISOString() })) };
}

/** Which version is the current one. Throws `not_found`. */
export async function latestVersion(
  tx: TenantTx,
  { workspaceId, userId, key }: Writer,
  id: number,
): Promise<ResponseOf<typeof latestTemplateVersion>> {
  const row = await selectLatest(tx, workspaceId, id);
  if (!row) throw noTemplate();
  const { version, savedAt, savedBy, savedById, savedByKey } = row;
  const isYours = savedById === userId && savedByKey === key;
  return { version, savedAt: savedAt.toISOString(), savedBy, isYours };
}

/**
 * Makes a new version with the content of an older one. Going back to the current version leaves no
 * trace. Throws `not_found` or `changed_meanwhile`.
 */
export async function restoreVersion(
  tx: TenantTx,
  writer: Writer,
  { id, version: asked }: { id: number; version: number },
  seen: number | undefined,
): Promise<Template> {
  const { workspaceId } = writer;
  await lockTemplate(tx, workspaceId, id);
  const now = await needTemplate(tx, workspaceId, id);
  const older = await needTemplate(tx, workspaceId, id, asked);
  const { version } = older;
  if (version !== now.version) {
    refuseChanged(now, writer, seen);
    await addVersion(tx, writer, now, { ...older, restoredFrom: version });
    await note(tx, writer, 'template.version_restored', id, { name: older.name, version });
  }
  return findTemplate(tx, workspaceId, id);
}
