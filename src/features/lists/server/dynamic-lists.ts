import { groupOf, type Node, type Tree } from '#features/audience/rules/tree.ts';
import type { Segments } from '#features/segments/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { JobDefinition, Jobs } from '#platform/server/jobs.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { List } from '../contract.ts';
import type { ListRow } from './queries.ts';
import { noteCount, selectRules } from './queries.ts';

/*
 * A dynamic list keeps rules and no members. Whoever asks for it asks for whom the rules mean at
 * that moment. Only its count is kept, with its age: a job counts it anew when somebody looks at it
 * and the count is old.
 */

/** What the calls of lists need for those that fill themselves. */
export interface DynamicLists {
  segments: Segments;
  /** Has a list counted in the background, once the transaction commits. */
  countSoon(tx: TenantTx, workspaceId: number, listId: number): Promise<void>;
  /**
   * Has those counted whose count is old. Nobody waits for it, and a full disk, which refuses the
   * job, does not keep anybody from reading the lists.
   */
  countOldOnes(workspaceId: number, lists: readonly Pick<ListRow, 'id' | 'isDynamic' | 'countedAt'>[]): void;
}

const countJob = 'lists.count';
/** Minutes after which a count is made anew when somebody looks at the list. */
const oldAfter = 10;
/** The counts that one look at all lists may ask for. The next look asks for further ones. */
const mostAtOnce = 50;

export const dynamicLists = (
  segments: Segments,
  jobs: () => Jobs | undefined,
  onFailure: (error: unknown) => void,
): DynamicLists => ({
  segments,
  countSoon: async (tx, workspaceId, listId) => jobs()?.send(countJob, { workspaceId, listId }, { tx }),
  countOldOnes(workspaceId, lists) {
    const since = Date.now() - oldAfter * 60_000;
    const old = lists.filter(
      ({ isDynamic, countedAt }) => isDynamic && (countedAt === null || countedAt.getTime() < since),
    );
    for (const { id: listId } of old.slice(0, mostAtOnce))
      void jobs()?.send(countJob, { workspaceId, listId }).catch(onFailure);
  },
});

/** The list with whom its rules mean, or why they cannot be read any more. */
export async function described(
  { segments }: DynamicLists,
  tx: TenantTx,
  workspaceId: number,
  list: List,
): Promise<List & { words: string | null; problem: string | null }> {
  const rules = list.segmentRules;
  if (rules === null) return { ...list, words: null, problem: null };
  const problem = await segments.problem(tx, workspaceId, rules);
  const words = problem === null ? await segments.words(tx, workspaceId, rules) : null;
  return { ...list, words, problem };
}

/** Counts a list. One whose rules cannot be read any more keeps the count it had. */
export const countList = (db: Database, segments: Segments): JobDefinition => ({
  name: countJob,
  async handler({ workspaceId, listId }) {
    const id = Number(listId);
    await db.asTenant(Number(workspaceId), async (tx) => {
      const [list] = await selectRules(tx, Number(workspaceId), [id]);
      if (!list || (await segments.problem(tx, Number(workspaceId), list.segmentRules)) !== null) return;
      const contacts = await segments.count(tx, Number(workspaceId), list.segmentRules);
      await noteCount(tx, Number(workspaceId), list, contacts);
    });
  },
});

/**
 * What the lists with these numbers stand for, when some of them fill themselves. Null when none
 * does. Throws a sentence when rules cannot be read any more.
 */
export async function meantBy(
  segments: Segments,
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<Tree | null> {
  const dynamic = await selectRules(tx, workspaceId, ids);
  if (dynamic.length === 0) return null;
  const others = ids.filter((id) => !dynamic.some((list) => list.id === id));
  const nodes: Node[] = others.length > 0 ? [{ condition: 'list', value: others }] : [];
  for (const { name, segmentRules } of dynamic) {
    const tree = await treeOf(name, () => segments.tree(tx, workspaceId, segmentRules));
    const root = groupOf(tree);
    nodes.push({ [root?.kind ?? 'all']: root?.nodes ?? [] } as Node);
  }
  return { version: 1, any: nodes };
}

async function treeOf(name: string, read: () => Promise<Tree>): Promise<Tree> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError && error.kind === 'invalid_input')) throw error;
    throw new AppError(
      'invalid_input',
      `The rules of the list “${name}” cannot be read any more. ${error.message}`,
    );
  }
}
