import { sql } from 'kysely';
import { z } from 'zod';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { AddedFilters } from '#platform/shared/added-filter.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { ContactSelection } from '../contract.ts';
import { expandTree } from '../rules/expand.ts';
import { type AudienceRecord, recordOf, selectionOf, treeOfSelection } from '../rules/flat-filter.ts';
import { isRankedSort, type PageRequest, type PlaceInOrder } from '../rules/plan.ts';
import {
  type Node,
  type ReadTree,
  readExpandedTree,
  readTree,
  type Tree,
  treeInWords,
} from '../rules/tree.ts';
import { type AsOf, asOfInput, selectAsOf, wasThere } from './as-of.ts';
import { type AnyCondition, type Conditions, gatherConditions } from './condition.ts';
import { ownConditions } from './own-conditions.ts';
import { type FoundPage, findPage } from './pages.ts';
import { rankingFor, selectListOf } from './ranked-queries.ts';
import { expansionIn, idsOf, matchesAlone, seek, testsOf } from './sought.ts';
import { areDomainsWorth, conditionFor, countAll, countFew, findAll, plainConditionFor } from './whole.ts';

/** Who is meant, as a tree of the product's conditions, and the contacts it selects. */
export interface Audience {
  /** The filters that features add. The calls that take the filter are made with them. */
  filters: AddedFilters;
  /** The tree of a call's selection. Throws `invalid_input` for an unknown condition. */
  of(selection: ContactSelection): Tree;
  /**
   * A tree that was stored for later, read strictly: one unknown condition makes it all invalid.
   */
  stored: z.ZodType<Tree>;
  /** The selection with the same meaning. Null when a call cannot express the tree. */
  selection(tree: Tree): ContactSelection | null;
  /** What the audit log keeps of it. */
  record(tree: Tree): AudienceRecord;
  /** Who is meant, in words. */
  words(tree: Tree): string;
  /** How many contacts there are, exactly. */
  count(tx: TenantTx, workspaceId: number, tree: Tree): Promise<number>;
  /** The same where no more than `most` have to be looked at for it. Null where more do. */
  countWithin(tx: TenantTx, workspaceId: number, tree: Tree, most: number): Promise<number | null>;
  /**
   * Each of these nodes as a condition on the contact `c`, for a query that reads
   * `contactsWithSuppression` and asks all of them of each. `isFew`: of some thousands.
   */
  tests(
    tx: TenantTx,
    workspaceId: number,
    nodes: readonly Node[],
    options: { isFew: boolean },
  ): Promise<Fragment[]>;
  /** One page of the contacts. With `after`, only those after this place in the requested order. */
  page(
    tx: TenantTx,
    workspaceId: number,
    tree: Tree,
    page: PageRequest & { after?: PlaceInOrder | null },
  ): Promise<FoundPage>;
  /** Where a contact stands in an order. */
  placeOf(
    tx: TenantTx,
    workspaceId: number,
    contact: { id: number; domain: string; local: string },
    order: Pick<PageRequest, 'sort' | 'order'>,
  ): Promise<PlaceInOrder>;
  /** What the tree stands for, with their rules in the place of lists that fill themselves. */
  expanded(tx: TenantTx, workspaceId: number, tree: Tree): Promise<Tree>;
  /** Their ids as a fragment, for features that act on them as a set. */
  ids(tx: TenantTx, workspaceId: number, tree: Tree): Promise<Fragment>;
  /** True for the contacts `c` that are meant. For features that read them one by one. */
  condition(tx: TenantTx, workspaceId: number, tree: Tree): Promise<Fragment>;
  /**
   * Who is there now, and what the tree stands for now. Work that waits for its turn keeps it
   * (`asOf`), so that it reaches nobody who came after somebody confirmed it, and nobody else when
   * a list's rules are changed meanwhile.
   */
  now(tx: TenantTx, workspaceId: number, tree: Tree): Promise<AsOf>;
  /** What is kept of it. */
  asOf: z.ZodType<AsOf>;
  /**
   * The same for work that walks all contacts by id, piece by piece. With `asOf`, of those who were
   * there at that moment, by what the tree stood for then. Each piece asks for it anew, right
   * before it reads: it names what verdicts there are, and a verification adds others meanwhile.
   */
  conditionForWalk(tx: TenantTx, workspaceId: number, tree: Tree, asOf?: AsOf): Promise<Fragment>;
  /**
   * The same for a query that reads them with `contactsWithSuppression`. It contains no array,
   * because COPY has no literal for one.
   */
  conditionForCopy(tx: TenantTx, workspaceId: number, tree: Tree): Promise<Fragment>;
}

/** The audience with its own conditions and the contributed ones. */
export function audienceOf(contributed: readonly AnyCondition[]): Audience {
  const conditions = gatherConditions([...ownConditions, ...contributed]);
  return openAudience(() => conditions);
}

/** The audience with whatever `conditions` returns at each call. */
export function openAudience(conditions: () => Conditions, filters: AddedFilters = {}): Audience {
  const sought = (tx: TenantTx, workspaceId: number, tree: Tree) => seek(tx, workspaceId, tree, conditions());
  const readBy = (read: (given: unknown, known: Conditions) => ReadTree): z.ZodType<Tree> =>
    z.unknown().transform((given, context) => {
      const { tree, problem } = read(given, conditions());
      if (tree) return tree;
      context.addIssue({ code: 'custom', message: problem });
      return z.NEVER;
    });
  const expanded: Audience['expanded'] = (tx, workspaceId, tree) =>
    expandTree(tree, expansionIn(tx, workspaceId, conditions()));
  return {
    filters,
    of(selection) {
      const { tree, problem } = readTree(treeOfSelection(selection, filters), conditions());
      if (!tree) throw new AppError('invalid_input', problem);
      return tree;
    },
    stored: readBy(readTree),
    selection: (tree) => selectionOf(tree, filters),
    record: (tree) => recordOf(tree, conditions(), filters),
    words: (tree) => treeInWords(tree, conditions()),
    count: async (tx, workspaceId, tree) => countAll(tx, await sought(tx, workspaceId, tree)),
    async countWithin(tx, workspaceId, tree, most) {
      const brief = await seek(tx, workspaceId, tree, conditions(), 'few');
      const isWorth = await areDomainsWorth(tx, brief);
      return countFew(tx, isWorth ? await sought(tx, workspaceId, tree) : brief, most);
    },
    async tests(tx, workspaceId, nodes, { isFew }) {
      if (nodes.length === 0) return [];
      // In one tree, so that what the database knows is read once for all of them. A test of each
      // contact alone needs no figures of domains.
      const tree: Tree = { version: 1, any: [...nodes] };
      const found = await seek(tx, workspaceId, tree, conditions(), 'none');
      return testsOf({ ...found, isPage: isFew });
    },
    async page(tx, workspaceId, tree, { after = null, ...page }) {
      const { sort, order } = page;
      const ranking = isRankedSort(sort)
        ? await rankingFor(tx, workspaceId, conditions(), { sort, order })
        : null;
      const figures = sort === 'address' ? 'all' : 'few';
      const found = await seek(tx, workspaceId, tree, conditions(), figures);
      return findPage(tx, { ...found, ranking, after }, page);
    },
    async placeOf(tx, workspaceId, contact, { sort, order }) {
      const { id, domain, local } = contact;
      if (sort === 'createdAt') return { sort, order, id };
      if (sort === 'address') return { sort, order, id, domain, local };
      const { index } = await rankingFor(tx, workspaceId, conditions(), { sort, order });
      return { sort, order, id, list: await selectListOf(tx, workspaceId, index, id) };
    },
    expanded,
    ids: async (tx, workspaceId, tree) => idsOf(await findAll(tx, await sought(tx, workspaceId, tree))),
    condition: async (tx, workspaceId, tree) => plainConditionFor(tx, await sought(tx, workspaceId, tree)),
    async now(tx, workspaceId, tree) {
      const meant = await expanded(tx, workspaceId, tree);
      const isItself = JSON.stringify(meant) === JSON.stringify(tree);
      return { ...(await selectAsOf(tx, workspaceId)), ...(isItself ? {} : { meant }) };
    },
    asOf: asOfInput(readBy(readExpandedTree)),
    async conditionForWalk(tx, workspaceId, tree, asOf) {
      const meant = asOf?.meant ?? tree;
      const matches = matchesAlone(await seek(tx, workspaceId, meant, conditions(), 'none'));
      return asOf ? sql`(${wasThere(asOf)} and (${matches}))` : matches;
    },
    conditionForCopy: async (tx, workspaceId, tree) => conditionFor(tx, await sought(tx, workspaceId, tree)),
  };
}
