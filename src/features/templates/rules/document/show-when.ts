import { z } from 'zod';
import { quoted } from '../liquid/quoted.ts';
import { tagField, tagsField } from '../tag-fields.ts';
import { type FieldLabels, fieldWords } from './field-words.ts';

/** What a block can ask of a contact's field, each beside its contrary. */
const contraries = {
  equals: 'not_equals',
  not_equals: 'equals',
  contains: 'not_contains',
  not_contains: 'contains',
  is_not_empty: 'is_empty',
  is_empty: 'is_not_empty',
  greater: 'not_greater',
  not_greater: 'greater',
  less: 'not_less',
  not_less: 'less',
} as const;
export type ShowOperator = keyof typeof contraries;
export const showOperators = Object.keys(contraries) as [ShowOperator, ...ShowOperator[]];

const fieldCondition = z.strictObject({
  field: z
    .string()
    .max(200)
    .regex(/^[\p{L}_][\p{L}\p{N}_]*$/u, 'A field is named as between {{ and }}.')
    .describe('A merge field, such as `city`.'),
  operator: z.enum(showOperators).describe('The contrary of each is true for all other contacts.'),
  value: z.string().max(200).default('').describe('Empty with `is_empty` and `is_not_empty`.'),
});
export type FieldCondition = z.output<typeof fieldCondition>;

export const tagOperators = ['has_tag', 'lacks_tag'] as const;
const tagCondition = z.strictObject({
  tag: z.number().int().positive().describe('The number of a tag. One that is deleted: nobody sees it.'),
  operator: z.enum(tagOperators).describe('Whether the contact has the tag.'),
});
export type TagCondition = z.output<typeof tagCondition>;

/** Who sees a block. The words are compared without regard to case and blanks at their ends. */
export const showWhen = z
  .discriminatedUnion('operator', [fieldCondition, tagCondition])
  .meta({ id: 'ShowWhen' });
export type ShowWhen = z.output<typeof showWhen>;

export const asksForTag = (condition: ShowWhen): condition is TagCondition => 'tag' in condition;

/** The same condition for everybody else. */
export function contraryOf(condition: ShowWhen): ShowWhen {
  if (asksForTag(condition))
    return { ...condition, operator: condition.operator === 'has_tag' ? 'lacks_tag' : 'has_tag' };
  return { ...condition, operator: contraries[condition.operator] };
}

export const comparesNumbers = (operator: ShowOperator): boolean => /greater|less/.test(operator);
export const takesValue = (operator: ShowOperator): boolean => !operator.endsWith('_empty');

/** A number as people write it, with commas and a pound sign. Null: it is none. */
export function numberIn(text: string): string | null {
  const plain = text.replace(/[£,\s]/g, '');
  return /^-?\d{1,15}(\.\d{1,6})?$/.test(plain) ? plain : null;
}

/**
 * The Liquid before and after what is shown only to some. A tag that is deleted is neither true nor
 * false, so nobody sees what asks for it, nor what asks for its contrary.
 */
export function liquidAround(condition: ShowWhen): { before: string; after: string } {
  if (asksForTag(condition)) {
    const before = `{% if ${tagField(condition.tag)} == ${condition.operator === 'has_tag'} %}`;
    return { before, after: '{% endif %}' };
  }
  const { field, operator, value } = condition;
  const isContrary = operator.startsWith('not_') || operator === 'is_empty';
  const tag = isContrary ? 'unless' : 'if';
  const name = 'shown_when';
  const cleaned = comparesNumbers(operator)
    ? `${field} | remove: ${quoted('£')} | remove: "," | strip`
    : `${field} | downcase | strip`;
  const before = `{% assign ${name} = ${cleaned} %}{% ${tag} ${testOf(operator, name, value)} %}`;
  return { before, after: `{% end${tag} %}` };
}

/** The condition, or where it is a contrary, what must not hold. */
function testOf(operator: ShowOperator, name: string, value: string): string {
  const text = quoted(value.trim().toLowerCase());
  switch (operator) {
    case 'equals':
    case 'not_equals':
      return `${name} == ${text}`;
    case 'contains':
    case 'not_contains':
      return `${name} contains ${text}`;
    case 'is_empty':
    case 'is_not_empty':
      return `${name} != ""`;
    case 'greater':
    case 'not_greater':
    case 'less':
    case 'not_less': {
      const number = numberIn(value);
      if (number === null) return 'false';
      // A `<` would be read as the start of a tag before the Liquid is filled.
      const test = operator.endsWith('greater') ? `${name} > ${number}` : `${number} > ${name}`;
      return `${name} != "" and ${test}`;
    }
  }
}

export const operatorWords: Record<ShowWhen['operator'], string> = {
  has_tag: 'has the tag',
  lacks_tag: 'does not have the tag',
  equals: 'is',
  not_equals: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  is_not_empty: 'has a value',
  is_empty: 'has no value',
  greater: 'is greater than',
  not_greater: 'is not greater than',
  less: 'is less than',
  not_less: 'is not less than',
};

/**
 * A condition as people read it: `City is York`, `tagged Agency`. A tag without a label of its own
 * has that of all tags.
 */
export function showWhenWords(condition: ShowWhen, labels: FieldLabels): string {
  if (asksForTag(condition)) {
    const words = labels.get(tagField(condition.tag)) ?? labels.get(tagsField) ?? '…';
    return condition.operator === 'has_tag' ? `tagged ${words}` : `not tagged ${words}`;
  }
  const { field, operator, value } = condition;
  const start = `${fieldWords(field, labels)} ${operatorWords[operator]}`;
  return takesValue(operator) ? `${start} ${value || '…'}` : start;
}
