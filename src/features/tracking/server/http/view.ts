import type { FastifyReply } from 'fastify';
import type { TrackingContext } from '../context.ts';
import { unknownLink } from '../pages/texts.ts';
import { privately, type StrangersCall, sendPage } from './answer.ts';

/**
 * A mail is HTML of somebody else under our address. So it is shut in: it runs nothing, sends no
 * form, and has no access to what belongs to our address.
 */
const policy =
  "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline' https:; font-src https: data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  'sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';

/** Shows a message in a browser, as its reader got it. */
export async function viewInBrowser(
  { db, sends, guard }: TrackingContext,
  { params, request, reply }: StrangersCall,
): Promise<FastifyReply> {
  const reference = guard.read('view', params.reference, request);
  if (!reference) return sendPage(reply, unknownLink());
  guard.visit(params.reference);
  const { workspaceId } = reference;
  const html = await db.asTenant(workspaceId, async (tx) => sends()?.page(tx, workspaceId, reference));
  if (html === undefined || html === null) return sendPage(reply, unknownLink());
  return privately(reply)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer')
    .send(html);
}
