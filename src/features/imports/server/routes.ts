import { setTimeout as sleep } from 'node:timers/promises';
import fastifyMultipart from '@fastify/multipart';
import { answerWithEvents } from '#platform/server/event-stream.ts';
import { longestField } from '#platform/server/form-parts.ts';
import { type Call, goneSignal, type Router } from '#platform/server/http.ts';
import { sendFile } from '#platform/server/send-file.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  checkImport,
  chooseGroups,
  correctRow,
  discardImport,
  getImport,
  type ImportUndone,
  importEvents,
  importFile,
  importReceipt,
  listImports,
  listRejectedRows,
  runImport,
  undoImport,
} from '../contract.ts';
import { chooseGroupsOf } from './choose-groups.ts';
import type { ImportsContext } from './context.ts';
import { receiveForm } from './form.ts';
import { arrived } from './progress.ts';
import { correctRow as correctLeftOut } from './records/correct-row.ts';
import { correctedLines } from './records/corrected-lines.ts';
import { discard } from './records/discard.ts';
import { getRecord, needImport } from './records/get-import.ts';
import { listRecords } from './records/list-imports.ts';
import { listRejected } from './records/list-rejected.ts';
import { runKept } from './run-kept.ts';
import { undo } from './undo.ts';
import { type BegunImport, waitForOutcome } from './wait-for-outcome.ts';

export function registerImports(router: Router, context: ImportsContext): void {
  void router.app.register(fastifyMultipart, {
    limits: { fields: 10, fieldSize: longestField, files: 1, parts: 12 },
  });

  router.handle(importFile, async (call) =>
    answerImport(context, call, await receiveForm(context, call.request, call.workspaceId, call.caller)),
  );

  router.handle(runImport, async (call) => {
    const { params, body, workspaceId } = call;
    return answerImport(
      context,
      call,
      await runKept(context, workspaceId, params.id, { ...body, dryRun: false }),
    );
  });

  router.handle(checkImport, async (call) => {
    const { params, body, workspaceId } = call;
    const begun = await runKept(context, workspaceId, params.id, { ...body, dryRun: true });
    const { check } = await waitForOutcome(context, begun, goneSignal(call.reply));
    if (!check) throw new Error('a dry run answered no check');
    return { ...check, choicesHash: begun.choicesHash };
  });

  router.handle(chooseGroups, ({ workspaceId, params, body }) =>
    chooseGroupsOf(context, workspaceId, params.id, body),
  );
  router.handle(listImports, (call) => listRecords(context, call.workspaceId, call.query));
  router.handle(getImport, (call) => getRecord(context, call.workspaceId, call.params.id));
  router.handle(undoImport, async (call) => {
    const done = await undo(context, call.workspaceId, call.params.id, call.caller);
    return 'removed' in done ? done : context.tasks.answer<ImportUndone>(call, call.workspaceId, done);
  });
  router.handle(listRejectedRows, (call) =>
    listRejected(context, call.workspaceId, call.params.id, call.query),
  );
  router.handle(correctRow, ({ workspaceId, params, body, caller }) =>
    correctLeftOut(context, { workspaceId, importId: params.id, caller }, body),
  );
  router.handle(discardImport, async (call) => {
    await discard(context, call.workspaceId, call.params.id);
    return { removed: 1 };
  });

  router.handle(importReceipt, async (call) => {
    const row = await needImport(context, call.workspaceId, call.params.id);
    if (row.receiptKey === null) throw new AppError('not_found', 'This import has no receipt.');
    const name = `${row.fileName.replace(/\.(csv|xlsx)$/i, '')}-receipt.csv`;
    const path = await context.files.pathFor(row.receiptKey);
    return sendFile(call.reply, {
      tail: await correctedLines(context, call.workspaceId, call.params.id),
      path,
      contentType: 'text/csv; charset=utf-8',
      name,
      plainName: 'receipt.csv',
    });
  });

  router.handle(importEvents, (call) => streamEvents(context, call));
}

/**
 * Answers when the import is done, or at once if the caller prefers that (RFC 7240 section 4.1).
 */
async function answerImport(
  context: ImportsContext,
  { request, reply }: Pick<Call<typeof importFile>, 'request' | 'reply'>,
  begun: BegunImport,
) {
  const { id } = begun.key;
  if (/(^|,)\s*respond-async\s*(;|,|$)/i.test(String(request.headers.prefer ?? ''))) {
    context.runner.forget(begun.key);
    reply.code(202).header('preference-applied', 'respond-async');
    return { id };
  }
  const { counts, blank, newlySuppressed, nonUkView, notes, sheet, check } = await waitForOutcome(
    context,
    begun,
    goneSignal(reply),
  );
  return { id, ...counts, blank, newlySuppressed, nonUkView, notes, sheet, ...(check ? { check } : {}) };
}

const tickMs = 250;
/** Most imports are small: they wait for an engine, or run elsewhere, for a moment only. */
const firstPauseMs = 20;

/**
 * Sends events until the import has ended: from this process's own engine, or from the record that
 * another process keeps.
 */
async function streamEvents(context: ImportsContext, call: Call<typeof importEvents>): Promise<unknown> {
  const { workspaceId } = call;
  const { id } = call.params;
  await needImport(context, workspaceId, id);
  let pauseMs = firstPauseMs;
  return answerWithEvents(call, async () => {
    const running = context.runner.find({ workspaceId, id });
    if (running) {
      const until = Promise.race([sleep(tickMs), running.done]);
      return { event: 'progress', data: running.row.pulse.progress(), until };
    }
    const row = await needImport(context, workspaceId, id);
    pauseMs = Math.min(2 * pauseMs, 4 * tickMs);
    return ['uploading', 'checking', 'processing'].includes(row.status)
      ? { event: 'progress', data: row.progress ?? arrived(0, row.fileSize), until: sleep(pauseMs) }
      : { event: 'done', data: await getRecord(context, workspaceId, id) };
  });
}
