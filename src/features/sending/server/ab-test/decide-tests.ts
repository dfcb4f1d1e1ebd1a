import type { Database, TenantTx } from '#platform/server/database.ts';
import { each, eachWorkspace } from '#platform/server/each-workspace.ts';
import type { Log } from '#platform/server/logging.ts';
import { AppError } from '#platform/shared/errors.ts';
import { chancesToBeBest } from '../../rules/chances.ts';
import { keptActs } from './kept-figures.ts';
import {
  countActs,
  type DecideBy,
  decide,
  hasUntried,
  selectDueTests,
  selectTest,
  selectVariants,
  selectWorkspacesWithDueTests,
  type TestRow,
  type VariantActs,
  type VariantRow,
} from './test-queries.ts';

/** How a test stands. */
export interface TestStanding extends TestRow {
  /** `chance`: to be the best by what decides, between 0 and 1. By hand, clicks count. */
  variants: (VariantRow & { chance: number })[];
}

/** The test of a mailing, as it was last counted. Null: it has none. */
export async function showTest(
  parts: { db: Database; log: Log },
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  few?: number,
): Promise<TestStanding | null> {
  const test = await selectTest(tx, workspaceId, mailingId);
  if (!test) return null;
  const standing = await selectVariants(tx, workspaceId, mailingId);
  const people = standing.reduce((sum, variant) => sum + variant.people, 0);
  const acts = await keptActs(parts, tx, workspaceId, mailingId, {
    people,
    ...(few === undefined ? {} : { few }),
  });
  const variants = withActs(standing, acts);
  const chances = chancesToBeBest(variants.map((variant) => triedOf(variant, test.decideBy)));
  return {
    ...test,
    variants: variants.map((variant, place) => ({ ...variant, chance: chances[place] ?? 0 })),
  };
}

function withActs(
  variants: readonly Omit<VariantRow, 'opened' | 'clicked'>[],
  acts: readonly VariantActs[],
): VariantRow[] {
  const byNumber = new Map(acts.map((one) => [one.number, one]));
  const none = { opened: 0, clicked: 0 };
  return variants.map((variant) => ({ ...none, ...variant, ...byNumber.get(variant.number) }));
}

const triedOf = ({ sent, opened, clicked }: VariantRow, decideBy: DecideBy) => {
  const did = decideBy === 'opens' ? opened : clicked;
  // A message whose answer was never seen may be opened all the same.
  return { people: Math.max(sent, did), did };
};

/**
 * Gives a variant to the rest, by hand. Throws `conflict` when that was decided before, and
 * `not_found`.
 */
export async function chooseWinner(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  { winner, by }: { winner: number; by: string | null },
): Promise<void> {
  const test = await selectTest(tx, workspaceId, mailingId, { lock: true });
  if (!test) throw new AppError('not_found', 'This campaign has no A/B test.');
  if (test.winner !== null) throw new AppError('conflict', 'Which variant the rest gets was decided before.');
  if (test.dueAt === null)
    throw new AppError('conflict', 'Its recipients are being written down. Try again in a moment.');
  const variants = await selectVariants(tx, workspaceId, mailingId);
  if (!variants.some(({ number }) => number === winner))
    throw new AppError('not_found', 'There is no such variant.');
  await decide(tx, workspaceId, mailingId, { winner, by });
}

/** Decides the tests whose time has come. `onDecided`: messages may leave. */
export async function decideDue(db: Database, log: Log, onDecided: () => void): Promise<void> {
  const failed = 'An A/B test could not be decided';
  const workspaces = () => selectWorkspacesWithDueTests(db.system);
  await eachWorkspace(workspaces, { failed, log }, async (workspaceId) => {
    const due = await db.asTenant(workspaceId, (tx) => selectDueTests(tx, workspaceId));
    const about = (mailingId: number) => ({ workspaceId, mailingId });
    await each(due, { failed, log, about }, async (mailingId) => {
      if (await db.asTenant(workspaceId, (tx) => decideByFigures(tx, workspaceId, mailingId))) onDecided();
    });
  });
}

/** The highest rate wins, and the first of equals. A test of which some have had no try waits. */
async function decideByFigures(tx: TenantTx, workspaceId: number, mailingId: number): Promise<boolean> {
  const test = await selectTest(tx, workspaceId, mailingId, { lock: true });
  if (!test || test.winner !== null) return false;
  const standing = await selectVariants(tx, workspaceId, mailingId);
  if (standing.some(({ underWay }) => underWay > 0)) return false;
  if (await hasUntried(tx, workspaceId, mailingId)) return false;
  const variants = withActs(standing, await countActs(tx, workspaceId, mailingId));
  const rated = variants.map((variant) => {
    const { people, did } = triedOf(variant, test.decideBy);
    return { winner: variant.number, rate: people === 0 ? 0 : did / people };
  });
  const [best] = rated.sort((one, other) => other.rate - one.rate || one.winner - other.winner);
  if (!best) return false;
  await decide(tx, workspaceId, mailingId, { winner: best.winner, by: null });
  return true;
}
