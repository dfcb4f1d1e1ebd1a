export { looksLikeAddress } from './rules/columns.ts';
export { csvCodes, csvError } from './rules/csv-errors.ts';
export {
  type DetectedCsv,
  type Detection,
  type DialectOverrides,
  detectDialect,
  headBytes,
  type NotCsv,
} from './rules/detect.ts';
export type {
  CsvProblem,
  Delimiter,
  Dialect,
  Encoding,
  LineEnd,
  Quote,
} from './rules/dialect.ts';
export { looksLikeWorkbook } from './rules/file-kind.ts';
export {
  type CsvLimits,
  type CsvReader,
  type CsvReaderOptions,
  createCsvReader,
  longestRecord,
} from './rules/reader.ts';
export {
  type CsvValue,
  type CsvWriteOptions,
  csvLine,
  neutralise,
  unneutralise,
} from './rules/write.ts';
