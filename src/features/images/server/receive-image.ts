import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { fileNameOf, formParts } from '#platform/server/form-parts.ts';
import { storeUpload, type UploadLimit } from '#platform/server/store-upload.ts';
import { describeIssues } from '#platform/server/validation-messages.ts';
import { AppError } from '#platform/shared/errors.ts';
import { imageAlt, imageName } from '../contract.ts';
import { mostMegabytes } from '../rules/limits.ts';
import { nameFrom } from '../rules/names.ts';
import type { ImagesContext } from './context.ts';
import { folderOf } from './image-files.ts';
import type { SentImage } from './store-image.ts';

const undone = 'Nothing was stored';
const megabyte = 1_048_576;
/** Room for the boundaries and the other parts of the form. */
const formOverhead = 200_000;

const limit: UploadLimit = {
  bytes: mostMegabytes * megabyte,
  undone,
  tooLarge() {
    const message = `The image is larger than the ${mostMegabytes} MB allowed. Make it smaller and try again.`;
    return new AppError('too_large', message, { fields: { file: message } });
  },
};

const formLimits = {
  fields: ['name', 'alt'],
  // Five megabytes over a slow line.
  milliseconds: 120_000,
  late: () =>
    new AppError('timeout', `The image took longer to arrive than two minutes. ${undone}; please try again.`),
  undone,
};

/**
 * Receives a form with one image. The file waits on the disk until all of the form is there, so
 * that slow senders take no memory. Nothing stays of a form that fails.
 */
export async function receiveImage(
  { files }: Pick<ImagesContext, 'files'>,
  request: FastifyRequest,
  workspaceId: number,
): Promise<SentImage> {
  if (!request.isMultipart())
    throw new AppError(
      'unsupported_media_type',
      'Send the image as multipart/form-data, in a part called “file”.',
    );
  refuseAnnounced(request);
  const key = `${folderOf(workspaceId)}/arriving-${randomUUID()}`;
  const fields: { name?: string; alt?: string } = {};
  let fileName: string | undefined;
  try {
    for await (const part of formParts(request, formLimits)) {
      if (part.type === 'file') {
        fileName = fileNameOf(part, 'image');
        await storeUpload(part.file, await files.pathFor(key), limit);
      } else if (part.fieldname === 'name' || part.fieldname === 'alt') {
        fields[part.fieldname] = String(part.value);
      }
    }
    if (fileName === undefined) throw noFile();
    const name = fields.name === undefined ? nameFrom(fileName) : checked(imageName, fields.name, 'name');
    const alt = fields.alt === undefined ? null : checked(imageAlt, fields.alt, 'alt');
    const bytes = await readFile(files.placeOf(key));
    if (bytes.length === 0) throw noFile('The file is empty.');
    return { bytes, name, alt };
  } finally {
    await files.remove(key);
  }
}

/** A sender who says how much will come is refused before it comes. */
function refuseAnnounced(request: FastifyRequest): void {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (!(announced > limit.bytes + formOverhead)) return;
  // What comes is read and thrown away, so that the answer reaches the sender.
  request.raw.resume();
  throw limit.tooLarge();
}

function noFile(message = 'Choose an image.'): AppError {
  return new AppError('invalid_input', message, { fields: { file: message } });
}

function checked<T>(schema: z.ZodType<T>, value: string, field: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [message = 'This is not understood.'] = Object.values(describeIssues(schema, value, field));
  throw new AppError('invalid_input', message, { fields: { [field]: message } });
}
