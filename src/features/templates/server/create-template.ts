import { answersCall, type Database } from '#platform/server/database.ts';
import type { BodyOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { createTemplate as endpoint, Template } from '../contract.ts';
import { readBrand } from './brand/brand.ts';
import { plainContent } from './change-template.ts';
import { contentOf, madeOf } from './rendering/make-html.ts';
import { addTemplate } from './save-template.ts';
import type { Writer } from './writer.ts';

/** Makes the HTML of a new template and stores it. Throws `invalid_input` or `conflict`. */
export async function createTemplate(
  db: Database,
  writer: Writer,
  body: BodyOf<typeof endpoint>,
): Promise<Template> {
  const content = contentOf(body);
  if (!content) throw new AppError('invalid_input', 'HTML content is required');
  const { workspaceId } = writer;
  const brand = await db.asTenant(workspaceId, (tx) => readBrand(tx, workspaceId));
  const made = await madeOf(content, brand);
  const { name, description, category, textContent } = body;
  return db.asTenant(
    workspaceId,
    (tx) => addTemplate(tx, writer, plainContent({ name, description, category, textContent, ...made })),
    answersCall,
  );
}
