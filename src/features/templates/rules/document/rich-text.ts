import { cleanHtml } from '../html/clean.ts';
import { type HtmlNode, parsed } from '../html/parsed.ts';
import { type Shelter, shelter } from '../html/shelter.ts';

const inline = new Set([
  'a',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'sub',
  'sup',
  'span',
  'br',
  'p',
  'ul',
  'ol',
  'li',
]);
const raw = new Set([
  ...inline,
  ...'div h1 h2 h3 h4 h5 h6 img hr table thead tbody tfoot tr td th caption blockquote center font small big code pre'.split(
    ' ',
  ),
]);
const withoutEnd = new Set(['br', 'img', 'hr']);
const deepest = 100;

/** Words with bold, links and lists: clean, and each element with its end. */
export function richText(html: string): string {
  return balanced(html, inline);
}

/** The HTML of a block that somebody wrote by hand. It cannot end what stands around it. */
export function rawHtml(html: string): string {
  return balanced(html, raw);
}

function balanced(html: string, allowed: ReadonlySet<string>): string {
  const liquid = shelter(cleanHtml(html).html);
  const nodes = parsed(liquid.source);
  return liquid.restored(nodes.map((node) => written(node, allowed, liquid, 0)).join(''));
}

function written(node: HtmlNode, allowed: ReadonlySet<string>, liquid: Shelter, depth: number): string {
  if (node.type === 'text') return escaped(node.data);
  if (!('attribs' in node) || depth > deepest) return '';
  const inside = node.children.map((child) => written(child, allowed, liquid, depth + 1)).join('');
  if (!allowed.has(node.name)) return inside;
  const attributes = Object.entries(node.attribs)
    .map(([name, value]) => ({ name, value: liquid.restoredInQuotes(escaped(value)) }))
    .filter(({ name, value }) => value !== null && /^[a-z-]+$/.test(name))
    .map(({ name, value }) => ` ${name}="${value}"`)
    .join('');
  return `<${node.name}${attributes}>${withoutEnd.has(node.name) ? '' : `${inside}</${node.name}>`}`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => entities[char] ?? char);
}

/** A value between quotes, with its Liquid. */
export function attribute(value: string): string {
  const liquid = shelter(value);
  return liquid.restoredInQuotes(escaped(liquid.source)) ?? '';
}
