import type { Database } from '#platform/server/database.ts';
import type { Call } from '#platform/server/http.ts';
import { emailPolicy } from '#platform/shared/email-page.ts';
import type { showTemplate as endpoint } from '../contract.ts';
import { previewPage } from '../rules/preview-page.ts';
import { filled } from './fill-template.ts';
import { needTemplate } from './find-template.ts';
import { mergeData, refuseContact } from './rendering/merge-data.ts';

/**
 * Answers a template as a page. Opened by itself it is as harmless as in a frame: the policy's
 * `sandbox` gives it an origin of its own, in which nothing runs.
 */
export async function showTemplate(
  db: Database,
  { workspaceId, caller, params, query, reply }: Call<typeof endpoint>,
): Promise<string> {
  refuseContact(caller, query.contact);
  const { htmlContent, version, data } = await db.asTenant(workspaceId, async (tx) => ({
    ...(await needTemplate(tx, workspaceId, params.id, query.version)),
    ...(await mergeData(tx, workspaceId, query.contact)),
  }));
  reply.header('content-type', 'text/html; charset=utf-8');
  reply.header('content-security-policy', `sandbox; frame-ancestors 'self'; ${emailPolicy}`);
  // A version never changes, but the company's name and address may. And a number may mean a later
  // version once its own is joined with that.
  const isKept = query.version === version && query.contact === undefined;
  reply.header('cache-control', isKept ? 'private, max-age=600' : 'private, no-store');
  const source = { subject: '', preheader: '', html: htmlContent, text: '' };
  return previewPage(filled(source, data).html, query.dark);
}
