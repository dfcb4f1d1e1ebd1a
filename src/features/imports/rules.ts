export {
  defaultTargets,
  extraFields,
  givesUpOptOut,
  type Mapping,
  mappingOf,
  optOutTarget,
  saysBasis,
  withOptOuts,
} from './rules/mapping.ts';
export { createBlankTest } from './rules/row-addresses.ts';
export {
  createRowJudge,
  noAddressVerdict,
  type RowJudgeOptions,
  type RowVerdict,
  tooLongVerdict,
} from './rules/row-judge.ts';
