import { createJudge, type Judge } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import {
  type CsvProblem,
  createCsvReader,
  csvLine,
  type DetectedCsv,
  detectDialect,
  unneutralise,
} from '#features/csv/rules.ts';
import type { Fate, FateCounts, ImportCheck, NonUkView } from '#features/imports/contract.ts';
import { describeCopy, noEmailColumn, noRows, sayWhich } from '#features/imports/rules/left-out.ts';
import { NonUkTally } from '#features/imports/rules/non-uk-tally.ts';
import { createRowAddresses } from '#features/imports/rules/row-addresses.ts';
import { type CountedSlip, SlipTally, type SlipTotal } from '#features/imports/rules/slips.ts';
import {
  createBlankTest,
  createRowJudge,
  noAddressVerdict,
  type RowVerdict,
  tooLongVerdict,
} from '#features/imports/rules.ts';
import type { EmailValidation } from '#features/settings/contract.ts';
import { AddressTable } from './address-table.ts';
import type { CleanOptions } from './clean-options.ts';
import { columnNamed, columnsToWrite } from './columns.ts';
import { Failure } from './failure.ts';
import type { Input } from './input.ts';
import { learnOptOuts, OptOuts } from './opt-outs.ts';
import type { Output } from './output.ts';
import type { SuppressionList } from './suppression-list.ts';

const sampleRows = 20;
const shownSlips = 50;
const shownProblems = 100;
const longestSample = 500;

/** The result for a file. */
export interface Cleaned {
  detected: DetectedCsv;
  /** The columns that addresses are read from, in the file's order. */
  emails: number[];
  /** The lines that hold several addresses, and how many those are. */
  severalAddresses: { lines: number; addresses: number };
  optOuts: OptOuts;
  rows: number;
  counts: FateCounts;
  /** Left out as non-UK although they are at UK or worldwide providers. */
  nonUk: NonUkView;
  /** Probable slips in domains, the most frequent first. */
  slips: CountedSlip[];
  /** All slips, also those that are not listed. */
  slipTotal: SlipTotal;
  problems: ImportCheck['problems'];
  /** The first rows, each with its fate. */
  sample: { line: number; text: string; fate: Fate; why: string }[];
}

/** How many rows and bytes have been read. Called once per piece. */
export type OnProgress = (rows: number, bytes: number) => void;

interface Work {
  options: CleanOptions;
  rules: EmailValidation;
  input: Input;
  suppressions: SuppressionList | null;
  out: Output | null;
  rejects: Output | null;
  onProgress: OnProgress;
}

const countOf: Record<Fate, keyof FateCounts> = {
  imported: 'imported',
  duplicate: 'duplicates',
  invalid: 'invalid',
  nonUk: 'nonUk',
  suppressed: 'suppressed',
};

/**
 * Reads the file once and gives each row the fate that an import into an empty workspace would. The
 * first match wins: blank (not counted), invalid, non-UK, suppressed, duplicate, imported. Kept
 * rows go to `out`, the others to `rejects` with the reason.
 */
export async function cleanFile(work: Work): Promise<Cleaned> {
  const { options, input, out, rejects } = work;
  const { detected, emails } = detect(input, options);
  const optOuts = new OptOuts(detected, options, Date.now());
  const written = columnsToWrite(detected, emails, options.columns);
  const cleaned: Cleaned = {
    detected,
    emails,
    severalAddresses: { lines: 0, addresses: 0 },
    optOuts,
    rows: 0,
    counts: { imported: 0, duplicates: 0, invalid: 0, suppressed: 0, nonUk: 0 },
    nonUk: new NonUkTally().view(),
    slips: [],
    slipTotal: new SlipTally().total,
    problems: { total: 0, byKind: {}, first: [] },
    sample: [],
  };
  const nonUk = new NonUkTally();
  const slips = new SlipTally();
  const bytesBefore = await readAhead(work, cleaned);
  const fateOf = createFates(work, optOuts);
  const lineOf = createLines(work, written, emails);
  const addressesOf = createRowAddresses(emails, options.addresses, detected.columns.length);
  const isBlank = createBlankTest(detected.dialect);
  if (detected.dialect.header)
    out?.add(
      csvLine([
        ...written.map((index) => detected.columns[index]),
        ...(options.verdicts ? verdictColumns : []),
      ]),
    );
  rejects?.add(csvLine(['line', 'fate', 'reason', 'original']));
  const reader = createCsvReader({
    dialect: detected.dialect,
    columnCount: detected.columns.length,
    wantedColumns: [...new Set([...written, ...emails, ...optOuts.indexes])],
    countsRecords: input.sheet !== null,
    // A sheet does not store empty cells, so its rows are of any length.
    onProblem: (line, kind) => {
      if (input.sheet === null || kind !== 'too_few_fields') noteProblem(cleaned.problems, line, kind);
    },
    onRow: (fields, line) => {
      const found = addressesOf(fields);
      const parts = reader.isTooLong() ? 1 : found.count;
      if (parts > 1) {
        cleaned.severalAddresses.lines++;
        cleaned.severalAddresses.addresses += parts;
      }
      for (let part = 0; part < parts; part++) {
        const text = found.texts[part] as string;
        const column = found.columns[part] as number;
        const decided = reader.isTooLong() ? tooLong : (fateOf(text, line, fields) ?? noAddress);
        if (decided === noAddress && parts === 1 && isBlank(reader.rawText())) return;
        const { fate, verdict } = decided;
        const why = sayWhich({ text, parts }, decided.why);
        cleaned.rows++;
        cleaned.counts[countOf[fate]]++;
        if (fate === 'imported') out?.add(lineOf(fields, { text, column, parts }, verdict));
        else rejects?.add(csvLine([String(line), fate, why, reader.rawText()]));
        if (fate === 'nonUk' && verdict.ukClass !== null) nonUk.add(verdict.domain, verdict.ukClass);
        slips.add(verdict.slip, verdict.mendedState !== null);
        if (cleaned.sample.length < sampleRows) {
          const repaired = verdict.repaired ? `Read as ${verdict.local}@${verdict.domain}` : '';
          const original = reader.rawText().slice(0, longestSample);
          cleaned.sample.push({ line, text: original, fate, why: why || repaired });
        }
      }
    },
  });
  let bytes = bytesBefore;
  for await (const piece of input.pieces()) {
    reader.push(piece);
    bytes += piece.length;
    await out?.flush();
    await rejects?.flush();
    work.onProgress(cleaned.rows, bytesBefore === 0 ? bytes : bytes / 2);
  }
  reader.end();
  cleaned.nonUk = nonUk.view();
  cleaned.slips = slips.mostFrequent(shownSlips);
  cleaned.slipTotal = slips.total;
  if (cleaned.rows === 0) throw noRows();
  await out?.finish();
  await rejects?.finish();
  return cleaned;
}

/**
 * Reads a file with opt-outs twice, because a later row may say that the address of an earlier one
 * must not be mailed. Standard input can be read only once, unless it is a workbook. Returns the
 * bytes read.
 */
async function readAhead(work: Work, { optOuts, detected, emails }: Cleaned): Promise<number> {
  const { options, rules, input } = work;
  if (optOuts.columns.length === 0 || input.again === null) return 0;
  const first = await input.again();
  try {
    const onBytes = (bytes: number) => work.onProgress(0, bytes / 2);
    return await learnOptOuts(optOuts, { input: first, detected, emails, options, rules, onBytes });
  } finally {
    await first.close();
  }
}

function detect(input: Input, options: CleanOptions): { detected: DetectedCsv; emails: number[] } {
  const known = input.sheet ? ({ encoding: 'utf-8', delimiter: ',', quote: '"' } as const) : {};
  const detected = detectDialect(input.head, input.whole, { ...options.dialect, ...known });
  if (!detected.ok) throw new Failure(detected.message);
  const emails = options.emailColumns?.map((name) => columnNamed(name, detected.columns)) ?? [
    detected.emailColumn,
  ];
  if (emails[0] === -1) throw noEmailColumn();
  return { detected, emails: [...new Set(emails)].sort((a, b) => a - b) };
}

interface Decided {
  fate: Fate;
  why: string;
  verdict: RowVerdict;
}

const tooLong: Decided = { fate: 'invalid', why: tooLongVerdict.why, verdict: tooLongVerdict };
const noAddress: Decided = { fate: 'invalid', why: noAddressVerdict.why, verdict: noAddressVerdict };

/**
 * Returns a function from an address as it stands in the file to its fate. Null when there is
 * nothing. The function reuses its result object.
 */
function createFates(
  work: Work,
  optOuts: OptOuts,
): (text: string, line: number, fields: readonly string[]) => Decided | null {
  const { removeDuplicates, validateEmails, filterNonUk } = work.options;
  const judge = createRowJudge({
    options: { validateEmails, filterNonUk },
    validation: work.rules,
    toAscii: idna.toAscii,
    findSlips: true,
    mend: work.options.mendSlips ? 'all' : [],
  });
  const seen = removeDuplicates ? new AddressTable() : null;
  const decided = {} as Decided;
  const decide = (fate: Fate, why: string): Decided => {
    decided.fate = fate;
    decided.why = why;
    return decided;
  };
  return (text, line, fields) => {
    const verdict = judge(text);
    decided.verdict = verdict;
    const { fate, local, domain } = verdict;
    if (fate === 'blank') return null;
    const said = fate === 'invalid' ? null : optOuts.read(fields);
    if (fate !== 'invalid') optOuts.count(fields, said);
    if (said !== null) optOuts.learn(local, domain, said);
    // Whom the file says not to mail is suppressed, British or not.
    if (fate !== 'pass' && said === null) return decide(fate, verdict.why);
    const suppressed = optOuts.find(local, domain) ?? work.suppressions?.find(local, domain) ?? null;
    if (suppressed !== null) return decide('suppressed', suppressed);
    const first = seen?.put(local, domain, line);
    return first === undefined ? decide('imported', '') : decide('duplicate', describeCopy(first));
  };
}

/** Where an address of a line stands, and how many the line has. */
interface AddressPlace {
  text: string;
  column: number;
  parts: number;
}

const verdictColumns = ['verdict', 'reasons', 'risk', 'suggestion', 'uk', 'kind'];

/**
 * Returns a function from a kept row to its output line: the address as the product would store it,
 * and the other cells unchanged.
 */
function createLines(
  { options, rules }: Work,
  written: readonly number[],
  emails: readonly number[],
): (fields: readonly string[], from: AddressPlace, verdict: RowVerdict) => string {
  const judge = options.verdicts ? judgeOf(rules) : null;
  return (fields, { text, column, parts }, { address, local, domain }) => {
    const cells: (string | number | null)[] = written.map((index) => {
      if (index === column) return address ?? `${local}@${domain}`;
      // Where there are several addresses, each has a row in which it is the only one.
      return parts > 1 && emails.includes(index) ? '' : unneutralise(fields[index] ?? '');
    });
    if (judge !== null) {
      const { verdict, reasons, risk, suggestion, uk, kind } = judge(text);
      cells.push(verdict, reasons.map(({ code }) => code).join(' '), risk, suggestion, uk, kind);
    }
    return csvLine(cells);
  };
}

/** The judge under the current rules. It asks no mail server. */
export function judgeOf(rules: EmailValidation): Judge {
  return createJudge({
    strict: rules.strictValidation,
    idna,
    allowedDomains: rules.allowedDomains,
    ukPolicy: rules.ukPolicy,
  });
}

function noteProblem(problems: Cleaned['problems'], line: number, kind: CsvProblem): void {
  problems.total++;
  problems.byKind[kind] = (problems.byKind[kind] ?? 0) + 1;
  if (problems.first.length < shownProblems) problems.first.push({ line, kind });
}
