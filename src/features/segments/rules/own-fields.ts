import { contactStatuses } from '#features/contacts/contract.ts';
import { contactStatus } from '#features/contacts/rules.ts';
import { londonDay } from './days.ts';
import { choiceField, dateField, type FieldRule, momentField, textField } from './field.ts';
import { folded } from './fold.ts';
import { anyOf, type Meaning } from './meaning.ts';
import { operatorsOf } from './operators.ts';
import type { Test } from './test.ts';

/** What can be asked of what a contact says about itself. */

/** No domain is longer (RFC 1035). */
const longestDomain = 253;

const status = choiceField(
  {
    key: 'status',
    label: 'Email Status',
    group: 'Contact',
    noun: 'status',
    isAdjective: true,
    never: 'empty',
    options: contactStatuses.map((value) => ({
      value,
      label: value.charAt(0).toUpperCase() + value.slice(1),
    })),
    has: ({ state, isSuppressed }) => [contactStatus(state, isSuppressed)],
  },
  (value) => ({ condition: 'status', value }),
);

/** `domainOf` turns a typed domain into the form of stored ones. */
export const domainField = (domainOf: (typed: string) => string): FieldRule =>
  textField(
    {
      key: 'domain',
      label: 'Email Domain',
      group: 'Contact',
      noun: 'domain',
      asStored(typed, is) {
        const bare = typed.replace(/^@/, '') || typed;
        return is === 'equals' ? domainOf(bare) : folded(bare);
      },
      has: ({ domain }) => [domain],
    },
    (test: Test): Meaning =>
      test.is === 'equals'
        ? anyOf(test.values.map((value) => value.length <= longestDomain && { condition: 'domain', value }))
        : { condition: 'domainText', value: test },
  );

const text = (
  field: 'name' | 'firstName' | 'lastName' | 'source',
  naming: Pick<FieldRule, 'label' | 'group' | 'noun'>,
): FieldRule =>
  textField({ key: field, ...naming, has: (contact) => [contact[field] ?? ''] }, (test) => ({
    condition: 'text',
    value: { field, test },
  }));

const createdAt = dateField(
  {
    key: 'createdAt',
    label: 'Date Added',
    group: 'Contact',
    noun: 'day of adding',
    verb: 'added',
    never: 'empty',
    has: ({ createdAt: moment }) => [londonDay(moment)],
  },
  {
    within: (days) => ({ condition: 'added', value: days }),
    leaf: (test) => ({ condition: 'addedDay', value: test }),
  },
);

/** The newest of what features report. */
export const lastActivityField: FieldRule = momentField(
  {
    key: 'lastActivity',
    label: 'Last Activity',
    group: 'Contact',
    noun: 'last activity',
    verb: 'last active',
  },
  'lastActivity',
);

export const ownFields = (domainOf: (typed: string) => string): FieldRule[] => [
  status,
  domainField(domainOf),
  text('source', { label: 'Import Source', group: 'Contact', noun: 'source' }),
  createdAt,
  text('name', { label: 'Name', group: 'Contact', noun: 'name' }),
  text('firstName', { label: 'First Name', group: 'Contact', noun: 'first name' }),
  text('lastName', { label: 'Last Name', group: 'Contact', noun: 'last name' }),
];

const ofAttribute = 'attributes.';

/** The field of an extra field: `attributes.town`. Undefined for any other key. */
export function attributeField(key: string): FieldRule | undefined {
  const name = key.startsWith(ofAttribute) ? key.slice(ofAttribute.length) : '';
  if (name === '') return undefined;
  return {
    key,
    label: name,
    group: 'Extra fields',
    type: 'any',
    operators: operatorsOf.any,
    noun: name,
    meaning: (test) => ({ condition: 'attribute', value: { name, test } }),
    has: ({ attributes }) => [(attributes && Object.hasOwn(attributes, name) && attributes[name]) || ''],
  };
}

export const keyOfAttribute = (name: string): string => ofAttribute + name;
