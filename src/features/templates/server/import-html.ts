import type { BodyOf, ResponseOf } from '#platform/shared/contract.ts';
import type { importHtml as endpoint } from '../contract.ts';
import { importedHtml } from '../rules/imported-html.ts';
import { renderApart } from './rendering/render-process.ts';

/** Above this, cleaning would hold up every other call. */
const smallHtml = 200_000;

/** Makes HTML of elsewhere the content of a template. Nothing is stored. */
export async function importHtml({ html }: BodyOf<typeof endpoint>): Promise<ResponseOf<typeof endpoint>> {
  if (html.length <= smallHtml) return importedHtml(html);
  return renderApart('html', html);
}
