import type { Database } from '#platform/server/database.ts';
import type { Call } from '#platform/server/http.ts';
import type { showTemplate as endpoint } from '../contract.ts';
import { previewPage, previewPolicy } from '../rules/preview-page.ts';
import { needTemplate } from './find-template.ts';

/**
 * Answers a template as a page. Opened by itself it is as harmless as in a frame: the policy's
 * `sandbox` gives it an origin of its own, in which nothing runs.
 */
export async function showTemplate(
  db: Database,
  { workspaceId, params, query, reply }: Call<typeof endpoint>,
): Promise<string> {
  const { htmlContent } = await db.asTenant(workspaceId, (tx) =>
    needTemplate(tx, workspaceId, params.id, query.version),
  );
  reply.header('content-type', 'text/html; charset=utf-8');
  reply.header('content-security-policy', `sandbox; frame-ancestors 'self'; ${previewPolicy}`);
  // A version never changes.
  reply.header('cache-control', query.version === undefined ? 'private, no-cache' : 'private, max-age=3600');
  return previewPage(htmlContent);
}
