import type { FastifyReply } from 'fastify';
import type { Call } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { showImage as endpoint } from '../contract.ts';
import { addressIn, contentTypes } from '../rules/address.ts';
import { type ImageFiles, keyOf } from './image-files.ts';

/**
 * Sends an image to whoever knows its address. Takes no connection to the database: a mail to a
 * million is opened by many at once. Nobody is looked up either, so no answer that caches keep
 * holds anything of a caller.
 */
export async function showImage(
  kept: ImageFiles,
  { params, reply }: Call<typeof endpoint>,
): Promise<FastifyReply> {
  const address = addressIn(params.file);
  const image = address && (await kept.read(keyOf(address)));
  if (!address || !image) throw new AppError('not_found', 'There is no image at this address.');
  reply
    .header('content-type', contentTypes[address.format])
    .header('cache-control', 'public, max-age=31536000, immutable')
    // As a page of its own it may do nothing at all. Pages elsewhere may show it: mail in a browser
    // is one.
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('content-disposition', 'inline');
  return reply.header('content-length', image.size).send(image.stream);
}
