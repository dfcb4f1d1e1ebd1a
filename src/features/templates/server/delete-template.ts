import type { TenantTx } from '#platform/server/database.ts';
import type { Template } from '../contract.ts';
import { findTemplate, needTemplate } from './find-template.ts';
import { lockTemplate, markDeleted, selectTemplate } from './queries.ts';
import { note, refuseTooMany } from './save-template.ts';
import type { Writer } from './writer.ts';

/** Deletes a template. It can be restored until the nightly work forgets it. */
export async function deleteTemplate(tx: TenantTx, writer: Writer, id: number): Promise<{ deleted: 1 }> {
  const { workspaceId } = writer;
  await lockTemplate(tx, workspaceId, id);
  const { name } = await needTemplate(tx, workspaceId, id);
  await markDeleted(tx, workspaceId, id, true);
  await note(tx, writer, 'template.deleted', id, { name });
  return { deleted: 1 };
}

/**
 * Brings back a deleted template. One that is not deleted stays as it is. Throws `not_found`, or
 * `conflict` when there are too many meanwhile.
 */
export async function restoreTemplate(tx: TenantTx, writer: Writer, id: number): Promise<Template> {
  const { workspaceId } = writer;
  await lockTemplate(tx, workspaceId, id);
  const row = await selectTemplate(tx, workspaceId, id, { isDeleted: true });
  if (!row) return findTemplate(tx, workspaceId, id);
  await refuseTooMany(tx, workspaceId);
  await markDeleted(tx, workspaceId, id, false);
  await note(tx, writer, 'template.brought_back', id, { name: row.name });
  return findTemplate(tx, workspaceId, id);
}
