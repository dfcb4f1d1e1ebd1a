/** Which files can be imported, by their names. What is in them decides how they are read. */

export const importable = ['.csv', '.xlsx'] as const;

export const isImportable = (fileName: string): boolean =>
  importable.some((ending) => fileName.toLowerCase().endsWith(ending));

/** For a file that is no table, or one that only another program reads. */
export function onlyTables(fileName: string): string {
  const only =
    'Only .csv files can be imported, and .xlsx workbooks. Save the list as CSV and choose that file.';
  const kin = Object.entries(relatives).find(([ending]) => fileName.toLowerCase().endsWith(ending))?.[1];
  return kin === undefined ? only : `${only} ${kin}`;
}

/** How those who have such a file get one that can be imported. */
const relatives = {
  '.zip': 'Unpack the .zip, as Mailchimp sends one, and choose a .csv from it.',
  '.xls': 'An .xls of an older Excel can also be saved as .xlsx.',
  '.xlsb': 'Excel can also save an .xlsb as .xlsx.',
  '.xlsm': 'A workbook with macros can also be saved without them, as .xlsx.',
  '.ods': 'LibreOffice can also save an .ods as .xlsx.',
  '.numbers': 'Numbers can also export it as Excel (.xlsx).',
};
