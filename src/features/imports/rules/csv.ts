export {
  applyOverrides,
  type DetectedCsv,
  type Detection,
  type DialectOverrides,
  detectDialect,
  headBytes,
  type NotCsv,
} from './csv/detect.ts';
export {
  type CsvProblem,
  csvProblems,
  type Delimiter,
  type Dialect,
  delimiters,
  type Encoding,
  encodings,
  type LineEnd,
  type Quote,
  quotes,
} from './csv/dialect.ts';
export { type CsvLimits, type CsvReader, type CsvReaderOptions, createCsvReader } from './csv/reader.ts';
export {
  type CsvValue,
  type CsvWriteOptions,
  csvCell,
  csvLine,
  neutralise,
  unneutralise,
} from './csv/write.ts';
