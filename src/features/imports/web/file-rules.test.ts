import { describe, expect, it } from 'vitest';
import { refusalOf } from './file-rules.ts';

const megabyte = 1_048_576;

describe('a file chosen for import', () => {
  it.each(['list.csv', 'LIST.CSV', 'a.b.csv', 'list.xlsx', 'Members.XLSX'])('takes %s', (name) => {
    expect(refusalOf({ name, size: 10 }, 100)).toBeNull();
  });

  const only =
    'Only .csv files can be imported, and .xlsx workbooks. Save the list as CSV and choose that file.';

  it.each(['list.csv.png', 'csv', 'list.txt', 'xlsx', 'zip', ''])('refuses %s', (name) => {
    expect(refusalOf({ name, size: 10 }, 100)).toBe(only);
  });

  it.each([
    ['list.xls', 'An .xls of an older Excel can also be saved as .xlsx.'],
    ['LIST.XLS', 'An .xls of an older Excel can also be saved as .xlsx.'],
    ['list.xlsb', 'Excel can also save an .xlsb as .xlsx.'],
    ['list.xlsm', 'A workbook with macros can also be saved without them, as .xlsx.'],
    ['list.ods', 'LibreOffice can also save an .ods as .xlsx.'],
    ['audience_export_1a2b.zip', 'Unpack the .zip, as Mailchimp sends one, and choose a .csv from it.'],
    ['list.numbers', 'Numbers can also export it as Excel (.xlsx).'],
  ])('refuses %s with a hint', (name, hint) => {
    expect(refusalOf({ name, size: 10 }, 100)).toBe(`${only} ${hint}`);
  });

  it('takes a file of exactly the size allowed and refuses one byte more, naming the limit', () => {
    expect(refusalOf({ name: 'a.csv', size: 100 * megabyte }, 100)).toBeNull();
    expect(refusalOf({ name: 'a.csv', size: 100 * megabyte + 1 }, 100)).toContain('100 MB');
    expect(refusalOf({ name: 'a.csv', size: 3 * megabyte }, 2)).toContain('2 MB');
  });

  it('leaves the size to the server while the limit is not known', () => {
    expect(refusalOf({ name: 'a.csv', size: 5000 * megabyte }, undefined)).toBeNull();
  });
});
