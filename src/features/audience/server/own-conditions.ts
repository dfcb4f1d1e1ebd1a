import { sql } from 'kysely';
import { idna } from '#features/addresses/server/index.ts';
import type { ContactStatus } from '#features/contacts/contract.ts';
import { contactStates } from '#features/contacts/rules.ts';
import type { Fragment } from '#platform/server/database.ts';
import {
  addedRule,
  type Days,
  domainRule,
  idsRule,
  importRule,
  searchRule,
  sourceRule,
  statusRule,
} from '../rules/conditions.ts';
import { storedDomain, storedSource, storedTerm } from '../rules/stored-text.ts';
import { type AnyCondition, condition, type Scope } from './condition.ts';

/** A searched text in the form of stored addresses. Null when nothing is left. */
export const termOf = (text: string): string | null => storedTerm(text, idna.toAscii);

/** A domain in the form of stored contacts. */
export const domainOf = (text: string): string => storedDomain(text, idna.toAscii);

/**
 * True for the contacts whose address contains the term. LIKE takes four times as long and has
 * wildcards.
 */
const contains = (term: string): Fragment => sql`strpos(c.local || '@' || c.domain, ${term}) > 0`;

const stateOf = {
  active: contactStates.valid,
  invalid: contactStates.invalid,
  duplicate: contactStates.copy,
};

function hasStatus(status: ContactStatus, { isSuppressed }: Scope): Fragment {
  if (status === 'suppressed') return isSuppressed;
  return sql`(c.state = ${sql.lit(stateOf[status])} and not ${isSuppressed})`;
}

/** The first moment of a day in London, plus `later` days. */
export const londonDay = (day: string, later = 0): Fragment =>
  sql`((${day}::date + ${sql.lit(later)})::timestamp at time zone 'Europe/London')`;

function wasAdded({ from, to }: Days): Fragment {
  const tests = [
    ...(from === undefined ? [] : [sql`c.created_at >= ${londonDay(from)}`]),
    ...(to === undefined ? [] : [sql`c.created_at < ${londonDay(to, 1)}`]),
  ];
  return sql`(${sql.join(tests, sql` and `)})`;
}

/** Named contacts, as text, because COPY has no literal for an array. */
export const hasId = (ids: readonly number[]): Fragment => sql`c.id = any(${`{${ids.join(',')}}`}::bigint[])`;

/** The audience's own conditions. */
export const ownConditions: readonly AnyCondition[] = [
  condition(searchRule, (text) => contains(termOf(text) ?? '')),
  condition(domainRule, (domain) => sql`c.domain = ${domainOf(domain)}`),
  condition(statusRule, hasStatus),
  condition(sourceRule, (source) => sql`c.source = ${storedSource(source)}`),
  condition(importRule, (importId) => sql`c.import_id = ${importId}`),
  condition(addedRule, wasAdded),
  condition(idsRule, hasId),
];
