import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { uploadSeconds } from '#features/settings/rules.ts';
import { readSettings } from '#features/settings/server/index.ts';
import { asAppError } from '#platform/server/error-map.ts';
import { formParts } from '#platform/server/form-parts.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import { importOptions, readingChoice } from '../contract.ts';
import type { ImportsContext } from './context.ts';
import { timeoutMessage } from './engine/timeout-message.ts';
import type { ReadingOrder } from './life-queries.ts';
import { receiveFile, type Upload } from './receive-file.ts';
import type { BegunImport } from './wait-for-outcome.ts';

/**
 * Receives the form and has its file imported once the form has ended: a field after the file may
 * ask for a dry run. The whole form may take as long to arrive as an import may take, but never
 * longer than an upload may.
 */
export async function receiveForm(
  context: ImportsContext,
  request: FastifyRequest,
  workspaceId: number,
  caller: Caller,
): Promise<BegunImport> {
  if (!request.isMultipart()) {
    throw new AppError(
      'unsupported_media_type',
      'Send the file as multipart/form-data, in a part called “file”.',
    );
  }
  const form: ReadingOrder = { options: importOptions.parse({}), reading: {}, dryRun: false };
  let upload: Upload | null = null;
  try {
    for await (const part of formParts(request, await deadlineOf(context, workspaceId))) {
      if (part.type !== 'file') {
        readField(form, part.fieldname, part.value);
      } else {
        const announcedBytes = lengthOf(request);
        const order = { workspaceId, caller, fileName: fileNameOf(part), ...form, announcedBytes };
        upload = await receiveFile(context, part.file, order);
      }
    }
  } catch (error) {
    const failure = asAppError(error);
    await upload?.abandon(failure);
    throw failure;
  }
  if (!upload) throw new AppError('invalid_input', chooseFile, { fields: { file: chooseFile } });
  return upload.queue(form);
}

const chooseFile = 'Choose a CSV file or an .xlsx workbook.';

/** How long the form may take to arrive, and the message for one that takes longer. */
async function deadlineOf({ db }: ImportsContext, workspaceId: number) {
  const settings = await db.asTenant(workspaceId, (tx) => readSettings(tx, workspaceId));
  const timeoutSeconds = uploadSeconds(settings.import);
  const late = () => new AppError('timeout', timeoutMessage({ settings: { timeoutSeconds } }));
  return { milliseconds: timeoutSeconds * 1000, late };
}

/** The bytes of the whole request, if the sender said. */
function lengthOf(request: FastifyRequest): number | null {
  const announced = Number(request.headers['content-length']);
  return Number.isFinite(announced) ? announced : null;
}

/** Puts a field into the form. */
function readField(form: ReadingOrder, name: string, value: unknown): void {
  if (name === 'options') form.options = parseField(importOptions, value, 'options');
  else if (name === 'reading') form.reading = parseField(readingChoice, value, 'reading');
  else if (name === 'dryRun') form.dryRun = parseField(yesOrNo, value || 'false', 'dryRun');
}

const yesOrNo = z.union([z.boolean(), z.literal([0, 1])]).transform(Boolean);

const longestFileName = 255;

/** Only the last part of the name: some senders give a whole path. */
function fileNameOf(part: MultipartFile): string {
  const name = (part.filename ?? '').split(/[\\/]/).at(-1) ?? '';
  // Control characters cannot be shown, and PostgreSQL cannot hold NUL.
  return (
    name
      .replace(/[\u0000-\u001f\u007f]/g, '')
      .toWellFormed()
      .slice(-longestFileName) || 'upload.csv'
  );
}

function parseField<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
  let json: unknown;
  try {
    json = JSON.parse(String(value));
  } catch (cause) {
    throw new AppError('invalid_input', `${name}: this is not JSON.`, {
      cause,
      fields: { [name]: 'not JSON' },
    });
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid_input', `${name}: ${z.prettifyError(parsed.error)}`, {
    fields: { [name]: z.prettifyError(parsed.error) },
  });
}
