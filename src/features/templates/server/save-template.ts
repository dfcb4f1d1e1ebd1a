import { recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { formatNumber } from '#platform/shared/words.ts';
import { mostTemplates, mostVersions, type Template } from '../contract.ts';
import { findTemplate } from './find-template.ts';
import {
  countTemplates,
  deleteOldVersions,
  deleteVersion,
  insertTemplate,
  insertVersion,
  type TemplateContent,
  type TemplateRow,
} from './queries.ts';
import type { Writer } from './writer.ts';

/** Records in the audit log what happened to a template. */
export const note = (
  tx: TenantTx,
  { workspaceId, actor }: Writer,
  action: string,
  id: number,
  details: Record<string, unknown>,
) => recordAudit(tx, workspaceId, { actor, action, subject: `template:${id}`, details });

/** Throws `conflict` when the workspace has as many templates as it may have. */
export async function refuseTooMany(tx: TenantTx, workspaceId: number): Promise<void> {
  if ((await countTemplates(tx, workspaceId)) < mostTemplates) return;
  const most = formatNumber(mostTemplates);
  throw new AppError('conflict', `A workspace has at most ${most} templates. Delete one first.`);
}

/** Stores a new template. Throws `conflict` when there are too many. */
export async function addTemplate(
  tx: TenantTx,
  writer: Writer,
  content: TemplateContent,
  details: Record<string, unknown> = {},
): Promise<Template> {
  const { workspaceId } = writer;
  await refuseTooMany(tx, workspaceId);
  const id = await insertTemplate(tx, workspaceId);
  await insertVersion(tx, workspaceId, id, { ...content, version: 1, savedBy: writer });
  await note(tx, writer, 'template.created', id, { name: content.name, ...details });
  return findTemplate(tx, workspaceId, id);
}

/** Whether a version is one of automatic saves that this person or key may still add to. */
export const isOwnRun = ({ isOpen, savedById, savedByKey }: TemplateRow, { userId, key }: Writer): boolean =>
  isOpen && savedById === userId && savedByKey === key;

/**
 * Stores the next version of a template, and forgets the oldest ones beyond the limit. An automatic
 * save takes the place of the one before it, under the next number: so whoever has seen the older
 * one is still told that there is a newer one. Needs a lock on the template.
 */
export async function addVersion(
  tx: TenantTx,
  writer: Writer,
  row: TemplateRow,
  content: TemplateContent & { restoredFrom?: number },
  isAutomatic = false,
): Promise<void> {
  const { workspaceId } = writer;
  const { id, version: before } = row;
  const joins = isAutomatic && isOwnRun(row, writer);
  const run = isAutomatic ? { until: joins ? row.joinsUntil : null } : undefined;
  await insertVersion(tx, workspaceId, id, { ...content, version: before + 1, savedBy: writer, run });
  if (joins) await deleteVersion(tx, workspaceId, id, before);
  else await deleteOldVersions(tx, workspaceId, id, mostVersions);
}

/** Somebody who saw an older version has not seen what they would overwrite. */
export function refuseChanged(
  { name, version, savedById, savedBy }: TemplateRow,
  { userId, key }: Writer,
  seen: number | undefined,
): void {
  if (seen === undefined || seen === version) return;
  const message =
    savedById === userId && key === null
      ? `You have changed “${name}” in another window since you opened it here.`
      : `${savedBy ?? 'Somebody'} has changed “${name}” since you opened it.`;
  throw new AppError('changed_meanwhile', `${message} Nothing was saved yet.`);
}
