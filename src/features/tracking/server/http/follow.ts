import type { FastifyReply } from 'fastify';
import { joinedAddress, pageAddress, type Target } from '#features/links/rules/targets.ts';
import type { TrackingContext } from '../context.ts';
import { noteEvent } from '../note-event.ts';
import { unknownLink } from '../pages/texts.ts';
import { privately, type StrangersCall, sendPage } from './answer.ts';

/** Sends a reader on to where a link of a mail leads, and to nowhere else. */
export async function follow(
  context: TrackingContext,
  { params, request, reply }: StrangersCall,
): Promise<FastifyReply> {
  const { site, targets, guard } = context;
  const reference = guard.read('click', params.reference, request);
  if (!reference) return sendPage(reply, unknownLink());
  const target = (await targets.get(reference.workspaceId, reference.mailingId)).get(reference.part);
  const unseal = (text: string) => site.keys.unseal(params.reference, text);
  const address = target ? addressOf(target, unseal, request.query) : null;
  if (address === null) return sendPage(reply, unknownLink());
  if (guard.mayCount(params.reference)) await noteEvent(context, request, reference, 'click');
  return privately(reply)
    .code(302)
    .header('location', address)
    .header('referrer-policy', 'no-referrer')
    .send();
}

/**
 * Mailings made before 27 November 2026 took a tag that ends the block around an address for a part
 * of it. Their messages have links without it now.
 */
const blockEnd = /^\{%-?\s*(?:end|els|when\b)/;

function addressOf(
  { target, prefix }: Target,
  unseal: (text: string) => string | null,
  query: unknown,
): string | null {
  if (prefix === null) return pageAddress(target);
  const { t: sealed } = query as { t?: unknown };
  if (sealed === undefined && blockEnd.test(target.slice(prefix.length))) return pageAddress(prefix);
  const rest = typeof sealed === 'string' ? unseal(sealed) : null;
  return rest === null ? null : joinedAddress(prefix, rest);
}
