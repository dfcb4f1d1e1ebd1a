import type { AddressKind, Verdict, VerdictReason } from '#features/addresses/rules.ts';
import type { Tone } from '#platform/web/theme-colours.ts';
import type { Contact } from '../contract.ts';

type UkClass = Contact['ukClass'];

export const ukClassLabels: Record<UkClass, string> = {
  uk: 'UK',
  likely_uk: 'Likely UK',
  global: 'Global',
  not_uk: 'Not UK',
};

/** What the class was read from, as a suffix to its name: "UK by the ending .scot". */
export function ukClassReason({ ukClass, domain }: Pick<Contact, 'ukClass' | 'domain'>): string {
  switch (ukClass) {
    case 'uk':
      return `by the ending .${domain.slice(domain.lastIndexOf('.') + 1)}`;
    case 'likely_uk':
      return 'by a provider, an organisation or an ending of the UK';
    case 'global':
      return 'by a provider that serves the whole world';
    case 'not_uk':
      return 'because nothing in the domain points to the UK';
  }
}

export const verdictLabels: Record<Verdict, string> = {
  valid: 'Valid',
  risky: 'Risky',
  invalid: 'Invalid',
  unknown: 'Unknown',
};

export const verdictTones: Record<Verdict, Tone> = {
  valid: 'success',
  risky: 'warning',
  invalid: 'error',
  unknown: 'neutral',
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

/** The risk ranges one filters by. The factors set their limits. */
export const riskRanges = [
  { value: '0-0', label: 'None' },
  { value: '1-39', label: 'Low, 1–39' },
  { value: '40-69', label: 'Raised, 40–69' },
  { value: '70-100', label: 'High, 70–100' },
];

/** Why an action is not offered to a viewer. */
export const needsEditor = 'Changing contacts needs the editor role. You can look, search and export.';
