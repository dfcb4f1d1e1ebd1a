import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { chooseWhole, fewInDomains, isCounted, type WholePlan } from '../rules/plan.ts';
import { readFigures, sampleText } from './figures.ts';
import { allMatching } from './list-queries.ts';
import { sampleDomains } from './sample-queries.ts';
import { countFound, matchingByTrigrams } from './search-queries.ts';
import { isAmong, matches, matchesAlone, type Sought } from './sought.ts';

/** All contacts of an audience, as a set or as a condition. */

async function planWhole(tx: TenantTx, sought: Sought): Promise<WholePlan> {
  const known = await readFigures(tx, sought);
  for (;;) {
    const next = chooseWhole(sought.leads, known);
    if (next.kind !== 'measure') return next;
    await sampleText({ tx, sought, known });
  }
}

/** Every matching contact, exactly, as a fragment of (id, domain, local). */
export async function findAll(tx: TenantTx, sought: Sought): Promise<Fragment> {
  return allBy(await planWhole(tx, sought), sought);
}

/** The same, in the way that a plan says. */
export const allBy = ({ kind }: Pick<WholePlan, 'kind'>, sought: Sought): Fragment =>
  kind === 'trigrams' ? matchingByTrigrams(sought) : allMatching(sought);

/** The exact number of matching contacts. */
export async function countAll(tx: TenantTx, sought: Sought): Promise<number> {
  const plan = await planWhole(tx, sought);
  return plan.kind === 'rollup' ? plan.total : countFound(tx, allBy(plan, sought));
}

/** The same where at most so many rows are read for it. Null where it takes more. */
export async function countFew(tx: TenantTx, sought: Sought, most: number): Promise<number | null> {
  const { reach } = await readFigures(tx, sought);
  return isCounted(sought.leads) || reach <= most ? countAll(tx, sought) : null;
}

/**
 * Whether the figures of very many domains help to count: where they alone say how many contacts
 * there are, or lead to few. A sample says about how many contacts the domains have.
 */
export async function areDomainsWorth(tx: TenantTx, brief: Sought): Promise<boolean> {
  const { workspaceId, unreadDomains, range, lists, conjuncts } = brief;
  if (unreadDomains === null || range === null) return false;
  if (conjuncts.others.length === 1 && conjuncts.ranges.length === 0 && lists === null) return true;
  return (await sampleDomains(tx, workspaceId, range, unreadDomains)) <= fewInDomains;
}

/**
 * All contacts as a condition on `c`, for a query that reads contacts with
 * `contactsWithSuppression`.
 */
export async function conditionFor(tx: TenantTx, sought: Sought): Promise<Fragment> {
  const plan = await planWhole(tx, sought);
  return plan.kind === 'trigrams' ? isAmong(sought.workspaceId, allBy(plan, sought)) : matches(sought);
}

/** The same as a condition on `c` alone. */
export async function plainConditionFor(tx: TenantTx, sought: Sought): Promise<Fragment> {
  const { status, term } = sought.leads;
  if (status === null && term === null) return matchesAlone(sought);
  const plan = await planWhole(tx, sought);
  const isFound = status !== null || plan.kind === 'trigrams';
  return isFound ? isAmong(sought.workspaceId, allBy(plan, sought)) : matchesAlone(sought);
}
