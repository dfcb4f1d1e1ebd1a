import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refuseUntrue } from '#features/basis/server/index.ts';
import { refuseMissing } from '#features/memberships/server/index.ts';
import { uploadLimit } from '#features/settings/rules.ts';
import { readSettings } from '#features/settings/server/index.ts';
import { asAppError } from '#platform/server/error-map.ts';
import { fileNameOf, formParts } from '#platform/server/form-parts.ts';
import type { Caller } from '#platform/server/http.ts';
import { describeIssues } from '#platform/server/validation-messages.ts';
import { AppError } from '#platform/shared/errors.ts';
import { formatCount } from '#platform/shared/words.ts';
import { importOptions, readingChoice } from '../contract.ts';
import { chosenGroups } from './chosen-groups.ts';
import type { ImportsContext } from './context.ts';
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
    for await (const part of formParts(request, await limitsOf(context, workspaceId))) {
      if (part.type !== 'file') {
        readField(form, part.fieldname, part.value);
      } else {
        const announcedBytes = lengthOf(request);
        const order = {
          workspaceId,
          caller,
          fileName: fileNameOf(part, 'upload.csv'),
          ...form,
          announcedBytes,
        };
        upload = await receiveFile(context, part.file, order);
      }
    }
    if (form.options.basis) refuseUntrue(form.options.basis);
    const groups = chosenGroups(form.options);
    await context.db.asTenant(workspaceId, (tx) => refuseMissing(tx, workspaceId, groups));
  } catch (error) {
    const failure = asAppError(error);
    await upload?.abandon(failure);
    throw failure;
  }
  if (!upload) throw new AppError('invalid_input', chooseFile, { fields: { file: chooseFile } });
  return upload.queue(form);
}

const chooseFile = 'Choose a CSV file or an .xlsx workbook.';

const fields = ['options', 'reading', 'dryRun'];

/** How long the form may take to arrive, and the message for one that takes longer. */
async function limitsOf({ db, longestUploadSeconds }: ImportsContext, workspaceId: number) {
  const settings = await db.asTenant(workspaceId, (tx) => readSettings(tx, workspaceId));
  const { seconds, advice } = uploadLimit(settings.import, 'file', longestUploadSeconds);
  const late = () =>
    new AppError(
      'timeout',
      `The file took longer to arrive than the ${formatCount(seconds, 'second')} allowed. Nothing was imported; ${advice}.`,
    );
  return { fields, milliseconds: seconds * 1000, late };
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
  const wrong = Object.entries(describeIssues(schema, json, 'field'));
  const message = `${name}: ${wrong[0]?.[1] ?? 'this is not understood.'}`;
  const inField = ([path, text]: [string, string]) => [path === 'field' ? name : `${name}.${path}`, text];
  throw new AppError('invalid_input', message, { fields: Object.fromEntries(wrong.map(inField)) });
}
