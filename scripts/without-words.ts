import type { Plugin } from 'vite';

/*
 * The contracts say in English what each call and each field is for. Only the API document needs
 * that. It was 10 of the 250 kB that the first page may load, so the web build leaves it out.
 */

/** A node of a parsed file, as far as this needs one. */
interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

interface Cut {
  start: number;
  end: number;
  put: string;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const nameOf = (node: unknown): string | null => {
  const { type, name } = (node ?? {}) as { type?: string; name?: string };
  return type === 'Identifier' ? (name ?? null) : null;
};

/** Fields of `endpoint({…})` that hold such words. */
const saying = ['summary', 'limits'];

/** `schema.describe('…')` becomes `schema`, and `summary: '…'` becomes empty. */
function cutOf(node: Node): Cut | null {
  if (node.type === 'CallExpression') {
    const callee = node.callee as Node;
    const isDescription = callee.type === 'MemberExpression' && nameOf(callee.property) === 'describe';
    return isDescription ? { start: (callee.object as Node).end, end: node.end, put: '' } : null;
  }
  if (node.type !== 'Property' || !saying.includes(nameOf(node.key) ?? '')) return null;
  const value = node.value as Node;
  const isText = ['Literal', 'TemplateLiteral', 'BinaryExpression'].includes(value.type);
  return isText ? { start: value.start, end: value.end, put: "''" } : null;
}

/** All of them. None is within another, because what is cut is not looked into. */
function cutsIn(node: Node, cuts: Cut[] = []): Cut[] {
  const cut = cutOf(node);
  const { callee } = node as { callee?: Node };
  const further = cut ? [callee?.object] : Object.values(node).flat();
  for (const child of further) if (isNode(child)) cutsIn(child, cuts);
  if (cut) cuts.push(cut);
  return cuts;
}

/** The file without these parts, the last first. */
function without(code: string, cuts: readonly Cut[]): string {
  let left = code;
  for (const { start, end, put } of cuts.toSorted((one, other) => other.start - one.start))
    left = left.slice(0, start) + put + left.slice(end);
  return left;
}

/** Leaves what contracts say for the API document out of the web build. */
export const withoutWords: Plugin = {
  name: 'without-words',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /\/src\/features\/[a-z-]+\/contract(\.ts|\/)/ },
    handler(code) {
      const cuts = cutsIn(this.parse(code) as unknown as Node);
      return cuts.length === 0 ? null : { code: without(code, cuts), map: null };
    },
  },
};
