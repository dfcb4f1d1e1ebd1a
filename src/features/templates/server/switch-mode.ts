import { currentContext } from '#platform/server/call-context.ts';
import type { Database } from '#platform/server/database.ts';
import type { BodyOf, ResponseOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { switchMode as endpoint } from '../contract.ts';
import { readBrand } from './brand/brand.ts';
import { presentContent } from './find-template.ts';
import { contentOf, htmlOf, storedContent, switchedTo } from './rendering/make-html.ts';

/** Turns what somebody is writing into another mode. Nothing is stored. */
export async function switchMode(
  db: Database,
  workspaceId: number,
  { to, ...body }: BodyOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const content = contentOf(body);
  if (!content) throw new AppError('invalid_input', 'Send htmlContent, mjml or document.');
  const brand = await db.asTenant(workspaceId, (tx) => readBrand(tx, workspaceId));
  const guest = { workspaceId, gone: currentContext().gone?.() };
  const made = await htmlOf(guest, content, brand);
  const { content: turned, words } = switchedTo(storedContent(made), made.htmlContent, to);
  const { mjml, document, htmlContent } = presentContent({
    ...(await htmlOf(guest, turned, brand)),
    textContent: null,
  });
  return { mode: to, mjml, document, htmlContent, isLossless: words === null, words };
}
