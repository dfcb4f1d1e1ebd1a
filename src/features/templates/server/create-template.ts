import { answersCall, type Database } from '#platform/server/database.ts';
import type { BodyOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { createTemplate as endpoint, SavedTemplate } from '../contract.ts';
import { readBrand } from './brand/brand.ts';
import { plainContent } from './change-template.ts';
import { findingsOf } from './rendering/judged.ts';
import { contentOf, madeOf } from './rendering/make-html.ts';
import { addTemplate } from './save-template.ts';
import type { Writer } from './writer.ts';

/**
 * Makes the HTML of a new template, stores it, and says what is to be looked at in it. Throws
 * `invalid_input` or `conflict`.
 */
export async function createTemplate(
  db: Database,
  writer: Writer,
  body: BodyOf<typeof endpoint>,
): Promise<SavedTemplate> {
  const content = contentOf(body);
  if (!content) throw new AppError('invalid_input', 'HTML content is required');
  const { workspaceId } = writer;
  const brand = await db.asTenant(workspaceId, (tx) => readBrand(tx, workspaceId));
  const made = await madeOf(writer, content, brand);
  const { name, description, category, textContent } = body;
  const findings = await findingsOf(db, workspaceId, made, textContent);
  const stored = plainContent({ name, description, category, textContent, ...made });
  return db.asTenant(
    workspaceId,
    async (tx) => ({ ...(await addTemplate(tx, writer, stored)), ...findings }),
    answersCall,
  );
}
