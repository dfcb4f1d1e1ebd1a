export {
  coversDomain,
  domainAndParents,
  type Idna,
  isPublicSuffix,
  type NormalisedDomain,
  normaliseDomain,
} from './rules/domain.ts';
export { identityKey, normaliseLocal, splitUnchecked } from './rules/identity.ts';
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
  addressReasons,
  describeReason,
  type RowReason,
  rowReasons,
} from './rules/reasons.ts';
export { type AddressRepair, addressRepairs, type RepairedAddress, repairAddress } from './rules/repair.ts';
export { isRfcValid, type RfcGrade, rfcGrade } from './rules/rfc.ts';
export {
  createUkFilter,
  defaultAllowedDomains,
  type UkClass,
  type UkFilterOptions,
  type UkPolicy,
  ukClass,
  ukPolicies,
} from './rules/uk.ts';
