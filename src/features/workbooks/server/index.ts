export { isWorkbook } from './is-workbook.ts';
export { type ReadSheet, writeSheetAsCsv } from './to-rows.ts';
