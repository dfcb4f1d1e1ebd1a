import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  countImportedContacts,
  type ImportedRange,
  insertImportedContacts,
  writeSearchBlocks,
} from '#features/contacts/server/index.ts';
import { kyselyOn, sqlState, tenantStatement } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Fate, FateCounts, ImportCheck } from '../../contract.ts';
import type { CsvProblem } from '../../rules/csv.ts';
import { completeImport } from '../complete.ts';
import {
  countJudged,
  emptySlot,
  importedRows,
  type JudgedCounts,
  judgedUpTo,
  judgeStaged,
  limitSession,
  stagingCopy,
  takeSlot,
} from '../staging-queries.ts';
import { type EngineJob, type EngineOutcome, type Meter, phases } from './messages.ts';
import { detectReading, type Reading, readRows } from './reading.ts';
import { describeJudged, type LeftOut, type SampleRow, writeReceipt } from './receipt.ts';
import { StagingWriter } from './stage.ts';
import { timeoutMessage } from './timeout-message.ts';

/**
 * One import, from the stored file to the commit.
 *
 * 1. **Read** (transaction 1): rows are parsed and judged as the file arrives; what passes is copied to a staging table.
 * 2. **Judge** (transaction 2): one set-based statement decides suppressed and duplicate, and sorts.
 * 3. **Save** (transaction 3): insert, search blocks, rollups, the import's own record. Beside it, on a second
 *    connection, the receipt is written. The commit is the only moment at which anything of it can be seen.
 *
 * The staging tables are not contacts: what 1 and 2 leave there after a crash is emptied by whoever is lent them next.
 * A dry run ends after 2.
 */
export async function runEngine(job: EngineJob, meter: Meter): Promise<EngineOutcome> {
  const client = await connect(job);
  try {
    const slot = await waitForSlot(client, job);
    const reading = await detectReading(job, meter);
    for (let attempt = 1; ; attempt++) {
      try {
        return await runOnce(job, reading, meter, client, slot);
      } catch (error) {
        // Somebody added one of the addresses since the rows were judged.
        if (sqlState(error) !== uniqueViolation || attempt >= attemptLimit) throw error;
      }
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

const uniqueViolation = '23505';
const attemptLimit = 3;

async function runOnce(
  job: EngineJob,
  reading: Reading,
  meter: Meter,
  client: pg.Client,
  slot: number,
): Promise<EngineOutcome> {
  const started = performance.now();
  meter.set('phase', phases.indexOf('reading'));
  const tally = await stageRows(job, reading, meter, client, slot);
  if (tally.rows === 0) {
    throw new AppError(
      'empty_file',
      'There are no addresses in this file: it holds no rows, or blank ones only.',
    );
  }
  const judged = await inTransaction(client, job, async () => {
    await judgeStaged(client, slot, { ...job.options, workspaceId: job.workspaceId, staged: tally.staged });
    return countJudged(client, slot);
  });
  if (job.dryRun) {
    const sample = await describeSample(client, slot, tally);
    await emptySlot(client, slot);
    const check = checkOf(reading, tally, judged, sample, (performance.now() - started) / 1000);
    return { rows: tally.rows, counts: check.counts, check, firstContactId: null, lastContactId: null };
  }
  meter.set('toSave', judged.imported);
  meter.set('phase', phases.indexOf('saving'));
  return save(job, reading, meter, client, slot, tally, judged);
}

async function connect(job: EngineJob): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: job.database.url,
    application_name: `email-manager import ${job.importId}`,
    connectionTimeoutMillis: 10_000,
    ...(job.database.role ? { options: `-c role=${job.database.role}` } : {}),
  });
  // A connection that breaks while idle is met again, as an error, by the next statement.
  client.on('error', () => undefined);
  await client.connect();
  await limitSession(client, job.deadline - Date.now());
  return client;
}

/** Imports beyond four at a time wait for their turn. */
async function waitForSlot(client: pg.Client, job: EngineJob): Promise<number> {
  while (Date.now() < job.deadline) {
    const slot = await takeSlot(client);
    if (slot !== null) return slot;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new AppError('timeout', 'Other imports are still running. Nothing was imported; please try again.');
}

async function inTransaction<T>(client: pg.Client, job: EngineJob, work: () => Promise<T>): Promise<T> {
  await client.query(`begin; ${tenantStatement(job.workspaceId)}`);
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** What the first reading found. */
interface Tally {
  rows: number;
  staged: number;
  invalid: number;
  nonUk: number;
  uk: Record<'uk' | 'likely_uk' | 'global' | 'not_uk', number>;
  nonUkBy: Record<'likely_uk' | 'global' | 'not_uk', number>;
  problems: { total: number; byKind: Record<string, number>; first: { line: number; kind: string }[] };
  sample: (SampleRow & { staged: boolean })[];
}

const sampleRows = 20;
const shownProblems = 100;

function newTally(): Tally {
  return {
    rows: 0,
    staged: 0,
    invalid: 0,
    nonUk: 0,
    uk: { uk: 0, likely_uk: 0, global: 0, not_uk: 0 },
    nonUkBy: { likely_uk: 0, global: 0, not_uk: 0 },
    problems: { total: 0, byKind: {}, first: [] },
    sample: [],
  };
}

function noteProblem(tally: Tally, line: number, kind: CsvProblem): void {
  tally.problems.total++;
  tally.problems.byKind[kind] = (tally.problems.byKind[kind] ?? 0) + 1;
  if (tally.problems.first.length < shownProblems) tally.problems.first.push({ line, kind });
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
  const copy = client.query(copyFrom(stagingCopy(slot)));
  const writer = new StagingWriter(copy, reading.mapping, job.settings.batchSize);
  try {
    await readRows(job, reading, meter, {
      onProblem: (line, kind) => noteProblem(tally, line, kind),
      onRow: (row) => {
        const { verdict } = row;
        tally.rows++;
        if (verdict.ukClass !== null) tally.uk[verdict.ukClass]++;
        if (verdict.fate === 'invalid') tally.invalid++;
        else if (verdict.fate === 'nonUk') {
          tally.nonUk++;
          if (verdict.ukClass !== null && verdict.ukClass !== 'uk') tally.nonUkBy[verdict.ukClass]++;
        } else writer.add(row);
        if (tally.sample.length < sampleRows) {
          tally.sample.push({
            line: row.line,
            text: row.reader.rawText().slice(0, 500),
            fate: verdict.fate === 'pass' || verdict.fate === 'blank' ? 'imported' : verdict.fate,
            why: verdict.why || (verdict.repaired ? `Read as ${verdict.local}@${verdict.domain}` : ''),
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
  const last = tally.sample.at(-1)?.line ?? 0;
  const judged = new Map((await judgedUpTo(client, slot, last)).map((row) => [row.line, row]));
  const fateOf: Fate[] = ['imported', 'duplicate', 'suppressed'];
  return tally.sample.map(({ staged, ...row }) => {
    const decision = staged ? judged.get(row.line) : undefined;
    if (!decision || decision.fate === 0) return row;
    const why = describeJudged(decision.fate, row.line, decision.firstLine, decision.detail);
    return { ...row, fate: fateOf[decision.fate] ?? 'imported', why };
  });
}

function countsOf(tally: Tally, judged: JudgedCounts): FateCounts {
  return {
    imported: judged.imported,
    duplicates: judged.duplicates,
    invalid: tally.invalid,
    suppressed: judged.suppressed,
    nonUk: tally.nonUk,
  };
}

function checkOf(
  reading: Reading,
  tally: Tally,
  judged: JudgedCounts,
  sample: SampleRow[],
  seconds: number,
): ImportCheck {
  const { dialect, columns, filled } = reading.detected;
  return {
    dialect: {
      encoding: dialect.encoding,
      delimiter: dialect.delimiter,
      lineEnd: dialect.lineEnd,
      quote: dialect.quote,
      header: dialect.header,
    },
    columns: columns.map((name, index) => ({
      name,
      firstValue: firstValue(reading, index),
      filled: filled[index] ?? 0,
      target: reading.targets[index] ?? 'skip',
    })),
    rows: tally.rows,
    counts: countsOf(tally, judged),
    sample,
    problems: tally.problems,
    ukView: {
      uk: tally.uk.uk,
      likelyUk: tally.uk.likely_uk,
      global: tally.uk.global,
      notUk: tally.uk.not_uk,
    },
    nonUkView: {
      likelyUk: tally.nonUkBy.likely_uk,
      global: tally.nonUkBy.global,
      notUk: tally.nonUkBy.not_uk,
    },
    seconds,
  };
}

function firstValue(reading: Reading, column: number): string {
  for (const row of reading.detected.sample) if (row[column]) return row[column];
  return '';
}

async function save(
  job: EngineJob,
  reading: Reading,
  meter: Meter,
  client: pg.Client,
  slot: number,
  tally: Tally,
  judged: JudgedCounts,
): Promise<EngineOutcome> {
  const beside = await connect(job);
  try {
    const receipt = writeReceipt(job, reading, meter, beside, slot);
    // A failure of the insert is the one to tell of; the receipt's is met where it is awaited.
    receipt.catch(() => undefined);
    const outcome = await inTransaction(client, job, async () => {
      const target = { workspaceId: job.workspaceId, importId: job.importId };
      const range = await insertImportedContacts(client, importedRows(slot), target);
      await findable(client, job, range);
      const leftOut = await receipt;
      const counts = countsOf(tally, judged);
      checkTheBooks(tally, counts, range, leftOut);
      await countImportedContacts(client, importedRows(slot), job.workspaceId);
      const done = {
        rows: tally.rows,
        counts,
        check: null,
        firstContactId: range.firstId,
        lastContactId: range.lastId,
      };
      await completeImport(kyselyOn(client), job, done, {
        problems: tally.problems,
        samples: leftOut.samples,
      });
      return done;
    });
    await emptySlot(client, slot);
    return outcome;
  } finally {
    await beside.end().catch(() => undefined);
  }
}

async function findable(client: pg.Client, job: EngineJob, range: ImportedRange): Promise<void> {
  if (range.firstId === null || range.lastId === null) return;
  await writeSearchBlocks(client, job.workspaceId, job.importId, {
    firstId: range.firstId,
    lastId: range.lastId,
  });
}

/** Every row has exactly one fate; an import whose figures do not add up is not committed. */
function checkTheBooks(tally: Tally, counts: FateCounts, range: ImportedRange, leftOut: LeftOut): void {
  const fits =
    range.inserted === counts.imported &&
    leftOut.duplicate === counts.duplicates &&
    leftOut.suppressed === counts.suppressed &&
    leftOut.invalid === counts.invalid &&
    leftOut.nonUk === counts.nonUk &&
    tally.rows === range.inserted + leftOut.duplicate + leftOut.suppressed + leftOut.invalid + leftOut.nonUk;
  if (!fits) {
    throw new Error(
      `the books of the import do not add up: ${JSON.stringify({ rows: tally.rows, counts, inserted: range.inserted, ...leftOut, samples: undefined })}`,
    );
  }
}
