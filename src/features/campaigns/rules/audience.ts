import { everybody, type Leaf, type Node, type Tree } from '#features/audience/rules/tree.ts';
import { type AudiencePart, type CampaignPart, campaignOf } from '../contract/audience-part.ts';
import type { CampaignAudience } from '../contract.ts';

/** The tree of a filter of the database. */
export type FilterTree = (filter: Readonly<Record<string, unknown>>) => Tree;

/** Lists of which everybody in a campaign was on one, and those of them that are there still. */
export interface NeededLists {
  lists: number[];
  kept: number[];
}
/** What each campaign that an audience follows up needed, by its id. Most need one such set. */
export type NeededByCampaign = ReadonlyMap<number, readonly NeededLists[]>;

/**
 * Whom an audience means, as a tree. Nothing included means everybody. `needed`: the lists of the
 * campaigns that the audience follows up. Readers who have left them since are not meant.
 */
export function treeOfAudience(
  { include, exclude, leaveOutVerdicts = [] }: CampaignAudience,
  treeOfFilter: FilterTree,
  needed: NeededByCampaign = new Map(),
): Tree {
  const all: Node[] = [];
  if (include.length > 0) all.push({ any: nodesOf(include, treeOfFilter, needed) });
  if (exclude.length > 0) all.push({ none: nodesOf(exclude, treeOfFilter) });
  const left = leaveOutVerdicts.map((value) => ({ condition: 'verdict', value }));
  if (left.length > 0) all.push({ none: left });
  return all.length === 0 ? everybody : { version: 1, all };
}

function nodesOf(
  parts: readonly AudiencePart[],
  treeOfFilter: FilterTree,
  needed: NeededByCampaign = new Map(),
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
      const of = needed.get(campaign.id) ?? [];
      return [{ all: of.length > 0 ? [...did, hasNotLeft(of)] : did }];
    }),
    ...parts.flatMap((part) => ('filter' in part ? [groupOfTree(treeOfFilter(part.filter))] : [])),
  ];
}

const nodesDoing = (did: CampaignPart, id: number): Node[] =>
  did === 'notOpened'
    ? [{ condition: 'sentCampaign', value: [id] }, { none: [{ condition: 'openedCampaign', value: [id] }] }]
    : [{ condition: `${did}Campaign`, value: [id] }];

/** Of each set: has left none of its lists, or is on another one of them still. */
function hasNotLeft(needed: readonly NeededLists[]): Node {
  return {
    none: needed.map(({ lists, kept }) => {
      const left: Leaf = { condition: 'leftList', value: lists };
      return kept.length > 0 ? { all: [left, { none: [{ condition: 'list', value: kept }] }] } : left;
    }),
  };
}

function groupOfTree({ version: _version, ...group }: Tree): Node {
  return group as Node;
}

/** Alternatives multiply what they need. Of more sets than this some are left out. */
const mostNeeded = 100;

/**
 * Sets of lists: nobody is in the audience without being on one list of each set, or was in that of
 * the campaign that it follows up. None: there is another way into it.
 */
export function neededLists(node: Tree | Node, needed: NeededByCampaign = new Map()): number[][] {
  if ('condition' in node) {
    if (node.condition === 'list') return [node.value as number[]];
    const campaign = /^(sent|opened|clicked)Campaign$/.test(node.condition) && (node.value as number[])[0];
    return (campaign && needed.get(campaign)?.map(({ lists }) => lists)) || [];
  }
  if ('none' in node) return [];
  const each = ('all' in node ? node.all : node.any).map((one) => neededLists(one, needed));
  return 'all' in node ? each.flat() : each.length === 0 ? [] : each.reduce(neededByEither);
}

/** Who is in one of two audiences is on a list of each two of their sets together. */
function neededByEither(one: number[][], other: number[][]): number[][] {
  const others = one.length * other.length > mostNeeded ? other.slice(0, 1) : other;
  return one.flatMap((lists) => others.map((more) => [...new Set([...lists, ...more])]));
}

/** Those of an audience who fulfil these conditions too. */
export const and = (tree: Tree, ...leaves: Leaf[]): Tree => ({
  version: 1,
  all: 'all' in tree ? [...tree.all, ...leaves] : [tree as never, ...leaves],
});
