/** How a field is compared. The first eight are the specification's. */

/** What an operator asks, before it is turned into its contrary. */
export type Asks =
  | 'equals'
  | 'contains'
  | 'starts_with'
  | 'ends_with'
  | 'is_empty'
  | 'before'
  | 'after'
  | 'in_last_days'
  | 'anniversary'
  | 'greater'
  | 'less';

interface OperatorRule {
  label: string;
  asks: Asks;
  /** True for exactly those contacts for which the other is not. */
  isContrary?: true;
  /** Beside one value it takes several, of which one is enough. */
  several?: true;
  takes: 'nothing' | 'text' | 'day' | 'days' | 'month_day' | 'number';
}

const rules = {
  equals: { label: 'is', asks: 'equals', several: true, takes: 'text' },
  not_equals: { label: 'is not', asks: 'equals', isContrary: true, several: true, takes: 'text' },
  contains: { label: 'contains', asks: 'contains', several: true, takes: 'text' },
  not_contains: {
    label: 'does not contain',
    asks: 'contains',
    isContrary: true,
    several: true,
    takes: 'text',
  },
  starts_with: { label: 'starts with', asks: 'starts_with', several: true, takes: 'text' },
  ends_with: { label: 'ends with', asks: 'ends_with', several: true, takes: 'text' },
  is_empty: { label: 'is empty', asks: 'is_empty', takes: 'nothing' },
  is_not_empty: { label: 'is not empty', asks: 'is_empty', isContrary: true, takes: 'nothing' },
  one_of: { label: 'is one of', asks: 'equals', several: true, takes: 'text' },
  not_one_of: { label: 'is none of', asks: 'equals', isContrary: true, several: true, takes: 'text' },
  before: { label: 'is before', asks: 'before', takes: 'day' },
  after: { label: 'is after', asks: 'after', takes: 'day' },
  in_last_days: { label: 'is in the last days', asks: 'in_last_days', takes: 'days' },
  not_in_last_days: {
    label: 'is not in the last days',
    asks: 'in_last_days',
    isContrary: true,
    takes: 'days',
  },
  anniversary: { label: 'has its anniversary', asks: 'anniversary', several: true, takes: 'month_day' },
  greater: { label: 'is more than', asks: 'greater', takes: 'number' },
  less: { label: 'is less than', asks: 'less', takes: 'number' },
} as const satisfies Record<string, OperatorRule>;

export type Operator = keyof typeof rules;
export const operators = Object.keys(rules) as [Operator, ...Operator[]];
export const operatorRules: Readonly<Record<Operator, OperatorRule>> = rules;

const specified: Operator[] = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'is_empty',
  'is_not_empty',
];
const sets: Operator[] = ['one_of', 'not_one_of'];
const days: Operator[] = ['before', 'after', 'in_last_days', 'not_in_last_days', 'anniversary'];
const numbers: Operator[] = ['greater', 'less'];

/**
 * - `text`: a text. `choice`: one or some of those on offer.
 * - `date`: a day in London. `number`: a number.
 * - `any`: a text from a file, which may be a number or a date.
 */
export const fieldTypes = ['text', 'choice', 'date', 'number', 'any'] as const;
export type FieldType = (typeof fieldTypes)[number];

/** The operators of each type of field. */
export const operatorsOf: Readonly<Record<FieldType, readonly Operator[]>> = {
  text: [...specified, ...sets],
  choice: [...specified, ...sets],
  date: [...specified, ...days],
  number: ['equals', 'not_equals', 'greater', 'less', 'is_empty', 'is_not_empty'],
  any: [...specified, ...sets, ...numbers, ...days],
};
