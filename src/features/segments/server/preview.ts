import type { StoredContact } from '#features/contacts/rules.ts';
import { presentContact } from '#features/contacts/rules.ts';
import { selectContacts } from '#features/contacts/server/index.ts';
import { selectCounts } from '#features/rollups/server/index.ts';
import { type Database, sqlState, type TenantTx } from '#platform/server/database.ts';
import type { BodyOf, ResponseOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { mostTested, mostTestedOfMore, type previewSegment } from '../contract.ts';
import { type ReadRules, rulesInWords } from '../rules/words.ts';
import { limitStatements, type Passed, passAll, passSample } from './preview-queries.ts';
import { type Reading, readRules, treeOfRules } from './read-rules.ts';
import { testsOfRules } from './tests-of-rules.ts';

/** Fewer are counted at once, without an estimate before. */
const fewContacts = 20_000;
/** How long somebody waits for an exact figure before an estimate is better. */
const patience = 2000;
/** The same of more than a million. */
const shortPatience = 400;
/** An estimate takes far less. This ends one whose conditions are all slow. */
const longestEstimate = 10_000;
const sampleSize = 10;
/** So many are drawn, to choose from. */
const drawn = 200;

export interface PreviewContext extends Reading {
  db: Database;
}

type Preview = ResponseOf<typeof previewSegment>;

/** What an exact answer is made of, or an estimate. */
interface Found {
  all: number;
  rules: ReadRules;
  passed: Passed;
  isExact: boolean;
}

/** Whom rules mean: figures and a sample. */
export async function preview(
  context: PreviewContext,
  workspaceId: number,
  asked: BodyOf<typeof previewSegment>,
  signal: AbortSignal,
): Promise<Preview> {
  const started = performance.now();
  const first = await estimate(context, workspaceId, asked, signal);
  const isEnough = first.isExact || asked.quick === true;
  const found = isEnough ? first : await exactly(context, workspaceId, asked, first, signal);
  const total = found.isExact ? null : await countedTotal(context, workspaceId, asked, found, signal);
  const sample = await sampleOf(context, workspaceId, asked, found, signal);
  return {
    words: rulesInWords(found.rules),
    all: found.all,
    ...figuresOf(found, total),
    sample: sample.map(presentContact),
    milliseconds: Math.round(performance.now() - started),
  };
}

/** From a sample, or of all contacts where they are few. */
const estimate = (
  context: PreviewContext,
  workspaceId: number,
  { segmentRules, seed = 1 }: BodyOf<typeof previewSegment>,
  signal: AbortSignal,
): Promise<Found> =>
  context.db.asTenant(
    workspaceId,
    async (tx) => {
      await limitStatements(tx, longestEstimate);
      const rules = await readRules(context, tx, workspaceId, segmentRules);
      // Refuses what comes to too many conditions.
      treeOfRules(context.audience, rules);
      const { total: all } = await selectCounts(tx, workspaceId);
      const isExact = all <= fewContacts;
      const tests = await testsOfRules(context.audience, tx, workspaceId, rules, !isExact);
      const draw = { seed, oneIn: 1 };
      const passed = isExact
        ? await passAll(tx, workspaceId, rules, tests, draw)
        : await passSample(tx, { workspaceId, all }, rules, tests, draw);
      return { all, rules, passed, isExact };
    },
    { signal },
  );

/**
 * Counts all contacts, where that takes no longer than somebody waits. Otherwise it answers what
 * was estimated.
 */
async function exactly(
  context: PreviewContext,
  workspaceId: number,
  { segmentRules, seed = 1 }: BodyOf<typeof previewSegment>,
  first: Found,
  signal: AbortSignal,
): Promise<Found> {
  if (first.all > mostTested) return first;
  const oneIn = Math.max(1, Math.floor(scaled(first, first.passed.matching) / drawn));
  const counted = await patiently(context, workspaceId, signal, async (tx) => {
    const rules = await readRules(context, tx, workspaceId, segmentRules);
    const tests = await testsOfRules(context.audience, tx, workspaceId, rules, false);
    return { rules, passed: await passAll(tx, workspaceId, rules, tests, { seed, oneIn }) };
  });
  return counted ? { ...first, ...counted, isExact: true } : first;
}

/** The exact number, where a rollup has it or an index leads to few. Null where neither does. */
async function countedTotal(
  context: PreviewContext,
  workspaceId: number,
  { quick }: BodyOf<typeof previewSegment>,
  { all, rules }: Found,
  signal: AbortSignal,
): Promise<number | null> {
  if (quick || all <= mostTested) return null;
  const tree = treeOfRules(context.audience, rules);
  const counting = (tx: TenantTx) => context.audience.countWithin(tx, workspaceId, tree, mostTestedOfMore);
  return patiently(context, workspaceId, signal, counting, shortPatience);
}

/** Contacts of the sample, in an order that has nothing to do with when they were added. */
async function sampleOf(
  context: PreviewContext,
  workspaceId: number,
  { quick, seed = 1 }: BodyOf<typeof previewSegment>,
  { rules, passed, isExact }: Found,
  signal: AbortSignal,
): Promise<StoredContact[]> {
  const ids = shuffled(passed.ids, seed).slice(0, sampleSize);
  // Those who are too rare for a sample are the first of the list.
  const isRare = !isExact && !quick && ids.length < sampleSize;
  const found = await patiently(context, workspaceId, signal, async (tx) => {
    const rare = isRare ? await firstOf(context, tx, workspaceId, rules) : [];
    return selectContacts(tx, workspaceId, rare.length > ids.length ? rare : ids);
  });
  return found ?? context.db.asTenant(workspaceId, (tx) => selectContacts(tx, workspaceId, ids), { signal });
}

async function firstOf(
  { audience }: PreviewContext,
  tx: TenantTx,
  workspaceId: number,
  rules: ReadRules,
): Promise<number[]> {
  const page = { sort: 'createdAt', order: 'desc', offset: 0, limit: sampleSize } as const;
  try {
    return (await audience.page(tx, workspaceId, treeOfRules(audience, rules), page)).ids;
  } catch (error) {
    // They lie too far apart to be found in the time that anybody would wait.
    if (error instanceof AppError) return [];
    throw error;
  }
}

/** Does what takes long, and gives up in time: null. */
async function patiently<T>(
  { db }: PreviewContext,
  workspaceId: number,
  signal: AbortSignal,
  work: (tx: TenantTx) => Promise<T>,
  longest = patience,
): Promise<T | null> {
  try {
    return await db.asTenant(
      workspaceId,
      async (tx) => {
        await limitStatements(tx, longest);
        return work(tx);
      },
      { signal },
    );
  } catch (error) {
    // query_canceled: the statement took too long.
    if (sqlState(error) === '57014' && !signal.aborted) return null;
    throw error;
  }
}

/** A share of the sample, of all contacts. */
const scaled = ({ all, passed: { tested } }: Found, found: number): number =>
  (found * all) / Math.max(tested, 1);

/** A sample of some thousands is good for two figures: 1,234,567 is about 1,200,000. */
const roughly = (value: number): number => Number(Math.round(value).toPrecision(2));

function figuresOf(found: Found, counted: number | null): Pick<Preview, 'total' | 'statuses' | 'steps'> {
  const { all, passed, isExact } = found;
  const isEstimate = !isExact;
  const told = (count: number) => (isExact ? count : Math.min(roughly(scaled(found, count)), all));
  const total = counted ?? told(passed.matching);
  const share = (count: number) =>
    isExact ? count : Math.min(roughly((total * count) / Math.max(passed.matching, 1)), total);
  const [suppressed, invalid, duplicate] = [passed.suppressed, passed.invalid, passed.duplicate].map(
    share,
  ) as [number, number, number];
  const active = Math.max(total - suppressed - invalid - duplicate, 0);
  return {
    total: { count: total, isEstimate: isEstimate && counted === null },
    statuses: { active, suppressed, invalid, duplicate, isEstimate },
    steps: {
      conditions: passed.conditions.map(told),
      groups: passed.groups.map(({ left, conditions }) => ({
        count: told(left),
        conditions: conditions.map(told),
      })),
      isEstimate,
    },
  };
}

/** In another order for each seed, and in the same for the same. */
function shuffled(ids: readonly number[], seed: number): number[] {
  const rank = (id: number) => Math.imul(Math.imul(id ^ seed, 0x9e3779b1) ^ (id >>> 7), 0x85ebca6b) >>> 0;
  return ids.toSorted((one, other) => rank(one) - rank(other) || one - other);
}
