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

/** What of it is kept with an import, for somebody who has seen no check. */
export function notesOf(read: WhatWasRead): ImportNotes {
  const { dialect, columns, severalAddresses, titles, unclear, doNotMail, slips, slipTotal, problems } = read;
  const used = columns.flatMap(({ target }, index) => (target === 'email' ? [index] : []));
  return {
    header: dialect.header,
    emailColumns: used.map((index) => columns[index]?.name ?? ''),
    otherAddresses: otherEmailColumns(columns, used).map(({ name, addresses }) => ({ name, addresses })),
    severalAddresses,
    titles,
    unclear,
    unusedDoNotMail: doNotMail.flatMap(({ used, name }) => (used ? [] : [name])),
    slips: slips.slice(0, keptSlips),
    slipTotal,
    problems: { ...problems, first: problems.first.slice(0, keptProblems) },
  };
}

/** For an import whose notes were not kept. */
export const noNotes: ImportNotes = {
  header: true,
  emailColumns: [],
  otherAddresses: [],
  severalAddresses: { lines: 0, addresses: 0 },
  titles: [],
  unclear: [],
  unusedDoNotMail: [],
  slips: [],
  slipTotal: { patterns: 0, rows: 0, mended: 0 },
  problems: { total: 0, byKind: {}, first: [] },
};
