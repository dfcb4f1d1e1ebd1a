import type { ResponseOf } from '#platform/shared/contract.ts';
import type { listSegmentFields } from '../contract.ts';
import type { Operator } from '../rules/operators.ts';
import type { Rule } from './draft.ts';

/** What a segment can ask, as the server offers it. */
export type Offered = ResponseOf<typeof listSegmentFields>;
export type Field = Offered['fields'][number];
export type OperatorWords = Offered['operators'][number];

/** The fields and operators of the specification, which the dialog of a list offers. */
export const specifiedFields = ['status', 'domain', 'source', 'tags', 'createdAt', 'lastActivity'] as const;
export const specifiedOperators: readonly Operator[] = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'is_empty',
  'is_not_empty',
];

/** How a value is entered. */
export type Entry = 'nothing' | 'choice' | 'texts' | 'day' | 'days' | 'dayCount' | 'monthDays' | 'number';

const isEquality = (operator: Operator): boolean =>
  operator === 'equals' || operator === 'not_equals' || operator === 'one_of' || operator === 'not_one_of';

export function entryOf(field: Field | undefined, operator: OperatorWords): Entry {
  const { key, takes } = operator;
  if (takes === 'nothing' || takes === 'day' || takes === 'number') return takes;
  if (takes === 'days') return 'dayCount';
  if (takes === 'month_day') return 'monthDays';
  if (!field || !isEquality(key)) return 'texts';
  if (field.options) return 'choice';
  return field.type === 'date' ? 'days' : 'texts';
}

/** What is asked of a field first. */
export const firstOperator: Readonly<Record<Field['type'], Operator>> = {
  text: 'contains',
  choice: 'one_of',
  date: 'in_last_days',
  number: 'greater',
  any: 'equals',
};

/** The fields under their headings, as the kit's `Select` takes them, with one that is gone. */
export function fieldGroups({ fields }: Offered, missing?: string) {
  const groups = new Map<string, { value: string; label: string }[]>();
  for (const { key, label, group } of fields) {
    const items = groups.get(group) ?? [];
    items.push({ value: key, label });
    groups.set(group, items);
  }
  if (missing !== undefined)
    groups.set('No longer there', [{ value: missing, label: labelOfMissing(missing) }]);
  return [...groups].map(([group, items]) => ({ group, items }));
}

export const labelOfMissing = (key: string): string => key.replace(/^attributes\./, '');

type Blank = Pick<Rule, 'field' | 'operator'>;

/** The rule that is offered first. */
export function firstRule({ fields }: Offered): Blank {
  const field = fields.find(({ key }) => key === 'domain') ?? fields[0];
  return { field: field?.key ?? 'domain', operator: field ? firstOperator[field.type] : 'contains' };
}

/** A rule about another field: the operator stays if it fits, the value if it means the same. */
export function withField(rule: Rule, offered: Offered, key: string): Partial<Rule> {
  const before = offered.fields.find((one) => one.key === rule.field);
  const field = offered.fields.find((one) => one.key === key);
  if (!field || field.key === before?.key) return {};
  const fits = before?.type === field.type && field.operators.includes(rule.operator);
  const operator = fits ? rule.operator : firstOperator[field.type];
  const staysText = fits && !field.options && !before?.options;
  return { field: key, operator, ...(staysText ? {} : { values: [], typed: '' }) };
}

/** A rule that asks otherwise. Its value stays if it is entered the same way. */
export function withOperator(rule: Rule, offered: Offered, key: Operator): Partial<Rule> {
  const field = offered.fields.find((one) => one.key === rule.field);
  const entry = (wanted: Operator) => {
    const operator = offered.operators.find((one) => one.key === wanted);
    return operator && entryOf(field, operator);
  };
  const stays = entry(key) === entry(rule.operator);
  return { operator: key, ...(stays ? {} : { values: [], typed: '' }) };
}

/** What is offered, with only these fields and operators. */
export const only = (
  { fields, operators }: Offered,
  keys: readonly string[],
  allowed: readonly Operator[],
): Offered => ({
  fields: fields
    .filter(({ key }) => keys.includes(key))
    .map((field) => ({ ...field, operators: field.operators.filter((one) => allowed.includes(one)) })),
  operators: operators.filter(({ key }) => allowed.includes(key)),
});
