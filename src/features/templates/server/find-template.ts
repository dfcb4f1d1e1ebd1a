import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Template, TemplateSummary } from '../contract.ts';
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
  throw new AppError(
    'not_found',
    version === undefined
      ? 'This template is not there any more. Reload the page.'
      : 'This version of the template is not there any more. Reload the page.',
  );
}

/** A template as callers see it. Throws `not_found`. */
export const findTemplate = async (
  tx: TenantTx,
  workspaceId: number,
  id: number,
  version?: number,
): Promise<Template> => present(await needTemplate(tx, workspaceId, id, version));

/** The stored template with its content. */
export const present = ({ htmlContent, textContent, ...row }: TemplateRow): Template => ({
  ...presentSummary(row),
  htmlContent,
  textContent,
});

export const presentSummary = ({
  createdAt,
  savedAt,
  savedById,
  savedBy,
  ...row
}: SummaryRow): TemplateSummary => ({
  ...row,
  createdAt: createdAt.toISOString(),
  updatedAt: savedAt.toISOString(),
  updatedBy: savedBy,
});
