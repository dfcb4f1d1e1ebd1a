import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { sqlState, tenantStatement } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { noRows, sayWhich } from '../../rules/left-out.ts';
import { notesOf } from '../../rules/notes.ts';
import { noteOptOut } from '../../rules/opt-out-tally.ts';
import { positionOf } from '../../rules/position.ts';
import { clearSlot, cutPieces, emptySlot, judgedUpTo, stagingCopy, takeSlot } from '../staging-queries.ts';
import { checkOf } from './check.ts';
import { connect } from './connection.ts';
import { noteDeadOnes } from './dead-domains.ts';
import { judgeAll } from './judge.ts';
import { type EngineJob, type EngineOutcome, type Meter, phases } from './messages.ts';
import { detectReading, type Reading, readRows } from './reading.ts';
import { describeJudged, fateOf, type SampleRow } from './receipt.ts';
import { SuppressedMeanwhile, save } from './save.ts';
import { columnNames, createCutTest, StagingWriter, stagedColumns } from './stage.ts';
import { newTally, noteParts, noteProblem, sampleRows, type Tally } from './tally.ts';
import { timeoutMessage } from './timeout-message.ts';
import { withRowsOfSheet } from './workbook.ts';

/**
 * Runs one import, from the stored file to the commit. It starts when the whole file is here.
 *
 * 1. **Read**: of a workbook, first has its sheet written as CSV; parses and judges the rows;
 *    copies those that pass to a staging table.
 * 2. **Ask**, if the workspace wants it: finds out which of their domains take mail.
 * 3. **Judge**: cuts the staged rows into pieces by their identity keys and compares them with the
 *    contacts and suppressions. One set-based statement per piece finds suppressed and duplicate
 *    rows, and sorts.
 * 4. **Save**: one transaction inserts the pieces. Meanwhile a second connection judges later
 *    pieces, then makes the search text and the sums for the rollups, and a third reads the
 *    receipt. The transaction ends with the rollups and the import's own record. Nothing of the
 *    import is visible before its commit.
 *
 * The staging tables are not contacts: the next import that gets them empties what a crash left, or
 * an import that ended beside a dump of the database. A dry run ends after step 3.
 */
export async function runEngine(given: EngineJob, meter: Meter): Promise<EngineOutcome> {
  const job = await withRowsOfSheet(given);
  const client = await connect(job);
  try {
    const slot = await waitForSlot(client, job);
    const reading = await detectReading(job, meter);
    for (let attempt = 1; ; attempt++) {
      try {
        return await runOnce(job, reading, meter, client, slot);
      } catch (error) {
        if (!passes(error) || attempt >= attemptLimit) throw error;
      }
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * What another attempt does not meet: somebody added one of the addresses after the rows were
 * judged (unique_violation), or was suppressed at one; or this and somebody else waited for each
 * other (deadlock_detected). The other goes on then, and has what both wanted.
 */
const passes = (error: unknown): boolean =>
  error instanceof SuppressedMeanwhile || ['23505', '40P01'].includes(sqlState(error) ?? '');
const attemptLimit = 3;

async function runOnce(
  job: EngineJob,
  reading: Reading,
  meter: Meter,
  client: pg.Client,
  slot: number,
): Promise<EngineOutcome> {
  const started = performance.now();
  for (const figure of ['staged', 'judged', 'saved'] as const) meter.set(figure, 0);
  meter.set('phase', phases.indexOf('reading'));
  const tally = await stageRows(job, reading, meter, client, slot);
  if (tally.rows === 0) throw noRows();
  meter.set('staged', tally.staged);
  const anyDeadDomain = await noteDeadOnes(job, client, slot);
  const staged = {
    slot,
    rows: tally.staged,
    anyDeadDomain,
    anyMended: tally.slips.anyMended,
    anyOptOut: [...tally.optOuts.values()].some(({ rows }) => rows > 0),
    pieces: await cutPieces(client, slot, tally.staged),
  };
  if (!job.dryRun) return save(job, reading, meter, client, tally, staged);
  const judged = await judgeAll(job, meter, client, staged);
  const sample = await describeSample(client, slot, tally);
  await clearSlot(client, slot);
  const check = checkOf(job, reading, tally, judged, sample, (performance.now() - started) / 1000);
  const { rows, blank } = tally;
  return {
    rows,
    blank,
    counts: check.counts,
    newlySuppressed: 0,
    nonUkView: check.nonUkView,
    notes: notesOf(check),
    check,
    sheet: check.sheet,
    firstContactId: null,
    lastContactId: null,
  };
}

/** Only four imports run at a time; others wait for their turn. */
async function waitForSlot(client: pg.Client, job: EngineJob): Promise<number> {
  while (Date.now() < job.deadline) {
    const slot = await takeSlot(client);
    if (slot !== null) return slot;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new AppError('timeout', 'Other imports are still running. Nothing was imported; please try again.');
}

async function stageRows(
  job: EngineJob,
  reading: Reading,
  meter: Meter,
  client: pg.Client,
  slot: number,
): Promise<Tally> {
  const tally = newTally();
  await emptySlot(client, slot);
  await client.query(`begin; ${tenantStatement(job.workspaceId)}`);
  const columns = stagedColumns(reading.mapping, {
    hasOptOuts: reading.optOuts.length > 0,
    mends: (job.reading.mend ?? []).length > 0,
  });
  const copy = client.query(copyFrom(stagingCopy(slot, columnNames(columns))));
  const writer = new StagingWriter(copy, columns, job.settings.batchSize);
  const isCut = createCutTest(reading.mapping);
  let cutLine = 0;
  try {
    const { marks, blank } = await readRows(job, reading, meter, {
      // A sheet does not store empty cells, so its rows are of any length.
      onProblem: (line, kind) => {
        if (!job.sheet || kind !== 'too_few_fields') noteProblem(tally, line, kind);
      },
      onRow: (row) => {
        const { verdict } = row;
        tally.rows++;
        noteParts(tally, row);
        tally.slips.add(verdict.slip, verdict.mendedState !== null);
        if (verdict.ukClass !== null) tally.uk[verdict.ukClass]++;
        if (verdict.fate === 'invalid') tally.invalid++;
        else if (verdict.fate === 'nonUk') {
          if (reading.optOuts.length > 0) noteOptOut(tally, reading.optOuts, row);
          tally.nonUk++;
          if (verdict.ukClass !== null) tally.nonUkView.add(verdict.domain, verdict.ukClass);
        } else {
          if (reading.optOuts.length > 0) noteOptOut(tally, reading.optOuts, row);
          if (row.line !== cutLine && isCut(row.fields)) {
            cutLine = row.line;
            noteProblem(tally, row.line, 'cell_cut');
          }
          writer.add(row);
        }
        if (tally.sample.length < sampleRows) {
          tally.sample.push({
            line: row.line,
            part: row.part,
            text: row.reader.rawText().slice(0, 500).toWellFormed(),
            fate: verdict.fate === 'pass' || verdict.fate === 'blank' ? 'imported' : verdict.fate,
            why: sayWhich(
              row,
              verdict.why || (verdict.repaired ? `Read as ${verdict.local}@${verdict.domain}` : ''),
            ),
            staged: verdict.fate === 'pass',
          });
        }
      },
      afterPiece: async () => {
        meter.set('rows', tally.rows);
        if (Date.now() > job.deadline) throw new AppError('timeout', timeoutMessage(job));
        await writer.drained();
      },
    });
    tally.marks = marks;
    tally.blank = blank;
    await writer.end();
    await client.query('commit');
  } catch (error) {
    copy.destroy();
    throw error;
  }
  tally.staged = writer.staged;
  return tally;
}

async function describeSample(client: pg.Client, slot: number, tally: Tally): Promise<SampleRow[]> {
  const last = tally.sample.at(-1);
  const upTo = last ? positionOf(last.line, last.part) : 0;
  const judged = new Map((await judgedUpTo(client, slot, upTo)).map((row) => [row.position, row]));
  return tally.sample.map(({ staged, ...row }) => {
    const decision = staged ? judged.get(positionOf(row.line, row.part)) : undefined;
    if (!decision || decision.fate === 0) return row;
    return { ...row, fate: fateOf(decision.fate), why: describeJudged(decision) };
  });
}
