import type { ImportCheck } from '../../contract.ts';
import { notesOf, type WhatWasRead } from '../../rules/notes.ts';
import { unclearAfter } from '../../rules/opt-out-tally.ts';
import { type OptOutColumn, optOutReasonIn } from '../../rules/opt-outs.ts';
import type { ReadAs } from '../../rules/read-as.ts';
import { withOptOuts } from '../../rules.ts';
import type { JudgedCounts } from '../staging-queries.ts';
import type { EngineJob } from './messages.ts';
import type { Reading } from './reading.ts';
import type { SampleRow } from './receipt.ts';
import { countsOf, type Tally } from './tally.ts';

/** What a reading found, for a check and for the notes of an import. */
function whatWasRead(reading: Reading, tally: Tally): WhatWasRead {
  const { dialect, columns, filled, firstValues, emailColumns } = reading.detected;
  const addresses = new Map(emailColumns.map((column) => [column.index, column.addresses]));
  const heard = heardOptOuts(reading, tally);
  const targets = withOptOuts(reading.targets, heard);
  return {
    dialect: {
      encoding: dialect.encoding,
      delimiter: dialect.delimiter,
      lineEnd: dialect.lineEnd,
      quote: dialect.quote,
      header: dialect.header,
      titleLines: dialect.titleLines,
    },
    titles: reading.detected.titles,
    doNotMail: optOutViews(reading, tally, heard),
    unclear: unclearAfter(reading.unclear, reading.optOuts, tally.optOuts).map((column) => ({
      ...column,
      name: columns[column.index] ?? '',
    })),
    severalAddresses: tally.several,
    columns: columns.map((name, index) => ({
      name,
      firstValue: firstValues[index] ?? '',
      filled: filled[index] ?? 0,
      addresses: addresses.get(index) ?? 0,
      target: targets[index] ?? 'skip',
      extraField: reading.extraFields[index] ?? '',
    })),
    slips: tally.slips.mostFrequent(shownSlips),
    slipTotal: tally.slips.total,
    problems: tally.problems,
  };
}

/** What the record of an import keeps of its reading. */
export const keptOf = (reading: Reading, tally: Tally) => ({
  nonUkView: tally.nonUkView.view(),
  notes: notesOf(whatWasRead(reading, tally)),
  readAs: readAsOf(reading),
});

const readAsOf = ({ detected: { dialect }, targets, addresses, optOuts }: Reading): ReadAs => ({
  delimiter: dialect.delimiter,
  quote: dialect.quote,
  targets,
  addresses,
  optOuts,
});

/** The answer of a dry run. */
export function checkOf(
  job: EngineJob,
  reading: Reading,
  tally: Tally,
  judged: JudgedCounts,
  sample: SampleRow[],
  seconds: number,
): ImportCheck {
  return {
    ...whatWasRead(reading, tally),
    sheet: job.sheet ?? null,
    addresses: reading.addresses,
    rows: tally.rows,
    blank: tally.blank,
    counts: countsOf(tally, judged),
    optedOut: judged.optedOut,
    sample,
    ukView: {
      uk: tally.uk.uk,
      likelyUk: tally.uk.likely_uk,
      global: tally.uk.global,
      notUk: tally.uk.not_uk,
    },
    nonUkView: tally.nonUkView.view(),
    mendsAll: job.reading.mend === 'all',
    seconds,
  };
}

/** The columns about mailing without those that nothing told about and that said nothing. */
function heardOptOuts({ optOuts, watched }: Reading, tally: Tally): OptOutColumn[] {
  const speaks = ({ index }: OptOutColumn) => (tally.optOuts.get(index)?.rows ?? 0) > 0;
  return optOuts.filter((column) => !watched.includes(column) || speaks(column));
}

/** What the columns about mailing say, for the check. */
function optOutViews(
  { optOuts, unusedOptOuts, detected }: Reading,
  tally: Tally,
  heard: readonly OptOutColumn[],
): ImportCheck['doNotMail'] {
  const all = [...heard, ...unusedOptOuts].sort((a, b) => a.index - b.index);
  return all.map((rule) => {
    const { rows = 0, values = new Map<string, number>() } = tally.optOuts.get(rule.index) ?? {};
    return {
      rule,
      name: detected.columns[rule.index] ?? '',
      used: optOuts.includes(rule),
      rows,
      values: [...values]
        .sort(([, a], [, b]) => b - a)
        .slice(0, shownValues)
        .map(([value, rows]) => ({ value, rows, reason: optOutReasonIn(rule, value) })),
    };
  });
}

const shownValues = 20;
const shownSlips = 50;
