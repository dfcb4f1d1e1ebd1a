import { bases } from '#features/contacts/contract.ts';
import { choiceField } from '#features/segments/rules/field.ts';
import { segmentField } from '#features/segments/server/index.ts';
import { basisLabels, basisOf } from '../rules.ts';

/** The field of segments that asks for the marketing basis. Everybody has one, if only unknown. */
export const basisField = segmentField(
  choiceField(
    {
      key: 'marketingBasis',
      label: 'Marketing Basis',
      group: 'Contact',
      noun: 'marketing basis',
      options: bases.map((value) => ({ value, label: basisLabels[value] })),
      never: 'empty',
      has: ({ marketing }) => [basisOf(marketing.basis)],
    },
    (value) => ({ condition: 'basis', value: [value] }),
  ),
);
