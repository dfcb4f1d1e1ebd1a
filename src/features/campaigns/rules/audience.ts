import { everybody, type Leaf, type Node, type Tree } from '#features/audience/rules/tree.ts';
import type { AudiencePart, CampaignAudience } from '../contract.ts';

/** Whom an audience means, as a tree. Nothing included means everybody. */
export function treeOfAudience({ include, exclude, leaveOutVerdicts = [] }: CampaignAudience): Tree {
  const all: Node[] = [];
  if (include.length > 0) all.push({ any: nodesOf(include) });
  if (exclude.length > 0) all.push({ none: nodesOf(exclude) });
  const left = leaveOutVerdicts.map((value) => ({ condition: 'verdict', value }));
  if (left.length > 0) all.push({ none: left });
  return all.length === 0 ? everybody : { version: 1, all };
}

function nodesOf(parts: readonly AudiencePart[]): Node[] {
  const lists = parts.flatMap((part) => ('list' in part ? [part.list] : []));
  const tags = parts.flatMap((part) => ('tag' in part ? [part.tag] : []));
  return [
    ...(lists.length > 0 ? [{ condition: 'list', value: lists }] : []),
    ...(tags.length > 0 ? [{ condition: 'tag', value: tags }] : []),
  ];
}

/** Those of an audience who fulfil these conditions too. */
export const and = (tree: Tree, ...leaves: Leaf[]): Tree => ({
  version: 1,
  all: 'all' in tree ? [...tree.all, ...leaves] : [tree as never, ...leaves],
});
