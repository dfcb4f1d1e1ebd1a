import { numbered } from '#features/audit/rules.ts';
import { bases } from '#features/contacts/contract.ts';
import type { FeatureWords, Said } from '#platform/shared/feature-words.ts';
import { basisLabels } from '../rules.ts';

const basisInWords: Said = (value, _details, plain) => {
  const known = bases.find((one) => one === value);
  return `marketing basis: ${known ? basisLabels[known].toLowerCase() : plain(value)}`;
};

export const basisWords: FeatureWords = {
  audit: {
    actions: {
      'contact.basis_set': 'Marketing basis of a contact set',
      'contacts.basis_set': 'Marketing basis of contacts set',
      'contacts.basis_undone': 'Marketing basis of contacts put back',
    },
    details: {
      marketingBasis: { order: 203, say: basisInWords },
      basisChangeId: { order: 309, say: numbered('basis change') },
    },
  },
};
