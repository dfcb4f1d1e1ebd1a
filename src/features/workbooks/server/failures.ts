import { csvError } from '#features/csv/rules.ts';
import { AppError } from '#platform/shared/errors.ts';

/** Why a workbook cannot be read, for the person who chose it. */

const asCsv = 'Save the sheet as CSV and import that.';

export const damaged = (cause?: unknown): AppError =>
  csvError(
    'not_csv',
    'This workbook is damaged and cannot be read. Open it in Excel, save it again and import that.',
    {
      cause,
    },
  );

export const isProtected = (): AppError =>
  csvError('not_csv', 'This workbook is protected with a password. Save it without one and import that.');

export const notWorkbook = (): AppError =>
  csvError('not_csv', `This file is no workbook of the kind .xlsx. Save it as CSV and import that.`);

export const tooMuch = (what: string): AppError =>
  csvError('not_csv', `This workbook ${what}, which is more than can be read at once. ${asCsv}`);

export const noSuchSheet = (name: string): AppError =>
  csvError('not_csv', `This workbook has no sheet “${name}”.`);

export const emptySheets = (): AppError =>
  csvError('empty_file', 'This workbook is empty. Choose one with at least one row.');

/** Whether the file system failed, which is no fault of the file. */
const isSystem = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && typeof error.syscall === 'string';

/** What went wrong while the file was unpacked: with the disk, or with the file. */
export const asDamaged = (error: unknown): unknown =>
  error instanceof AppError || isSystem(error) ? error : damaged(error);
