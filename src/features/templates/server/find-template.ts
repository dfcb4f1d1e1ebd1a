import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Template, TemplateSummary } from '../contract.ts';
import type { TemplateDocument } from '../rules/document/schema.ts';
import { type SummaryRow, selectTemplate, type TemplateRow } from './queries.ts';

/** A template as the database holds it. Throws `not_found`. */
export async function needTemplate(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  version?: number,
): Promise<TemplateRow> {
  const row = await selectTemplate(tx, workspaceId, id, { version });
  if (row) return row;
  if (version === undefined) throw noTemplate();
  throw new AppError('not_found', 'This version of the template is not there any more. Reload the page.');
}

export const noTemplate = (): AppError =>
  new AppError('not_found', 'This template is not there any more. Reload the page.');

/** A template as callers see it. Throws `not_found`. */
export const findTemplate = async (
  tx: TenantTx,
  workspaceId: number,
  id: number,
  version?: number,
): Promise<Template> => present(await needTemplate(tx, workspaceId, id, version));

/** The stored template with its content. */
export const present = (row: TemplateRow): Template => ({ ...presentSummary(row), ...presentContent(row) });

export const presentContent = ({
  mode,
  source,
  htmlContent,
  textContent,
}: Pick<TemplateRow, 'mode' | 'source' | 'htmlContent' | 'textContent'>) => ({
  mjml: mode === 'mjml' ? (source as string) : null,
  document: mode === 'visual' ? (source as TemplateDocument) : null,
  htmlContent,
  textContent,
});

export const presentSummary = (row: SummaryRow): TemplateSummary => ({
  id: row.id,
  name: row.name,
  description: row.description,
  category: row.category,
  mode: row.mode,
  usageCount: row.usageCount,
  version: row.version,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.savedAt.toISOString(),
  updatedBy: row.savedBy,
});
