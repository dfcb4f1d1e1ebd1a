import type { BodyOf, ResponseOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { switchMode as endpoint } from '../contract.ts';
import { presentContent } from './find-template.ts';
import { contentOf, htmlOf, switchedTo } from './rendering/make-html.ts';

/** Turns what somebody is writing into another mode. Nothing is stored. */
export async function switchMode({
  to,
  ...body
}: BodyOf<typeof endpoint>): Promise<ResponseOf<typeof endpoint>> {
  const content = contentOf(body);
  if (!content) throw new AppError('invalid_input', 'Send htmlContent, mjml or document.');
  const made = await htmlOf(content);
  const { content: turned, words } = switchedTo(content, made.htmlContent, to);
  const { mjml, document, htmlContent } = presentContent({ ...(await htmlOf(turned)), textContent: null });
  return { mode: to, mjml, document, htmlContent, isLossless: words === null, words };
}
