import type { UkClass } from '../contract.ts';
import type { AddressKind, Verdict, VerdictReason } from './verdict.ts';

/** What findings about an address are called, on screens and in sentences. */

export const ukClassLabels: Record<UkClass, string> = {
  uk: 'UK',
  likely_uk: 'Likely UK',
  global: 'Global',
  not_uk: 'Not UK',
};

export const verdictLabels: Record<Verdict, string> = {
  valid: 'Valid',
  risky: 'Risky',
  invalid: 'Invalid',
  unknown: 'Unknown',
};

export const reasonLabels: Record<VerdictReason, string> = {
  syntax: 'Not an address',
  not_strict: 'Refused by strict rules',
  no_such_tld: 'No such ending',
  reserved_tld: 'Reserved ending',
  mixed_script: 'Mixed alphabets',
  invisible_characters: 'Invisible characters',
  no_such_domain: 'No such domain',
  no_mail_server: 'No mail server',
  null_mx: 'Takes no mail',
  placeholder: 'Placeholder',
  disposable: 'Disposable',
  typo_suspected: 'Likely slip',
  gibberish: 'Gibberish',
  role_technical: 'Technical mailbox',
  role: 'Shared mailbox',
  no_mx_record: 'No MX record',
  repaired: 'Tidied up',
  not_measured: 'Not looked up',
};

export const kindLabels: Record<AddressKind, string> = {
  free: 'Free mail',
  corporate: 'Corporate',
  government: 'Government',
  nhs: 'NHS',
  academic: 'Academic',
  police: 'Police',
  role: 'Role',
  disposable: 'Disposable',
};
