import { everybody, type Leaf, type Node, type Tree } from '#features/audience/rules/tree.ts';
import { type AudiencePart, type CampaignPart, campaignOf } from '../contract/audience-part.ts';
import type { CampaignAudience } from '../contract.ts';

/** The tree of a filter of the database. */
export type FilterTree = (filter: Readonly<Record<string, unknown>>) => Tree;

/** Whom an audience means, as a tree. Nothing included means everybody. */
export function treeOfAudience(
  { include, exclude, leaveOutVerdicts = [] }: CampaignAudience,
  treeOfFilter: FilterTree,
): Tree {
  const all: Node[] = [];
  if (include.length > 0) all.push({ any: nodesOf(include, treeOfFilter) });
  if (exclude.length > 0) all.push({ none: nodesOf(exclude, treeOfFilter) });
  const left = leaveOutVerdicts.map((value) => ({ condition: 'verdict', value }));
  if (left.length > 0) all.push({ none: left });
  return all.length === 0 ? everybody : { version: 1, all };
}

function nodesOf(parts: readonly AudiencePart[], treeOfFilter: FilterTree): Node[] {
  const lists = parts.flatMap((part) => ('list' in part ? [part.list] : []));
  const tags = parts.flatMap((part) => ('tag' in part ? [part.tag] : []));
  return [
    ...(lists.length > 0 ? [{ condition: 'list', value: lists }] : []),
    ...(tags.length > 0 ? [{ condition: 'tag', value: tags }] : []),
    ...parts.flatMap((part) => {
      const campaign = campaignOf(part);
      return campaign ? [nodeOf(campaign.did, campaign.id)] : [];
    }),
    ...parts.flatMap((part) => ('filter' in part ? [groupOfTree(treeOfFilter(part.filter))] : [])),
  ];
}

const nodeOf = (did: CampaignPart, id: number): Node =>
  did === 'notOpened'
    ? {
        all: [
          { condition: 'sentCampaign', value: [id] },
          { none: [{ condition: 'openedCampaign', value: [id] }] },
        ],
      }
    : { condition: `${did}Campaign`, value: [id] };

function groupOfTree({ version: _version, ...group }: Tree): Node {
  return group as Node;
}

/**
 * The lists without one of which nobody is in the audience. Null: there is another way into it.
 */
export function neededLists(node: Tree | Node): number[] | null {
  if ('condition' in node) return node.condition === 'list' ? (node.value as number[]) : null;
  if ('none' in node) return null;
  const each = ('all' in node ? node.all : node.any).map(neededLists);
  if ('all' in node) return each.find((lists) => lists !== null) ?? null;
  return each.every((lists) => lists !== null) ? each.flat() : null;
}

/** Those of an audience who fulfil these conditions too. */
export const and = (tree: Tree, ...leaves: Leaf[]): Tree => ({
  version: 1,
  all: 'all' in tree ? [...tree.all, ...leaves] : [tree as never, ...leaves],
});
