import type { FastifyReply } from 'fastify';
import type { TrackingContext } from '../context.ts';
import { noteEvent } from '../note-event.ts';
import { privately, type StrangersCall } from './answer.ts';

/** A transparent picture of one pixel: GIF89a, 43 bytes. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/**
 * The picture that tells that a message was opened. Every reader gets it, whatever becomes of the
 * count: a mail must not show a broken picture.
 */
export async function showPixel(
  context: TrackingContext,
  { params, request, reply }: StrangersCall,
): Promise<FastifyReply> {
  const reference = context.site.keys.references.fromUrl('open', params.reference);
  if (reference && context.guard.mayCount(params.reference))
    await noteEvent(context, request, reference, 'open');
  // Pages elsewhere may show it: mail in a browser is one.
  return privately(reply)
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('content-type', 'image/gif')
    .send(pixel);
}
