import { AppError } from '#platform/shared/errors.ts';
import { type Group, groupOf, type Leaf, mostExpanded, type Node, type Tree } from './tree.ts';

export interface Expansion {
  /** What a condition stands for. Null when it stands for itself. */
  expand(leaf: Leaf): Promise<Tree | null>;
  /** The condition in words, for a sentence that says what is wrong. */
  words(leaf: Leaf): string;
}

/**
 * The tree without conditions that stand for others. Throws `invalid_input` when one leads back to
 * itself, which would never end.
 */
export async function expandTree(tree: Tree, expansion: Expansion): Promise<Tree> {
  const counted = { nodes: 0 };
  const expanded = async (node: Node, way: readonly string[]): Promise<Node> => {
    counted.nodes += 1;
    if (counted.nodes > mostExpanded)
      throw new AppError('invalid_input', 'These rules ask for so many others that they cannot be followed.');
    const group = groupOf(node);
    if (group) {
      const nodes: Node[] = [];
      for (const one of group.nodes) nodes.push(await expanded(one, way));
      return { [group.kind]: nodes } as Group;
    }
    const leaf = node as Leaf;
    const key = JSON.stringify(leaf);
    if (way.includes(key)) throw roundInCircle(expansion.words(leaf));
    const meant = await expansion.expand(leaf);
    if (meant === null) return leaf;
    return expanded(withoutVersion(meant), [...way, key]);
  };
  return { version: tree.version, ...((await expanded(withoutVersion(tree), [])) as Group) };
}

function withoutVersion({ version: _, ...root }: Tree): Group {
  return root as Group;
}

const roundInCircle = (words: string) =>
  new AppError(
    'invalid_input',
    `These rules go round in a circle: “${words}” leads back to itself. Take one of them out.`,
  );
