import type { Contact } from '../contract.ts';

type UkClass = Contact['ukClass'];

export const ukClassLabels: Record<UkClass, string> = {
  uk: 'UK',
  likely_uk: 'Likely UK',
  global: 'Global',
  not_uk: 'Not UK',
};

/** What the class was read from, to follow its name: "UK by the ending .scot". */
export function ukClassReason({ ukClass, domain }: Pick<Contact, 'ukClass' | 'domain'>): string {
  switch (ukClass) {
    case 'uk':
      return `by the ending .${domain.slice(domain.lastIndexOf('.') + 1)}`;
    case 'likely_uk':
      return 'by a provider or ending that serves the UK';
    case 'global':
      return 'by a provider that serves the whole world';
    case 'not_uk':
      return 'because nothing in the domain points to the UK';
  }
}
