import { formatDay } from '#platform/shared/words.ts';
import type { Match } from '../contract.ts';
import { optionsFor } from './field.ts';
import { folded } from './fold.ts';
import type { ReadCondition } from './read-condition.ts';

/** Whom a segment means, as people would say it. */

/** Conditions that were understood, in their groups. */
export interface ReadRules {
  match: Match;
  conditions: ReadCondition[];
  groups: { match: Match; conditions: ReadCondition[] }[];
}

/**
 * "UK or likely UK contacts whose source contains “fair” and who were added in the last 30 days".
 */
export function rulesInWords({ match, conditions, groups }: ReadRules): string {
  const isAll = match === 'all';
  const adjectives = isAll ? conditions.filter(isAdjective) : [];
  const before = adjectives.map((one) => joined(labelsOf(one), 'or')).join(', ');
  const phrases = [
    ...conditions.filter((one) => !adjectives.includes(one)).map(conditionInWords),
    ...groups.map((one) => groupInWords(one)),
  ];
  const who = before === '' ? 'Contacts' : `${capital(before)} contacts`;
  if (phrases.length === 0) return before === '' ? 'Every contact' : who;
  return `${who} ${joinedBy(match, phrases)}`;
}

function groupInWords({ match, conditions }: ReadRules['groups'][number]): string {
  const phrases = conditions.map(conditionInWords);
  return phrases.length === 1 && match !== 'none' ? (phrases[0] as string) : `(${joinedBy(match, phrases)})`;
}

function joinedBy(match: Match, phrases: readonly string[]): string {
  if (match === 'none') return `of whom none of this is true: ${phrases.join('; ')}`;
  return joined(phrases, match === 'all' ? 'and' : 'or');
}

/** A condition as the end of "contacts …": "whose domain ends with “.uk”". */
export function conditionInWords(condition: ReadCondition): string {
  const { field, operator } = condition;
  const { noun } = field;
  const values = valuesInWords(condition);
  const not = condition.isContrary ? 'not ' : '';
  switch (operator) {
    case 'is_empty':
      return `without ${withArticle(noun)}`;
    case 'is_not_empty':
      return `with ${withArticle(noun)}`;
    case 'before':
    case 'after':
      return dated(condition, `${operator} ${values}`);
    case 'in_last_days':
    case 'not_in_last_days':
      return dated(condition, `in the last ${values === '1' ? 'day' : `${values} days`}`);
    case 'anniversary':
      return `whose ${noun} has its anniversary ${values}`;
    case 'greater':
      return `whose ${noun} is more than ${values}`;
    case 'less':
      return `whose ${noun} is less than ${values}`;
    case 'equals':
    case 'not_equals':
    case 'one_of':
    case 'not_one_of':
      return field.type === 'date' ? dated(condition, `on ${values}`) : `whose ${noun} is ${not}${values}`;
    default:
      return `whose ${noun} ${verbs[operator]} ${values}`;
  }
}

const verbs = {
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
} as const;

/** "who were added in the last 7 days", or "whose renewal is before 1 Nov 2026". */
function dated({ field: { verb, noun }, isContrary }: ReadCondition, when: string): string {
  const not = isContrary ? 'not ' : '';
  return verb ? `who were ${not}${verb} ${when}` : `whose ${noun} is ${not}${when}`;
}

const isAdjective = ({ field, test, isContrary }: ReadCondition): boolean =>
  field.isAdjective === true && test.is === 'equals' && !isContrary;

function valuesInWords({ field, operator, typed, test, chosen }: ReadCondition): string {
  if (operator === 'anniversary') return joined(typed.map(anniversary), 'or');
  if (test.is === 'within' || (field.type === 'date' && test.is === 'equals'))
    return joined(
      typed.map((one) => (/^\d{4}-/.test(one) ? formatDay(one) : one)),
      'or',
    );
  if (field.type === 'choice' && test.is === 'equals')
    return joined(labelsOf({ field, typed, chosen }), 'or');
  return joined(test.is === 'number' ? typed : typed.map((one) => `“${one}”`), 'or');
}

/** The names of what was chosen, in the order in which it was. */
const labelsOf = ({ field, typed, chosen }: Pick<ReadCondition, 'field' | 'typed' | 'chosen'>): string[] =>
  typed.map((one) => {
    const [option] = optionsFor({ is: 'equals', of: 'text', values: [folded(one)] }, chosen);
    const label = option?.label ?? one;
    // Names that people gave stay as they are.
    return field.options ? within(label) : label;
  });

/** A label within a sentence: "likely UK", and "NHS". */
const within = (label: string): string =>
  /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;

const anniversary = (value: string): string =>
  folded(value) === 'today' ? 'today' : `on ${formatDay(`2024-${value}`).replace(' 2024', '')}`;

const withArticle = (noun: string): string =>
  /s$/.test(noun) ? noun : `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`;

function joined(parts: readonly string[], word: 'and' | 'or'): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
