import { describeReason } from '#features/addresses/rules.ts';
import { csvCodes, csvError } from '#features/csv/rules.ts';
import { type AppError, errorsWith } from '#platform/shared/errors.ts';
import { formatDay, formatNumber } from '#platform/shared/words.ts';

/**
 * Why rows and files are left out, in words, for whoever decides it: the import on the server, or
 * the command line.
 */

/** Of a row whose address is in the file before: `firstLine` is where. */
export function describeCopy(firstLine: number): string {
  return `Same as line ${formatNumber(firstLine)}`;
}

const formerWords = { corrected: 'Corrected to', merged: 'Merged into' };

/**
 * Of a row whose address a contact had before, as `corrected 2026-11-12 jo@gmail.com`: how, when,
 * and the address it has now.
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

/** Of a row whose address is on the suppression list. `isoDate`: since when, or empty. */
export function describeSuppressed(reason: string, isoDate: string): string {
  const words = reasonWords[reason as keyof typeof reasonWords] ?? 'Suppressed';
  return isoDate === '' ? words : `${words} on ${formatDay(isoDate)}`;
}

/** Of a row whose domain, or one above it, is on the suppression list. */
export const describeSuppressedDomain = (): string => describeReason('suppressed_domain');

/** What may be the matter with a file, beside what is with any CSV. */
export const importCodes = { ...csvCodes, no_email_column: 'invalid_input' } as const;
const importError = errorsWith(importCodes);

export const noEmailColumn = (): AppError =>
  importError(
    'no_email_column',
    'No column holds email addresses. Give that column the heading “email” and choose the file again.',
  );

export const noRows = (): AppError =>
  csvError('empty_file', 'There are no addresses in this file: it holds no rows, or blank ones only.');
