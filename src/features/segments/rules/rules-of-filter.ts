import type { ContactFilter } from '#features/audience/contract.ts';
import type { SegmentCondition, SegmentRules } from '../contract/segment-rules.ts';
import { daysAfter } from './days.ts';
import type { Operator } from './operators.ts';

const condition = (field: string, operator: Operator, value: string | string[]): SegmentCondition => ({
  field,
  operator,
  value,
});
const is = (field: string) => (value: string | number) => condition(field, 'equals', String(value));
const oneOf = (field: string) => (values: readonly (number | string)[]) =>
  condition(field, 'one_of', values.map(String));
const dayBeside = (field: string, operator: 'after' | 'before', by: 1 | -1) => (day: string) => {
  const other = daysAfter(day, by);
  return other === null ? null : condition(field, operator, other);
};

/** What each name of the filter is as a rule. Null: no rule means the same. */
const ruleOf: {
  [Name in keyof Required<ContactFilter>]:
    | ((value: NonNullable<ContactFilter[Name]>) => SegmentCondition | null)
    | null;
} = {
  // Rules ask for the domain or the name, and not for a part of the whole address.
  search: null,
  // Rules compare texts without regard to case, and the filter does not.
  source: null,
  status: is('status'),
  domain: is('domain'),
  verdict: is('verdict'),
  reason: is('reason'),
  kind: is('kind'),
  uk: is('uk'),
  riskFrom: (risk) => condition('risk', 'greater', String(risk - 1)),
  riskTo: (risk) => condition('risk', 'less', String(risk + 1)),
  importId: is('import'),
  addedFrom: dayBeside('createdAt', 'after', -1),
  addedTo: dayBeside('createdAt', 'before', 1),
  list: oneOf('list'),
  tag: oneOf('tags'),
  basis: oneOf('marketingBasis'),
};

/** Rules that mean the same contacts as a filter, now and later. Null where there are none such. */
export function rulesOfFilter(filter: ContactFilter): SegmentRules | null {
  const conditions: SegmentCondition[] = [];
  for (const [name, value] of Object.entries(filter)) {
    if (value === undefined) continue;
    const rule = ruleOf[name as keyof ContactFilter] as ((value: unknown) => SegmentCondition | null) | null;
    const made = rule?.(value) ?? null;
    if (made === null) return null;
    conditions.push(made);
  }
  return { conditions };
}
