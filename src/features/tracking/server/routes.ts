import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReferenceUse } from '#features/messages/server/index.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { judgeAgent } from '../rules/agents.ts';
import type { SendReference, TrackingContext } from './context.ts';
import { leaveBy } from './leave.ts';
import { leavePage, leftPage, unknownPage, writerOf } from './pages.ts';
import { selectTarget } from './queries.ts';

/** One transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

export function registerTracking(router: Router, context: TrackingContext): void {
  const { db, references } = context;
  const referenceOf = (use: ReferenceUse, { reference }: { reference: string }) =>
    references.fromUrl(use, reference);

  router.handle(contract.openPixel, async ({ params, request, reply }) => {
    const reference = referenceOf('open', params);
    // Whatever becomes of the count, a mail must not show a broken picture.
    if (reference) await noteEvent(context, request, reference, 'open').catch(() => undefined);
    // Pages elsewhere may show it: mail in a browser is one.
    return privately(reply)
      .header('content-type', 'image/gif')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(pixel);
  });

  router.handle(contract.followLink, async ({ params, request, reply }) => {
    const reference = referenceOf('click', params);
    if (!reference) return sendPage(reply, unknownPage(), 404);
    const { workspaceId, mailingId, part } = reference;
    const target = await db.asTenant(workspaceId, (tx) => selectTarget(tx, workspaceId, mailingId, part));
    if (target === undefined) return sendPage(reply, unknownPage(), 404);
    await noteEvent(context, request, reference, 'click').catch(() => undefined);
    return privately(reply).code(302).header('location', target).send();
  });

  for (const [show, leave, use] of [
    [contract.showLeave, contract.leave, 'unsubscribe'],
    [contract.showPreferences, contract.leaveOnPreferences, 'preferences'],
  ] as const) {
    router.handle(show, async ({ params, reply }) => {
      const found = await readerOf(context, referenceOf(use, params));
      return found
        ? sendPage(reply, leavePage(found.writer, found.address))
        : sendPage(reply, unknownPage(), 404);
    });
    router.handle(leave, async ({ params, reply }) => {
      const reference = referenceOf(use, params);
      const found = await readerOf(context, reference);
      if (!reference || !found) return sendPage(reply, unknownPage(), 404);
      await leaveBy(context, reference.workspaceId, reference);
      return sendPage(reply, leftPage(found.writer, found.address));
    });
  }

  router.handle(contract.viewInBrowser, async ({ params, reply }) => {
    const reference = referenceOf('view', params);
    const { sends } = context;
    const html =
      reference &&
      (await db.asTenant(reference.workspaceId, async (tx) =>
        sends()?.page(tx, reference.workspaceId, reference),
      ));
    if (!html) return sendPage(reply, unknownPage(), 404);
    // As in a mail program: pictures and looks, and nothing that runs.
    const policy =
      "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline' https:; font-src https:";
    return sendPage(
      reply.header(
        'content-security-policy',
        `${policy}; sandbox allow-popups allow-popups-to-escape-sandbox`,
      ),
      html,
    );
  });
}

/** Who follows a link: the address, and who has written to it. */
async function readerOf({ db, sends }: TrackingContext, reference: SendReference | null) {
  if (!reference) return null;
  const { workspaceId } = reference;
  return db.asTenant(workspaceId, async (tx) => {
    const send = await sends()?.find(tx, workspaceId, reference);
    if (!send) return null;
    return { address: `${send.local}@${send.domain}`, writer: await writerOf(tx, workspaceId) };
  });
}

async function noteEvent(
  { db, sends, events }: TrackingContext,
  { headers, method }: FastifyRequest,
  reference: SendReference,
  kind: 'open' | 'click',
): Promise<void> {
  const { workspaceId, mailingId, sendId, part } = reference;
  const send = await db.asTenant(workspaceId, async (tx) => sends()?.find(tx, workspaceId, reference));
  if (!send) return;
  const judged = judgeAgent({
    userAgent: headers['user-agent'] ?? '',
    isHead: method === 'HEAD',
    secondsAfter: send.handedAt === null ? null : (Date.now() - send.handedAt.getTime()) / 1000,
  });
  const { device, isHuman } = judged;
  const link = kind === 'click' ? part : null;
  await events.add({ workspaceId, mailingId, sendId, kind, link, agent: judged.kind, device, isHuman });
}

/** Nobody keeps or finds what is at a link of an email. */
const privately = (reply: FastifyReply): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex, nofollow')
    .header('referrer-policy', 'no-referrer');

function sendPage(reply: FastifyReply, html: string, status = 200): FastifyReply {
  privately(reply).code(status).header('content-type', 'text/html; charset=utf-8');
  if (!reply.hasHeader('content-security-policy'))
    reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    );
  return reply.send(html);
}
