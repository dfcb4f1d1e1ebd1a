import type { ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { AppError } from '#platform/shared/errors.ts';

export interface SentFile {
  path: string;
  contentType: string;
  /** The name under which it is saved; any characters. */
  name: string;
  /** The name for clients that read ASCII only. */
  plainName: string;
  /** Text to add after the end of the file. */
  tail?: string;
}

/**
 * Sends a file that the product keeps, as a download.
 *
 * @throws AppError `not_found` when it is not kept any more.
 */
export async function sendFile(reply: FastifyReply, file: SentFile): Promise<FastifyReply> {
  const content = await openFile(file.path);
  return reply
    .header('content-type', file.contentType)
    .header(
      'content-disposition',
      `attachment; filename="${file.plainName}"; filename*=UTF-8''${encoded(file.name)}`,
    )
    .send(file.tail ? Readable.from(followed(content, file.tail)) : content);
}

async function* followed(content: ReadStream, tail: string): AsyncGenerator<Buffer | string> {
  yield* content as AsyncIterable<Buffer>;
  yield tail;
}

/** As RFC 8187 wants it: `'`, `(`, `)` and `*` mean something else there. */
const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

async function openFile(path: string): Promise<ReadStream> {
  try {
    const handle = await open(path);
    return handle.createReadStream();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new AppError('not_found', 'This file is not kept any more.', { cause: error });
  }
}
