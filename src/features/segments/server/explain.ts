import { sql } from 'kysely';
import type { StoredContact } from '#features/contacts/rules.ts';
import { contactsWithSuppression, findContact, selectContacts } from '#features/contacts/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { BodyOf, ResponseOf } from '#platform/shared/contract.ts';
import type { Answer, explainSegment, Match } from '../contract.ts';
import type { ReadCondition } from '../rules/read-condition.ts';
import { conditionInWords, type ReadRules, rulesInWords } from '../rules/words.ts';
import type { SegmentField } from './fields.ts';
import { type Reading, readRules, treeOfRules } from './read-rules.ts';
import { joinedTests, testsOfRules } from './tests-of-rules.ts';

type Explained = ResponseOf<typeof explainSegment>;

/** Whether a segment means a contact, and why: by the same SQL that counts and lists it. */
export async function explain(
  reading: Reading,
  tx: TenantTx,
  workspaceId: number,
  { segmentRules, contactId }: BodyOf<typeof explainSegment>,
): Promise<Explained> {
  const rules = await readRules(reading, tx, workspaceId, segmentRules);
  treeOfRules(reading.audience, rules);
  const { address } = await findContact(tx, workspaceId, contactId);
  const [contact] = await selectContacts(tx, workspaceId, [contactId]);
  const tests = await testsOfRules(reading.audience, tx, workspaceId, rules, true);
  const answers = await tested(tx, { workspaceId, contactId }, rules, tests);
  const told = async (conditions: readonly ReadCondition[]): Promise<Answer[]> => {
    const all: Answer[] = [];
    for (const condition of conditions) {
      const has = contact ? await valuesOf(condition, tx, workspaceId, contact) : [];
      all.push({ holds: answers.next(), words: conditionInWords(condition), has });
    }
    return all;
  };
  const conditions = await told(rules.conditions);
  const groups: Explained['groups'] = [];
  for (const group of rules.groups) groups.push({ holds: false, conditions: await told(group.conditions) });
  for (const group of groups) group.holds = answers.next();
  const isIn = answers.next();
  return { isIn, why: whyOf(rules, address, { isIn, conditions, groups }), conditions, groups };
}

/** The answers in this order: each condition, each group, and all of it. */
async function tested(
  tx: TenantTx,
  { workspaceId, contactId }: { workspaceId: number; contactId: number },
  rules: ReadRules,
  tests: readonly Fragment[],
): Promise<{ next(): boolean }> {
  const named = tests.map((_, at) => sql.ref(`s.t${at}`));
  const waiting = named.slice(rules.conditions.length);
  const groups = rules.groups.map(({ match, conditions }) =>
    joinedTests(match, waiting.splice(0, conditions.length)),
  );
  const whole = joinedTests(rules.match, [...named.slice(0, rules.conditions.length), ...groups]);
  const columns = tests.map((test, at) => sql`, (${test}) is true as ${sql.ref(`t${at}`)}`);
  const { rows } = await sql<{ answers: boolean[] }>`
    select array[${sql.join([...named, ...groups, whole])}]::boolean[] as answers
    from (
      select c.id${sql.join(columns, sql``)} from ${contactsWithSuppression}
      where c.workspace_id = ${workspaceId} and c.id = ${contactId}
    ) s`.execute(tx);
  const answers = [...(rows[0]?.answers ?? [])];
  return { next: () => answers.shift() ?? false };
}

/** What the contact has in a field, in the words of its options. */
async function valuesOf(
  { field, chosen }: ReadCondition,
  tx: TenantTx,
  workspaceId: number,
  contact: StoredContact,
): Promise<string[]> {
  const { read, has, options = chosen }: SegmentField = field;
  const values = (await read?.(tx, workspaceId, contact)) ?? has?.(contact) ?? [];
  return values
    .filter((value) => value !== '')
    .map((value) => options.find((option) => option.value === value)?.label ?? value);
}

function whyOf(
  rules: ReadRules,
  address: string,
  { isIn, conditions, groups }: Omit<Explained, 'why'>,
): string {
  const inGroups = rules.groups.flatMap(({ match }, at) => {
    const group = groups[at];
    return group ? [{ holds: group.holds, cause: causeIn(match, group.holds, group.conditions) }] : [];
  });
  const parts = [...conditions.map((one) => ({ holds: one.holds, cause: one })), ...inGroups];
  if (parts.length === 0) return `${address} is in, as every contact is.`;
  if (isIn) return `${address} is in: “${rulesInWords(rules)}” is true of it.`;
  const cause = causeIn(rules.match, isIn, parts)?.cause;
  if (!cause) return `${address} is not in: “${rulesInWords(rules)}” is not true of it.`;
  const because = cause.holds ? 'because one condition holds' : 'because of one condition';
  return `${address} is not in, ${because}: “${cause.words}”.`;
}

/**
 * The one part by which all of them together hold, or do not. Undefined where there are several, or
 * where only several together make it so.
 */
function causeIn<Part extends { holds: boolean }>(
  match: Match,
  holds: boolean,
  parts: readonly Part[],
): Part | undefined {
  const causes = parts.filter((part) => part.holds === (match === 'none' ? !holds : holds));
  return causes.length === 1 ? causes[0] : undefined;
}
