export {
  type Idna,
  type NormalisedDomain,
  normaliseDomain,
} from './rules/domain.ts';
export { splitUnchecked } from './rules/identity.ts';
export { invalidEmailMessage, looksLikeEmail } from './rules/looks-like-email.ts';
export {
  type AddressParser,
  createAddressParser,
  type Parsed,
  type ParsedAddress,
  type ParserOptions,
  type RefusedAddress,
} from './rules/parse.ts';
export {
  type AddressReason,
  describeReason,
  type RowReason,
} from './rules/reasons.ts';
export {
  createUkFilter,
  type UkFilterOptions,
  ukClass,
} from './rules/uk.ts';
