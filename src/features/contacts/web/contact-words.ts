import type { Verdict } from '#features/addresses/rules.ts';
import type { Tone } from '#platform/web/theme-colours.ts';
import type { Contact } from '../contract.ts';

export { kindLabels, reasonLabels, ukClassLabels, verdictLabels } from '#features/addresses/rules/labels.ts';

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

export const verdictTones: Record<Verdict, Tone> = {
  valid: 'success',
  risky: 'warning',
  invalid: 'error',
  unknown: 'neutral',
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
