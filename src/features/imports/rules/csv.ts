export {
  type DetectedCsv,
  type Detection,
  type DialectOverrides,
  detectDialect,
  headBytes,
  type NotCsv,
} from './csv/detect.ts';
export type {
  CsvProblem,
  Delimiter,
  Dialect,
  Encoding,
  LineEnd,
  Quote,
} from './csv/dialect.ts';
export { type CsvLimits, type CsvReader, type CsvReaderOptions, createCsvReader } from './csv/reader.ts';
export {
  type CsvValue,
  type CsvWriteOptions,
  csvLine,
  neutralise,
  unneutralise,
} from './csv/write.ts';
