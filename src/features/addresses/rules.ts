export { type DeadDomain, deadBy, describeDeadDomain } from './rules/dead-domain.ts';
export {
  type Idna,
  type NormalisedDomain,
  normaliseDomain,
} from './rules/domain.ts';
export { meantDomain } from './rules/domain-profile.ts';
export { splitUnchecked } from './rules/identity.ts';
export { createJudge, type Judge, type JudgeOptions, type WorkspaceJudgement } from './rules/judge.ts';
export { createDomainSorter, type DomainFate } from './rules/kept-domain.ts';
export { type ListedDomains, listedDomains } from './rules/listed-domains.ts';
export { type ListedRoles, listedRoles } from './rules/local-profile.ts';
export { invalidEmailMessage, looksLikeEmail } from './rules/looks-like-email.ts';
export { mailboxKey } from './rules/mailbox.ts';
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
export { severalAddresses } from './rules/several.ts';
export {
  createUkFilter,
  narrowestPolicy,
  type UkFilterOptions,
  ukClass,
  type WiderPolicy,
} from './rules/uk.ts';
export {
  type AddressKind,
  addressKinds,
  type DomainEvidence,
  describeVerdictReason,
  type JudgedReason,
  type Judgement,
  type RiskFactor,
  type Severity,
  severities,
  type Verdict,
  type VerdictReason,
  verdictReasons,
  verdicts,
} from './rules/verdict.ts';
