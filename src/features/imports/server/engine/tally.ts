import type { UkClass } from '#features/addresses/contract.ts';
import type { CsvProblem } from '#features/csv/rules.ts';
import type { FateCounts } from '../../contract.ts';
import { NonUkTally } from '../../rules/non-uk-tally.ts';
import type { OptOutTally } from '../../rules/opt-out-tally.ts';
import { SlipTally } from '../../rules/slips.ts';
import type { JudgedCounts } from '../staging-queries.ts';
import type { SampleRow } from './receipt.ts';
import { RowMarks } from './row-marks.ts';

/** What the first reading found. */
export interface Tally {
  rows: number;
  /** Blank lines, which do not count as rows. */
  blank: number;
  /** The lines that hold several addresses, and how many those are. */
  several: { lines: number; addresses: number };
  /** Rows that the file itself says not to mail, by the column that says so. */
  optOuts: Map<number, OptOutTally>;
  staged: number;
  invalid: number;
  nonUk: number;
  uk: Record<UkClass, number>;
  nonUkView: NonUkTally;
  slips: SlipTally;
  problems: { total: number; byKind: Record<string, number>; first: { line: number; kind: string }[] };
  sample: (SampleRow & { staged: boolean })[];
  /** The mark of each row, for the second reading of the file. */
  marks: RowMarks;
}

/** The first rows of the file, kept for the check. */
export const sampleRows = 20;
const shownProblems = 100;

export function newTally(): Tally {
  return {
    rows: 0,
    blank: 0,
    several: { lines: 0, addresses: 0 },
    optOuts: new Map(),
    staged: 0,
    invalid: 0,
    nonUk: 0,
    uk: { uk: 0, likely_uk: 0, global: 0, not_uk: 0 },
    nonUkView: new NonUkTally(),
    slips: new SlipTally(),
    problems: { total: 0, byKind: {}, first: [] },
    sample: [],
    marks: new RowMarks(),
  };
}

/** Counts the lines with several addresses, each at its first. */
export function noteParts({ several }: Tally, { part, parts }: { part: number; parts: number }): void {
  if (parts === 1) return;
  several.addresses++;
  if (part === 0) several.lines++;
}

/** `cell_cut`: a cell has more text than a contact keeps. */
type Problem = CsvProblem | 'cell_cut';

export function noteProblem(tally: Tally, line: number, kind: Problem): void {
  tally.problems.total++;
  tally.problems.byKind[kind] = (tally.problems.byKind[kind] ?? 0) + 1;
  if (tally.problems.first.length < shownProblems) tally.problems.first.push({ line, kind });
}

export function countsOf(tally: Tally, judged: JudgedCounts): FateCounts {
  return {
    imported: judged.imported,
    duplicates: judged.duplicates,
    invalid: tally.invalid + judged.invalid,
    suppressed: judged.suppressed,
    nonUk: tally.nonUk,
  };
}
