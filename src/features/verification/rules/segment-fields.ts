import { ukClasses } from '#features/addresses/contract.ts';
import { kindLabels, reasonLabels, ukClassLabels, verdictLabels } from '#features/addresses/rules/labels.ts';
import { ukClass } from '#features/addresses/rules/uk.ts';
import { addressKinds, verdictReasons, verdicts } from '#features/addresses/rules.ts';
import type { StoredContact } from '#features/contacts/rules.ts';
import { choiceField, type FieldRule, numberField } from '#features/segments/rules/field.ts';

/** What segments can ask about verdicts and addresses. */

const group = 'Address';

const optionsOf = <T extends string>(values: readonly T[], labels: Record<T, string>) =>
  values.map((value) => ({ value, label: labels[value] }));

const verdict = choiceField(
  {
    key: 'verdict',
    label: 'Verdict',
    group,
    options: optionsOf(verdicts, verdictLabels),
    has: ({ verification }) => (verification ? [verification.verdict] : []),
  },
  (value) => ({ condition: 'verdict', value }),
);

const reason = choiceField(
  {
    key: 'reason',
    label: 'Reason of the Verdict',
    group,
    noun: 'reason of the verdict',
    options: optionsOf(verdictReasons, reasonLabels),
    has: ({ verification }) => verification?.reasons ?? [],
  },
  (value) => ({ condition: 'reason', value }),
);

const risk = numberField(
  {
    key: 'risk',
    label: 'Risk',
    group,
    has: ({ verification }) => (verification ? [String(verification.risk)] : []),
  },
  [0, 100],
  (range) => ({ condition: 'risk', value: range }),
);

const uk = choiceField(
  {
    key: 'uk',
    label: 'UK Class',
    group,
    noun: 'UK class',
    isAdjective: true,
    never: 'empty',
    options: optionsOf(ukClasses, ukClassLabels),
    has: ({ domain }) => [ukClass(domain)],
  },
  (value) => ({ condition: 'uk', value }),
);

/** `kindOf` is the kind of a contact, whether or not it was verified. */
const kind = (kindOf: (contact: StoredContact) => string | null): FieldRule =>
  choiceField(
    {
      key: 'kind',
      label: 'Kind of Address',
      group,
      noun: 'kind of address',
      mostAsked: 24,
      options: optionsOf(addressKinds, kindLabels),
      has: (contact) => [kindOf(contact)].filter((one) => one !== null),
    },
    (value) => ({ condition: 'kind', value }),
  );

export const verificationFields = (kindOf: (contact: StoredContact) => string | null): FieldRule[] => [
  uk,
  kind(kindOf),
  verdict,
  reason,
  risk,
];
