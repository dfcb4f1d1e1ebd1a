import { everybody, type Leaf, type Node, type Tree } from '#features/audience/rules/tree.ts';
import { type AudiencePart, type CampaignPart, campaignOf } from '../contract/audience-part.ts';
import type { CampaignAudience } from '../contract.ts';

/** The tree of a filter of the database. */
export type FilterTree = (filter: Readonly<Record<string, unknown>>) => Tree;

/** The lists of which a campaign went to somebody, and those of them that are there still. */
export interface ListsOfCampaign {
  lists: number[];
  kept: number[];
}

/**
 * Whom an audience means, as a tree. Nothing included means everybody. `listsOf`: those of the
 * campaigns that the audience follows up. Readers who have left them since are not meant.
 */
export function treeOfAudience(
  { include, exclude, leaveOutVerdicts = [] }: CampaignAudience,
  treeOfFilter: FilterTree,
  listsOf: ReadonlyMap<number, ListsOfCampaign> = new Map(),
): Tree {
  const all: Node[] = [];
  if (include.length > 0) all.push({ any: nodesOf(include, treeOfFilter, listsOf) });
  if (exclude.length > 0) all.push({ none: nodesOf(exclude, treeOfFilter) });
  const left = leaveOutVerdicts.map((value) => ({ condition: 'verdict', value }));
  if (left.length > 0) all.push({ none: left });
  return all.length === 0 ? everybody : { version: 1, all };
}

function nodesOf(
  parts: readonly AudiencePart[],
  treeOfFilter: FilterTree,
  listsOf: ReadonlyMap<number, ListsOfCampaign> = new Map(),
): Node[] {
  const lists = parts.flatMap((part) => ('list' in part ? [part.list] : []));
  const tags = parts.flatMap((part) => ('tag' in part ? [part.tag] : []));
  return [
    ...(lists.length > 0 ? [{ condition: 'list', value: lists }] : []),
    ...(tags.length > 0 ? [{ condition: 'tag', value: tags }] : []),
    ...parts.flatMap((part) => {
      const campaign = campaignOf(part);
      if (!campaign) return [];
      const did = nodesDoing(campaign.did, campaign.id);
      const of = listsOf.get(campaign.id);
      return [{ all: of ? [...did, hasNotLeft(of)] : did }];
    }),
    ...parts.flatMap((part) => ('filter' in part ? [groupOfTree(treeOfFilter(part.filter))] : [])),
  ];
}

const nodesDoing = (did: CampaignPart, id: number): Node[] =>
  did === 'notOpened'
    ? [{ condition: 'sentCampaign', value: [id] }, { none: [{ condition: 'openedCampaign', value: [id] }] }]
    : [{ condition: `${did}Campaign`, value: [id] }];

/** Has left none of these lists, or is on another one of them still. */
function hasNotLeft({ lists, kept }: ListsOfCampaign): Node {
  const left: Leaf = { condition: 'leftList', value: lists };
  const isOnNone: Node = { none: [{ condition: 'list', value: kept }] };
  return { none: kept.length > 0 ? [{ all: [left, isOnNone] }] : [left] };
}

function groupOfTree({ version: _version, ...group }: Tree): Node {
  return group as Node;
}

/**
 * The lists without one of which nobody is in the audience, or was in that of the campaign that it
 * follows up. Null: there is another way into it.
 */
export function neededLists(
  node: Tree | Node,
  listsOf: ReadonlyMap<number, ListsOfCampaign> = new Map(),
): number[] | null {
  if ('condition' in node) {
    if (node.condition === 'list') return node.value as number[];
    const campaign = /^(sent|opened|clicked)Campaign$/.test(node.condition) && (node.value as number[])[0];
    return (campaign && listsOf.get(campaign)?.lists) || null;
  }
  if ('none' in node) return null;
  const each = ('all' in node ? node.all : node.any).map((one) => neededLists(one, listsOf));
  if ('all' in node) return each.find((lists) => lists !== null) ?? null;
  return each.every((lists) => lists !== null) ? each.flat() : null;
}

/** Those of an audience who fulfil these conditions too. */
export const and = (tree: Tree, ...leaves: Leaf[]): Tree => ({
  version: 1,
  all: 'all' in tree ? [...tree.all, ...leaves] : [tree as never, ...leaves],
});
