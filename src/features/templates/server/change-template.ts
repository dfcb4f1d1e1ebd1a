import type { TenantTx } from '#platform/server/database.ts';
import type { BodyOf } from '#platform/shared/contract.ts';
import type { changeTemplate as endpoint, Template } from '../contract.ts';
import { findTemplate, needTemplate, present } from './find-template.ts';
import { lockTemplate, type TemplateContent, type TemplateRow } from './queries.ts';
import { addVersion, note, refuseChanged } from './save-template.ts';
import type { Writer } from './writer.ts';

/**
 * Changes a template. Writing the same values again leaves no trace. Throws `changed_meanwhile`
 * when the template is newer than `version`.
 */
export async function changeTemplate(
  tx: TenantTx,
  writer: Writer,
  id: number,
  { version: seen, ...wanted }: BodyOf<typeof endpoint>,
): Promise<Template> {
  const { workspaceId } = writer;
  await lockTemplate(tx, workspaceId, id);
  const row = await needTemplate(tx, workspaceId, id);
  const content = changed(row, wanted);
  const changedFields = fields.filter((field) => content[field] !== row[field]);
  if (changedFields.length === 0) return present(row);
  refuseChanged(row, writer, seen);
  await addVersion(tx, writer, row, content);
  await note(tx, writer, 'template.changed', id, {
    name: row.name === content.name ? row.name : { from: row.name, to: content.name },
    changedFields: changedFields.filter((field) => field !== 'name').map((field) => fieldWords[field]),
    version: row.version + 1,
  });
  return findTemplate(tx, workspaceId, id);
}

const fieldWords = {
  name: 'name',
  description: 'description',
  category: 'category',
  htmlContent: 'HTML',
  textContent: 'text version',
} as const;
const fields = Object.keys(fieldWords) as (keyof typeof fieldWords)[];

/** A template's content with changes. An empty text counts as none. */
const changed = (row: TemplateRow, wanted: Partial<Record<keyof TemplateContent, unknown>>) =>
  plainContent({
    ...row,
    ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)),
  });

/** What people sent, as it is stored: an empty description or text is none. */
export const plainContent = (
  given: Omit<TemplateContent, 'description' | 'textContent'> & {
    description?: string | null | undefined;
    textContent?: string | null | undefined;
  },
): TemplateContent => ({
  name: given.name,
  description: given.description || null,
  category: given.category,
  mode: given.mode,
  htmlContent: given.htmlContent,
  textContent: given.textContent?.trim() ? given.textContent : null,
});
