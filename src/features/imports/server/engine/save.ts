import type pg from 'pg';
import { sayImported } from '#features/basis/server/thread.ts';
import { importing } from '#features/contacts/server/thread.ts';
import { addImported } from '#features/memberships/server/thread.ts';
import {
  anyMendedSuppressed,
  keepMendedAway,
  recordMended,
  selectFormerContacts,
  suppressMended,
} from '#features/review/server/thread.ts';
import { importFigures } from '#features/rollups/server/thread.ts';
import { awaitHashedLists, holdList, suppressFromFile } from '#features/suppressions/server/thread.ts';
import { kyselyOn, tenantStatement } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { FateCounts } from '../../contract.ts';
import { storedReasons, storedSomewhere } from '../../rules/opt-out-words.ts';
import { saysBasis } from '../../rules.ts';
import { chosenGroups } from '../chosen-groups.ts';
import { completeImport } from '../complete.ts';
import {
  clearSlot,
  countJudged,
  importedRows,
  type JudgedCounts,
  noteFirstContact,
  type Piece,
  sumUpJudged,
} from '../staging-queries.ts';
import { keptOf } from './check.ts';
import { connect, inTransaction } from './connection.ts';
import { judge, type Staged } from './judge.ts';
import { type EngineJob, type EngineOutcome, type Meter, phases } from './messages.ts';
import type { Reading } from './reading.ts';
import { type LeftOut, writeReceipt } from './receipt.ts';
import { countsOf, type Tally } from './tally.ts';

/**
 * Somebody was suppressed at an address whose slip was mended, after this was asked. Another
 * attempt knows it from the beginning.
 */
export class SuppressedMeanwhile extends AppError {
  constructor() {
    super(
      'conflict',
      'The suppression list was changed at this very moment. Nothing was imported; please try again.',
    );
  }
}

/** What is known once every piece is judged and the domains are summed up. */
interface Judged {
  counts: JudgedCounts;
  leftOut: Promise<LeftOut>;
  /**
   * Settles when the second connection has written the search text. Its transaction is still open
   * then.
   */
  searchText: Promise<void>;
}

/**
 * Judges and saves the pieces. Three connections share the work: `client` judges the first piece
 * and inserts them all; the second judges the others, then makes the search text and the sums; the
 * third reads the fates for the receipt.
 */
export async function save(
  job: EngineJob,
  reading: Reading,
  meter: Meter,
  client: pg.Client,
  tally: Tally,
  staged: Staged,
): Promise<EngineOutcome> {
  const { slot, pieces } = staged;
  const source = importedRows(slot);
  const { actor, unsuppressedAt } = await inTransaction(client, job, async () => ({
    actor: await noteFirstContact(client, job),
    unsuppressedAt: job.options.checkSuppressions
      ? await importFigures.suppressionsVersion(client, job.workspaceId)
      : null,
  }));
  const beside = await connect(job);
  const third = await connect(job);
  let receipt: Promise<LeftOut> | undefined;
  try {
    const [ready, allJudged] = judgeBeside(pieces, (piece) =>
      judge(job, meter, piece.number === 0 ? client : beside, staged, piece),
    );
    const besides = allJudged.then(() =>
      beginTheRest({ job, reading, meter, beside, third, slot, tally }, (begun) => {
        receipt = begun;
      }),
    );
    // If the insert fails, that error is the one to report. Errors beside it appear where they are
    // awaited.
    besides.catch(() => undefined);
    await ready[0];
    meter.set('phase', phases.indexOf('saving'));
    const outcome = await inTransaction(client, job, async () => {
      let inserted = 0;
      for (const piece of pieces) {
        await ready[piece.number];
        inserted += await importing.insertImportedContacts(client, source, piece.number, job);
        meter.set('saved', inserted);
      }
      const { counts: judged, leftOut: beingWritten, searchText } = await besides;
      // Beside the receipt and the search text, unless the list is held later: others may wait for
      // the new domains with the figures in their hands.
      const holdsList = await mustHoldList(client, job, staged);
      const areUnsuppressed = unsuppressedAt !== null && !holdsList;
      const newOnesAreThere =
        areUnsuppressed && (await importFigures.addNewDomains(client, source, job.workspaceId));
      const counts = countsOf(tally, judged);
      await importing.noteImportedContacts(kyselyOn(client), source, job);
      const leftOut = await beingWritten;
      await searchText;
      checkTheBooks(tally, counts, inserted, leftOut);
      const areHashed = await awaitHashedLists(kyselyOn(client), job.workspaceId);
      const mended = { rows: source.rows, correctedBy: actor, holdsList };
      const leftTopics = await noteBeside(client, job, reading, staged, mended);
      // From here to the commit, changes to the suppression list wait.
      const newlySuppressed = staged.anyOptOut
        ? await suppressFromFile(kyselyOn(client), job.workspaceId, {
            rows: source.rows,
            ...{ reasons: storedReasons, bare: storedSomewhere },
            fileName: job.fileName,
            createdBy: actor,
          })
        : 0;
      await addToFigures(client, job, staged, mended, { unsuppressedAt, newOnesAreThere, areHashed });
      const done = {
        ...{ rows: tally.rows, blank: tally.blank },
        counts,
        newlySuppressed,
        leftTopics,
        ...keptOf(reading, tally),
        ...{ check: null, sheet: job.sheet ?? null },
        firstContactId: judged.firstId,
        lastContactId: judged.lastId,
      };
      await completeImport(kyselyOn(client), job, done, {
        ...{ problems: tally.problems, samples: leftOut.samples },
        extraFields: reading.mapping.extras.map(({ name }) => name),
      });
      await beside.query('commit');
      return done;
    });
    await clearSlot(client, slot);
    return outcome;
  } finally {
    await Promise.allSettled([beside.end(), third.end()]);
    // Another attempt writes to the same file.
    await receipt?.catch(() => undefined);
  }
}

/**
 * Once all pieces are judged, begins the receipt, sums the domains up, and begins the search text.
 */
async function beginTheRest(
  {
    job,
    reading,
    meter,
    beside,
    third,
    slot,
    tally,
  }: {
    job: EngineJob;
    reading: Reading;
    meter: Meter;
    beside: pg.Client;
    third: pg.Client;
    slot: number;
    tally: Tally;
  },
  onReceipt: (receipt: Promise<LeftOut>) => void,
): Promise<Judged> {
  const counts = await countJudged(beside, slot);
  const leftOut = writeReceipt(job, reading, meter, third, slot, tally.marks);
  leftOut.catch(() => undefined);
  onReceipt(leftOut);
  await inTransaction(beside, job, () => sumUpJudged(beside, slot, job.workspaceId));
  // Committed just before the contacts. If it were visible earlier, every search would look into
  // each block for nothing.
  const searchText = beside
    .query(`begin; ${tenantStatement(job.workspaceId)}`)
    .then(() => importing.writeSearchBlocks(beside, importedRows(slot), job.workspaceId));
  searchText.catch(() => undefined);
  return { counts, leftOut, searchText };
}

/**
 * What follows from the contacts: their marketing basis, the lists and tags they were meant for,
 * and their corrections. In this order, as when contacts go to the bin. Answers how many were not
 * put on their list, because they had left it.
 */
async function noteBeside(
  client: pg.Client,
  job: EngineJob,
  { mapping }: Reading,
  { slot, anyMended }: Staged,
  mended: { rows: string; correctedBy: string | null },
): Promise<number> {
  const { importId, workspaceId, options } = job;
  const tx = kyselyOn(client);
  const judged = mended.rows;
  const ofRows = saysBasis(mapping) ? `import_staging_${slot}` : null;
  const groups = chosenGroups(options);
  const saysBases = ofRows !== null || (options.basis?.basis ?? 'unknown') !== 'unknown';
  let leftTopics = 0;
  if (saysBases || groups.length > 0) {
    const former = await selectFormerContacts(
      tx,
      workspaceId,
      `select n.domain, n.local from ${judged} n where ${importing.wasThere('n')} and n.detail is not null`,
    );
    const rows = { importId, judged, former };
    const formerIds = former.map(({ id }) => id);
    await importing.holdContactsThere(tx, workspaceId, judged, formerIds);
    const changedBy = mended.correctedBy;
    await sayImported(tx, workspaceId, { ...rows, ofRows, ofFile: options.basis, changedBy });
    leftTopics = await addImported(tx, workspaceId, { ...rows, groups });
  }
  if (anyMended) await recordMended(kyselyOn(client), job.workspaceId, mended);
  return leftTopics;
}

/**
 * Whether the import puts somebody on the suppression list: whom the file says not to mail, and
 * whoever is suppressed at an address whose slip was mended. As a rule nobody is.
 */
const mustHoldList = async (
  client: pg.Client,
  { workspaceId }: EngineJob,
  { slot, anyOptOut, anyMended }: Staged,
): Promise<boolean> =>
  anyOptOut ||
  (anyMended && (await anyMendedSuppressed(kyselyOn(client), workspaceId, importedRows(slot).rows)));

/**
 * Adds the new contacts to the figures. Then those whose slip was mended get what was said at the
 * address that the file has. `holdsList` is the answer of `mustHoldList`.
 * @throws SuppressedMeanwhile when that answer is not true any more.
 */
async function addToFigures(
  client: pg.Client,
  { workspaceId }: EngineJob,
  { slot, anyMended }: Staged,
  mended: { rows: string; correctedBy: string | null; holdsList: boolean },
  known: Parameters<typeof importFigures.countImportedContacts>[3],
): Promise<void> {
  const tx = kyselyOn(client);
  // First, because two that hold the figures shared would wait for each other.
  if (anyMended && mended.holdsList) await holdList(tx, workspaceId);
  await importFigures.countImportedContacts(client, importedRows(slot), workspaceId, known);
  if (!anyMended) return;
  if (mended.holdsList) await suppressMended(tx, workspaceId, mended);
  // The figures are held by now, shared, and nobody is suppressed until the commit.
  else if (await anyMendedSuppressed(tx, workspaceId, mended.rows)) throw new SuppressedMeanwhile();
  await keepMendedAway(tx, workspaceId, mended.rows);
}

/** Starts to judge the pieces: the first at once, the others beside it one after the other. */
function judgeBeside(
  pieces: Piece[],
  judgeOne: (piece: Piece) => Promise<void>,
): [ready: Promise<void>[], all: Promise<unknown>] {
  const ready: Promise<void>[] = [];
  let before: Promise<void> = Promise.resolve();
  for (const piece of pieces) {
    const judged = piece.number === 0 ? judgeOne(piece) : before.then(() => judgeOne(piece));
    if (piece.number > 0) before = judged;
    // Whoever waits for the piece, or for all of them, sees the error.
    judged.catch(() => undefined);
    ready.push(judged);
  }
  return [ready, Promise.all(ready)];
}

/** Every row has exactly one fate. An import whose figures do not add up is not committed. */
function checkTheBooks(tally: Tally, counts: FateCounts, inserted: number, leftOut: LeftOut): void {
  const fits =
    inserted === counts.imported &&
    leftOut.duplicate === counts.duplicates &&
    leftOut.suppressed === counts.suppressed &&
    leftOut.invalid === counts.invalid &&
    leftOut.nonUk === counts.nonUk &&
    tally.rows === inserted + leftOut.duplicate + leftOut.suppressed + leftOut.invalid + leftOut.nonUk;
  if (!fits) {
    throw new Error(
      `the books of the import do not add up: ${JSON.stringify({ rows: tally.rows, counts, inserted, ...leftOut, samples: undefined })}`,
    );
  }
}
