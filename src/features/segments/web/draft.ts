import type { Match, SegmentCondition, SegmentRules } from '../contract/segment-rules.ts';
import type { Operator } from '../rules/operators.ts';

/*
 * Rules while somebody edits them: each with a key that stays, and perhaps without a value yet.
 * Every function returns another draft.
 */

/** A condition that is being edited. */
export interface Rule {
  key: number;
  field: string;
  operator: Operator;
  values: readonly string[];
  /** Words in the field that are not taken as a value yet. They count as one. */
  typed: string;
}

export interface RuleGroup {
  key: number;
  match: Match;
  rules: readonly Rule[];
}

/** The rules beside the groups, and the groups. */
export interface Draft {
  match: Match;
  rules: readonly Rule[];
  groups: readonly RuleGroup[];
}

/** A group by its key. Null: beside the groups. */
export type Place = number | null;

export const emptyDraft: Draft = { match: 'all', rules: [], groups: [] };

export function draftOf({ match = 'all', conditions = [], groups = [] }: SegmentRules): Draft {
  let key = 0;
  const ruleOf = ({ field, operator, value }: SegmentCondition): Rule => {
    key += 1;
    const values = value === undefined ? [] : [value].flat();
    return { key, field, operator, values, typed: '' };
  };
  return {
    match,
    rules: conditions.map(ruleOf),
    groups: groups.map((group) => {
      key += 1;
      return { key, match: group.match ?? 'all', rules: group.conditions.map(ruleOf) };
    }),
  };
}

const takesNothing = (operator: Operator): boolean => operator === 'is_empty' || operator === 'is_not_empty';

/** The values of a rule, with what is typed and not taken yet. */
export function valuesOf({ operator, values, typed }: Rule): readonly string[] {
  if (takesNothing(operator)) return [];
  const text = typed.trim();
  return text === '' || values.includes(text) ? values : [...values, text];
}

export const isFinished = (rule: Rule): boolean => takesNothing(rule.operator) || valuesOf(rule).length > 0;

/** All rules, in the order in which they stand. */
export const rulesIn = ({ rules, groups }: Draft): Rule[] => [
  ...rules,
  ...groups.flatMap((group) => group.rules),
];

function conditionOf(rule: Rule): SegmentCondition {
  const { field, operator } = rule;
  const [value, ...others] = valuesOf(rule);
  if (value === undefined) return { field, operator };
  return { field, operator, value: others.length === 0 ? value : [value, ...others] };
}

/**
 * The rules to send: those that are finished. In the shape of the specification, where that is
 * enough.
 */
export function rulesOf(draft: Draft): SegmentRules {
  const groups = draft.groups
    .map(({ match, rules }) => ({ match, conditions: rules.filter(isFinished).map(conditionOf) }))
    .filter(({ conditions }) => conditions.length > 0);
  return {
    ...(draft.match === 'all' ? {} : { match: draft.match }),
    conditions: draft.rules.filter(isFinished).map(conditionOf),
    ...(groups.length === 0 ? {} : { groups }),
  };
}

/** The same rules, written as an editor that changes nothing would write them. */
export const asEdited = (rules: SegmentRules): SegmentRules => rulesOf(draftOf(rules));

/** A key that nothing has yet. */
const freshKey = (draft: Draft): number =>
  Math.max(0, ...rulesIn(draft).map(({ key }) => key), ...draft.groups.map(({ key }) => key)) + 1;

/** Does something with the rules of one place. */
const within = (draft: Draft, place: Place, change: (rules: readonly Rule[]) => readonly Rule[]): Draft =>
  place === null
    ? { ...draft, rules: change(draft.rules) }
    : {
        ...draft,
        groups: draft.groups.map((group) =>
          group.key === place ? { ...group, rules: change(group.rules) } : group,
        ),
      };

/** Where a rule stands. Undefined when it is not there. */
export function placeOf(draft: Draft, key: number): { place: Place; at: number } | undefined {
  const places: { place: Place; rules: readonly Rule[] }[] = [
    { place: null, rules: draft.rules },
    ...draft.groups.map((group) => ({ place: group.key, rules: group.rules })),
  ];
  for (const { place, rules } of places) {
    const at = rules.findIndex((rule) => rule.key === key);
    if (at >= 0) return { place, at };
  }
  return undefined;
}

const inserted = <T>(items: readonly T[], at: number, item: T): T[] => [
  ...items.slice(0, at),
  item,
  ...items.slice(at),
];

/** Adds a rule at the end of a place. */
export function addRule(draft: Draft, place: Place, rule: Omit<Rule, 'key' | 'typed' | 'values'>): Draft {
  const added = { ...rule, values: [], typed: '', key: freshKey(draft) };
  return within(draft, place, (rules) => [...rules, added]);
}

export const changeRule = (draft: Draft, key: number, patch: Partial<Omit<Rule, 'key'>>): Draft => {
  const found = placeOf(draft, key);
  if (!found) return draft;
  return within(draft, found.place, (rules) =>
    rules.map((rule) => (rule.key === key ? { ...rule, ...patch } : rule)),
  );
};

export function removeRule(draft: Draft, key: number): Draft {
  const found = placeOf(draft, key);
  return found ? within(draft, found.place, (rules) => rules.filter((rule) => rule.key !== key)) : draft;
}

/** The same rule again, below it. */
export function duplicateRule(draft: Draft, key: number): Draft {
  const found = placeOf(draft, key);
  if (!found) return draft;
  return within(draft, found.place, (rules) =>
    inserted(rules, found.at + 1, { ...(rules[found.at] as Rule), key: freshKey(draft) }),
  );
}

/** Puts a rule somewhere else: before the one that stands at `at` once it is taken out. */
export function moveRule(draft: Draft, key: number, place: Place, at: number): Draft {
  const rule = rulesIn(draft).find((one) => one.key === key);
  if (!rule) return draft;
  return within(removeRule(draft, key), place, (rules) => inserted(rules, at, rule));
}

/** Moves a rule up or down by one, into the place above or below when it stands at the edge. */
export function stepRule(draft: Draft, key: number, by: 1 | -1): Draft {
  const found = placeOf(draft, key);
  if (!found) return draft;
  const places: Place[] = [null, ...draft.groups.map((group) => group.key)];
  const lengths = [draft.rules, ...draft.groups.map(({ rules }) => rules)].map((rules) => rules.length);
  const here = places.indexOf(found.place);
  const at = found.at + by;
  if (at >= 0 && at < (lengths[here] ?? 0)) return moveRule(draft, key, found.place, at);
  const next = places[here + by];
  if (next === undefined) return draft;
  return moveRule(draft, key, next, by > 0 ? 0 : (lengths[here - 1] ?? 0));
}

/** Adds a group with one rule. */
export function addGroup(draft: Draft, rule: Omit<Rule, 'key' | 'typed' | 'values'>): Draft {
  const key = freshKey(draft);
  const first = { ...rule, values: [], typed: '', key: key + 1 };
  // Among conditions of which all hold, a group is for those of which one is enough.
  const match = draft.match === 'any' ? 'all' : 'any';
  return { ...draft, groups: [...draft.groups, { key, match, rules: [first] }] };
}

export const changeGroup = (draft: Draft, key: number, match: Match): Draft => ({
  ...draft,
  groups: draft.groups.map((group) => (group.key === key ? { ...group, match } : group)),
});

export const removeGroup = (draft: Draft, key: number): Draft => ({
  ...draft,
  groups: draft.groups.filter((group) => group.key !== key),
});

/** The same group again, below it. */
export function duplicateGroup(draft: Draft, key: number): Draft {
  const at = draft.groups.findIndex((group) => group.key === key);
  const group = draft.groups[at];
  if (!group) return draft;
  const fresh = freshKey(draft);
  const rules = group.rules.map((rule, index) => ({ ...rule, key: fresh + 1 + index }));
  return { ...draft, groups: inserted(draft.groups, at + 1, { ...group, key: fresh, rules }) };
}

export function stepGroup(draft: Draft, key: number, by: 1 | -1): Draft {
  const at = draft.groups.findIndex((group) => group.key === key);
  const group = draft.groups[at];
  if (!group || at + by < 0 || at + by >= draft.groups.length) return draft;
  return { ...draft, groups: inserted(removeGroup(draft, key).groups, at + by, group) };
}
