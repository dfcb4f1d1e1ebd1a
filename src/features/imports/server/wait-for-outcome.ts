import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkKey } from '#platform/server/work/leases.ts';
import { AppError, errorOfCode } from '#platform/shared/errors.ts';
import { importCodes } from '../rules/left-out.ts';
import { noNotes, notesOf } from '../rules/notes.ts';
import type { ImportsContext } from './context.ts';
import type { EngineOutcome } from './engine/messages.ts';
import { isWaiting } from './life-queries.ts';
import { countsOf, needImport } from './records/get-import.ts';
import type { ImportRow } from './records/record-queries.ts';
import type { ImportRunner } from './runner.ts';

/**
 * An import that waits for an engine or has one. `ended` is its outcome, if this process runs it.
 */
export interface BegunImport {
  key: WorkKey;
  ended: Promise<EngineOutcome>;
}

/** Calls `queue`, which lets an import be claimed, and looks for work. */
export async function beginImport(
  runner: ImportRunner,
  key: WorkKey,
  queue: () => Promise<void>,
): Promise<BegunImport> {
  const ended = runner.expect(key);
  try {
    await queue();
  } catch (error) {
    runner.forget(key);
    throw error;
  }
  runner.wake();
  return { key, ended };
}

const lookEveryMs = 1_000;

/**
 * Waits for an import's outcome, whichever process runs it. Rejects with the signal's reason if
 * that comes first.
 */
export async function waitForOutcome(
  context: ImportsContext,
  { key, ended }: BegunImport,
  signal: AbortSignal,
): Promise<EngineOutcome> {
  try {
    for (;;) {
      const outcome = await Promise.race([ended, pause(signal)]);
      if (outcome) return outcome;
      signal.throwIfAborted();
      if (context.runner.find(key)) continue;
      const found = outcomeIn(await needImport(context, key.workspaceId, key.id));
      // A run that just ended here knows better: after a failed second try, the record still tells
      // the first try.
      if (found) return await Promise.race([ended, found]);
      if (context.disk?.isFull && (await waits(context, key))) throw waitsForRoom(key);
    }
  } finally {
    context.runner.forget(key);
  }
}

const waits = ({ db }: ImportsContext, key: WorkKey) =>
  db.asTenant(key.workspaceId, (tx) => isWaiting(tx, key));

const waitsForRoom = ({ id }: WorkKey) =>
  new AppError(
    'insufficient_storage',
    `The disk is full. The file is here, and import ${id} goes on by itself when there is room. Do not send the file again.`,
  );

const pause = (signal: AbortSignal): Promise<undefined> =>
  sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);

/**
 * The outcome from the record, when another process ran the import. Null while the import has not
 * ended.
 */
function outcomeIn(row: ImportRow): EngineOutcome | null {
  if (row.status === 'failed')
    throw errorOfCode(row.errorCode ?? 'internal', row.error ?? 'The import failed.', importCodes);
  const ids = { firstContactId: row.firstContactId, lastContactId: row.lastContactId };
  if (row.status === 'checked' && row.dryRun) {
    const { rows, blank, counts, nonUkView, sheet } = row.dryRun;
    const notes = notesOf(row.dryRun);
    return { rows, blank, counts, newlySuppressed: 0, nonUkView, notes, sheet, check: row.dryRun, ...ids };
  }
  const counts = row.status === 'completed' ? countsOf(row) : null;
  return (
    counts && {
      rows: row.rows ?? 0,
      blank: row.blank ?? 0,
      counts,
      newlySuppressed: row.newlySuppressed ?? 0,
      nonUkView: row.nonUkView ?? { uk: 0, likelyUk: 0, global: 0, notUk: 0, domains: [] },
      notes: { ...noNotes, ...row.notes },
      check: null,
      sheet: row.sheet,
      ...ids,
    }
  );
}
