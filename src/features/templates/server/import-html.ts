import { currentContext } from '#platform/server/call-context.ts';
import type { BodyOf, ResponseOf } from '#platform/shared/contract.ts';
import type { importHtml as endpoint } from '../contract.ts';
import { renderApart } from './rendering/render-process.ts';

/** Makes HTML of elsewhere the content of a template. Nothing is stored. */
export function importHtml(
  workspaceId: number,
  { html }: BodyOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  return renderApart({ workspaceId, gone: currentContext().gone?.() }, 'html', html);
}
