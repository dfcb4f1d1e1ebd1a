import { describeReason } from '#features/addresses/rules.ts';
import { csvCodes, csvError } from '#features/csv/rules.ts';
import { type AppError, errorsWith } from '#platform/shared/errors.ts';
import { formatCount, formatDay, formatNumber } from '#platform/shared/words.ts';

/**
 * The wording of why rows and files are left out, shared by the server's import and the command
 * line.
 */

export const noAddress = 'There is no address in this row';

/** For a row whose address appears earlier in the file; `firstLine` is where. */
export function describeCopy(firstLine: number): string {
  return `Same as line ${formatNumber(firstLine)}`;
}

/** Adds which address of a line it is about, where the line has several. */
export const sayWhich = ({ text, parts }: { text: string; parts: number }, why: string): string =>
  parts === 1 || why === '' ? why : `${shortened(text)}: ${why}`;

const shortened = (text: string): string =>
  text.length > 80 ? `${text.slice(0, 79).toWellFormed()}…` : text;

const formerWords = { corrected: 'Corrected to', merged: 'Merged into' };

/**
 * For a row whose address a contact used to have. `detail` is like `corrected 2026-11-12
 * jo@gmail.com`: how, when, and the address it has now.
 */
export function describeFormer(detail: string): string {
  const [, how = '', isoDate = '', address = ''] = /^(\S+) (\S+) (.*)$/su.exec(detail) ?? [];
  const words = formerWords[how as keyof typeof formerWords] ?? 'Now';
  return `${words} ${address} on ${formatDay(isoDate)}`;
}

const reasonWords = {
  manual: 'Suppressed by hand',
  unsubscribed: 'Unsubscribed',
  bounced: 'Bounced',
  complained: 'Complained',
  erased: 'Erased',
  imported: 'On an imported suppression list',
};

/** For a row whose address is on the suppression list. `isoDate` is since when, or empty. */
export function describeSuppressed(reason: string, isoDate: string): string {
  const words = reasonWords[reason as keyof typeof reasonWords] ?? 'Suppressed';
  return isoDate === '' ? words : `${words} on ${formatDay(isoDate)}`;
}

/**
 * For somebody whom the file itself says not to mail. The reason `imported` stands for the dead and
 * for those who never agreed alike.
 */
export function describeOptOut(reason: string, isoDate: string): string {
  const since = isoDate === '' ? '' : ` since ${formatDay(isoDate)}`;
  return `${reason === 'imported' ? `Not to be mailed${since}` : describeSuppressed(reason, isoDate)}, says the file`;
}

/** For a row whose domain, or a parent domain, is on the suppression list. */
export const describeSuppressedDomain = (): string => describeReason('suppressed_domain');

/** What can be wrong with a file, in addition to the problems of any CSV. */
export const importCodes = {
  ...csvCodes,
  no_email_column: 'invalid_input',
  wrong_columns: 'invalid_input',
} as const;
const importError = errorsWith(importCodes);

export const noEmailColumn = (): AppError =>
  importError(
    'no_email_column',
    'No column holds email addresses. Give that column the heading “email” and choose the file again.',
  );

/** Choices that were made for other columns than the file has, as it is read now. */
export const wrongColumns = (has: number, why: string): AppError =>
  importError('wrong_columns', `${why}, but the file has ${formatCount(has, 'column')}.`);

export const noRows = (): AppError =>
  csvError('empty_file', 'There are no addresses in this file: it holds no rows, or blank ones only.');
