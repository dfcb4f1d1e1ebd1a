import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import fastifyMultipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readSettings } from '#features/settings/server/index.ts';
import { asAppError } from '#platform/server/error-map.ts';
import { answerWithEvents } from '#platform/server/event-stream.ts';
import { formParts } from '#platform/server/form-parts.ts';
import type { Call, Caller, Router } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  checkImport,
  discardImport,
  getImport,
  type ImportOptions,
  type ImportProgress,
  importEvents,
  importFile,
  importOptions,
  importReceipt,
  listImports,
  listRejectedRows,
  type ReadingChoice,
  readingChoice,
  runImport,
  undoImport,
} from '../contract.ts';
import { timeoutMessage } from './engine/timeout-message.ts';
import type { RunningImport } from './runner.ts';
import {
  discard,
  getRecord,
  type ImportsContext,
  listRecords,
  listRejected,
  needImport,
  receiveFile,
  resultOf,
  runKept,
  type Upload,
} from './service.ts';
import { type Undone, undo } from './undo.ts';

export function registerImports(router: Router, context: ImportsContext): void {
  void router.app.register(fastifyMultipart, {
    limits: { fields: 10, fieldSize: 65_536, files: 1, parts: 12 },
  });

  router.handle(importFile, async (call) => {
    const { upload, form } = await receiveForm(context, call.request, call.workspaceId, call.caller);
    const running = upload.run(form);
    return answerImport(call, upload.importId, running);
  });

  router.handle(runImport, async (call) => {
    const running = await runKept(context, call.workspaceId, call.params.id, { ...call.body, dryRun: false });
    return answerImport(call, call.params.id, running);
  });

  router.handle(checkImport, async (call) => {
    const running = await runKept(context, call.workspaceId, call.params.id, { ...call.body, dryRun: true });
    const { check } = await running.done;
    if (!check) throw new Error('a dry run answered no check');
    return check;
  });

  router.handle(listImports, (call) => listRecords(context, call.workspaceId, call.query));
  router.handle(getImport, (call) => getRecord(context, call.workspaceId, call.params.id));
  router.handle(undoImport, async (call) => {
    const done = await undo(context, call.workspaceId, call.params.id, call.caller);
    return 'removed' in done ? done : context.tasks.answer<Undone>(call, call.workspaceId, done);
  });
  router.handle(listRejectedRows, (call) =>
    listRejected(context, call.workspaceId, call.params.id, call.query),
  );
  router.handle(discardImport, async (call) => {
    await discard(context, call.workspaceId, call.params.id);
    return { removed: 1 };
  });

  router.handle(importReceipt, async (call) => {
    const row = await needImport(context, call.workspaceId, call.params.id);
    if (row.receiptKey === null) throw new AppError('not_found', 'This import has no receipt.');
    const name = `${row.fileName.replace(/\.csv$/i, '')}-receipt.csv`;
    call.reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header(
        'content-disposition',
        `attachment; filename="receipt.csv"; filename*=UTF-8''${encodeURIComponent(name)}`,
      );
    return call.reply.send(createReadStream(await context.files.pathFor(row.receiptKey)));
  });

  router.handle(importEvents, (call) => streamEvents(context, call));
}

/** Answers when the import is done, or at once where the caller prefers that (RFC 7240 section 4.1). */
async function answerImport(
  call: Pick<Call<typeof importFile>, 'request' | 'reply'>,
  importId: number,
  running: RunningImport,
) {
  if (/(^|,)\s*respond-async\s*(;|,|$)/i.test(String(call.request.headers.prefer ?? ''))) {
    call.reply.code(202).header('preference-applied', 'respond-async');
    return { id: importId };
  }
  const outcome = await running.done;
  return { ...resultOf(importId, outcome), ...(outcome.check ? { check: outcome.check } : {}) };
}

interface Form {
  options: ImportOptions;
  reading: ReadingChoice;
  dryRun: boolean;
}

/**
 * Reads the form. The engine starts while the file arrives when the options came before it; a form that has the file
 * first is read to its end before.
 */
async function receiveForm(
  context: ImportsContext,
  request: FastifyRequest,
  workspaceId: number,
  caller: Caller,
): Promise<{ upload: Upload; form: Form }> {
  if (!request.isMultipart()) {
    throw new AppError(
      'unsupported_media_type',
      'Send the file as multipart/form-data, in a part called “file”.',
    );
  }
  const { timeoutSeconds } = await context.db.asTenant(
    workspaceId,
    async (tx) => (await readSettings(tx, workspaceId)).import,
  );
  const late = () => new AppError('timeout', timeoutMessage({ settings: { timeoutSeconds } }));
  const form: Form = { options: importOptions.parse({}), reading: {}, dryRun: false };
  let optionsSeen = false;
  const received: { upload: Upload | null } = { upload: null };
  try {
    for await (const part of formParts(request, { milliseconds: timeoutSeconds * 1000, late })) {
      if (part.type !== 'file') {
        optionsSeen = readField(form, part.fieldname, part.value) === 'options' || optionsSeen;
      } else if (received.upload) part.file.resume();
      else {
        const order = {
          workspaceId,
          caller,
          fileName: fileNameOf(part),
          ...form,
          announcedBytes: lengthOf(request),
        };
        received.upload = await receiveFile(context, part.file, order, optionsSeen);
      }
    }
  } catch (error) {
    const failure = asAppError(error);
    // The file is here and being read: what is still to come of the form changes nothing.
    if (!(received.upload?.running && failure.code === 'timeout')) {
      if (!received.upload?.running) await received.upload?.abandon(failure);
      throw failure;
    }
  }
  const { upload } = received;
  if (!upload)
    throw new AppError('invalid_input', 'Choose a CSV file.', { fields: { file: 'Choose a CSV file.' } });
  return { upload, form };
}

/** The bytes of the whole request, where the sender said. */
function lengthOf(request: FastifyRequest): number | null {
  const announced = Number(request.headers['content-length']);
  return Number.isFinite(announced) ? announced : null;
}

/** Puts a field into the form, and answers its name. */
function readField(form: Form, name: string, value: unknown): string {
  if (name === 'options') form.options = parseField(importOptions, value, 'options');
  else if (name === 'reading') form.reading = parseField(readingChoice, value, 'reading');
  else if (name === 'dryRun') form.dryRun = value === 'true' || value === '1';
  return name;
}

const longestFileName = 255;

/** The last part of the name alone: some senders give a whole path. */
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

const tickMs = 250;
const idle: ImportProgress = {
  phase: 'uploading',
  rows: 0,
  rowsPerSecond: 0,
  bytesRead: 0,
  bytesTotal: 0,
  share: 0,
};

/** Events until the import has ended: from this process's own engine, or from the record another keeps. */
async function streamEvents(context: ImportsContext, call: Call<typeof importEvents>): Promise<unknown> {
  const { workspaceId } = call;
  const { id } = call.params;
  await needImport(context, workspaceId, id);
  return answerWithEvents(call, async () => {
    const running = context.runner.find(workspaceId, id);
    if (running) {
      const until = Promise.race([sleep(tickMs), running.done.catch(() => undefined)]);
      return { event: 'progress', data: running.progress(), until };
    }
    const row = await needImport(context, workspaceId, id);
    return ['uploading', 'checking', 'processing'].includes(row.status)
      ? { event: 'progress', data: row.progress ?? idle, until: sleep(4 * tickMs) }
      : { event: 'done', data: await getRecord(context, workspaceId, id) };
  });
}
