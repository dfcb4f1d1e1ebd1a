import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** Elements that stand within a sentence. */
const inline = new Set([
  'a',
  'b',
  'strong',
  'em',
  'i',
  'code',
  'span',
  'time',
  'Link',
  'TextLink',
  'TextButton',
  'AwayLink',
  'Mono',
  'DateText',
]);

/** The side of a node on which the text stands. */
type Side = 'start' | 'end';

const hasSpace = (text: string, side: Side) => (side === 'start' ? /^\s/ : /\s$/).test(text);

/** Whether a node begins or ends with a word that belongs to the sentence beside it. */
function isWord(node: ts.Node | undefined, side: Side): boolean {
  if (!node || node.kind === ts.SyntaxKind.NullKeyword) return false;
  if (ts.isJsxText(node)) return !hasSpace(node.text, side);
  if (ts.isStringLiteralLike(node)) return !hasSpace(node.text, side);
  if (ts.isTemplateExpression(node)) {
    const edge = side === 'start' ? node.head : node.templateSpans.at(-1)?.literal;
    return !hasSpace(edge?.text ?? '', side);
  }
  if (ts.isJsxExpression(node)) return isWord(node.expression, side);
  if (ts.isParenthesizedExpression(node)) return isWord(node.expression, side);
  if (ts.isBinaryExpression(node)) return isWord(node.right, side);
  if (ts.isConditionalExpression(node)) return isWord(node.whenTrue, side) || isWord(node.whenFalse, side);
  if (ts.isJsxFragment(node)) {
    const children = node.children.filter((child) => !(ts.isJsxText(child) && child.text.trim() === ''));
    return isWord(side === 'start' ? children[0] : children.at(-1), side);
  }
  if (ts.isJsxElement(node)) return inline.has(node.openingElement.tagName.getText());
  if (ts.isJsxSelfClosingElement(node)) return inline.has(node.tagName.getText());
  // A list of elements, `{all.map((one) => <li>…</li>)}`.
  const [made] = ts.isCallExpression(node) ? node.arguments : [];
  if (made && ts.isArrowFunction(made)) return isWord(made.body, side);
  return ts.isExpression(node);
}

/**
 * Where a line of text and what follows it are joined without a space. JSX drops a line end, so
 * "they stay" and `{kept}` on the next line become "they stayfor 30 days".
 */
function joined(path: string, text: string): string[] {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
      node.children.forEach((child, index) => {
        if (!ts.isJsxText(child)) return;
        const before = /^\s*\n\s*[\p{L}\p{N}(“]/u.test(child.text) && isWord(node.children[index - 1], 'end');
        const after =
          /[\p{L}\p{N},;:.!?)”]\s*\n\s*$/u.test(child.text) && isWord(node.children[index + 1], 'start');
        if (before || after)
          found.push(`${path}:${tree.getLineAndCharacterOfPosition(after ? child.end : child.pos).line + 1}`);
      });
    }
    ts.forEachChild(node, look);
  };
  look(tree);
  return found;
}

it('finds words that JSX joins', () => {
  const lost = '<p>\n  where they stay\n  {kept}. Yes.\n</p>';
  expect(joined('a.tsx', `const a = ${lost};`)).toEqual(['a.tsx:3']);
  expect(joined('a.tsx', "const a = <p>\n  stay{' '}\n  {kept}.\n</p>;")).toEqual([]);
  expect(joined('a.tsx', 'const a = <p>\n  {count}\n  of them\n</p>;')).toHaveLength(1);
  expect(joined('a.tsx', 'const a = <p>\n  see\n  <TextLink to="/">there</TextLink>\n</p>;')).toHaveLength(1);
  expect(joined('a.tsx', 'const a = <div>\n  text\n  <Card />\n</div>;')).toEqual([]);
});

it('keeps the space between words on every screen', () => {
  const found = globSync('src/**/*.tsx').flatMap((path) => joined(path, readFileSync(path, 'utf8')));
  expect(found).toEqual([]);
});
