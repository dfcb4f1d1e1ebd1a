import type { ImportCheck, ImportNotes } from '../contract.ts';
import { otherEmailColumns } from './email-columns.ts';

/** What is found while a file is read, and shown by a check. */
export type WhatWasRead = Pick<
  ImportCheck,
  | 'dialect'
  | 'columns'
  | 'severalAddresses'
  | 'titles'
  | 'unclear'
  | 'doNotMail'
  | 'slips'
  | 'slipTotal'
  | 'problems'
>;

const keptSlips = 20;
const keptProblems = 20;
const keptNames = 100;

/** What of it is kept with an import, for somebody who has seen no check. */
export function notesOf(read: WhatWasRead): ImportNotes {
  const { dialect, columns, severalAddresses, titles, unclear, doNotMail, slips, slipTotal, problems } = read;
  const used = columns.flatMap(({ target }, index) => (target === 'email' ? [index] : []));
  const others = otherEmailColumns(columns, used);
  return {
    header: dialect.header,
    emailColumns: used.map((index) => columns[index]?.name ?? ''),
    otherAddresses: others.map(({ name, addresses }) => ({ name, addresses })),
    severalAddresses,
    titles,
    unclear,
    unusedDoNotMail: doNotMail.flatMap(({ used, name }) => (used ? [] : [name])),
    notKept: notKeptOf(read, others).slice(0, keptNames),
    slips: slips.slice(0, keptSlips),
    slipTotal,
    problems: { ...problems, first: problems.first.slice(0, keptProblems) },
  };
}

/**
 * The columns that were read for nothing. Of those about mailing, and of `others` with addresses,
 * other notes tell.
 */
function notKeptOf(
  { columns, doNotMail, unclear }: WhatWasRead,
  others: readonly { index: number }[],
): string[] {
  const rules = doNotMail.map(({ rule }) => rule);
  const told = new Set([...rules, ...unclear, ...others].map(({ index }) => index));
  return columns.flatMap(({ name, filled, target }, index) =>
    target === 'skip' && filled > 0 && !told.has(index) ? [name] : [],
  );
}

/** For an import whose notes were not kept, or by an older version that knew less. */
export const noNotes: ImportNotes = {
  header: true,
  emailColumns: [],
  otherAddresses: [],
  severalAddresses: { lines: 0, addresses: 0 },
  titles: [],
  unclear: [],
  unusedDoNotMail: [],
  notKept: [],
  slips: [],
  slipTotal: { patterns: 0, rows: 0, mended: 0 },
  problems: { total: 0, byKind: {}, first: [] },
};
