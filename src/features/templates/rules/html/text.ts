import { convert, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';
import { escapeHtml } from '../liquid/values.ts';
import { type HtmlNode, parsed } from './parsed.ts';
import type { Attribute } from './reader.ts';
import { shelter } from './shelter.ts';

/** Blank characters that fill up the preheader, and marks that nobody sees. */
const filling = /[\u034f\u00ad\u200b-\u200f\u2060\ufeff\u2007]+/g;

/** Pieces of Liquid with a line to themselves. */
const aloneOnLine = /^[ \t]*(?:\uE000\d+\uE001[ \t]*)+$/gm;

const alternative: FormatCallback = (element, _walk, builder) => {
  const alt = String(element.attribs.alt ?? '').trim();
  if (alt) builder.addInline(alt);
};

const options: HtmlToTextOptions = {
  wordwrap: false,
  formatters: { alternative },
  selectors: [
    {
      selector: 'a',
      options: { linkBrackets: ['(', ')'], hideLinkHrefIfSameAsText: true, ignoreHref: false },
    },
    { selector: 'a[href^="#"]', format: 'anchor', options: { ignoreHref: true } },
    { selector: 'img', format: 'alternative' },
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'hr', options: { length: 20 } },
    // A name that a heading holds must not be written in capitals.
    ...[1, 2, 3, 4, 5, 6].map((level) => ({ selector: `h${level}`, options: { uppercase: false } })),
    { selector: 'title', format: 'skip' },
  ],
};

/**
 * The text part of a mail from its HTML: what a person reads there, in the same order, with the
 * addresses of links. What is hidden is left out, and Liquid stays. Throws `invalid_input` for HTML
 * whose elements stand too deep inside each other.
 */
export function textFromHtml(html: string): string {
  const liquid = shelter(html);
  const text = convert(visible(liquid.source), options);
  return liquid
    .restored(text.replace(/\u00a0/g, ' ').replace(aloneOnLine, liquid.closingUp))
    .replace(filling, '')
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The HTML without the elements that are not shown, and with tables as lines. */
function visible(source: string): string {
  return parsed(source)
    .map((node) => written(node, 0))
    .join('');
}

/** Nobody reads what stands deeper, and each level is a call. */
const deepest = 500;

function written(node: HtmlNode, depth: number, outer = true): string {
  if (node.type === 'text') return outer ? escapeHtml(node.data) : liquidOf(node.data);
  if (!('attribs' in node) || depth > deepest || unread.has(node.name)) return '';
  const own = Object.entries(node.attribs).map(([name, value]) => ({ name, value }));
  if (isHidden(own)) return '';
  const hasLetters = lettersOf(own) ?? outer;
  if (node.name === 'tr') return row(node.children, depth + 1, hasLetters);
  const inside = node.children.map((child) => written(child, depth + 1, hasLetters)).join('');
  if (tableParts.has(node.name)) return `<div>${inside}</div>`;
  const kept = ['href', 'alt', 'start'].filter((name) => name in node.attribs);
  const attributes = kept.map((name) => ` ${name}="${escapeHtml(node.attribs[name] ?? '')}"`).join('');
  return `<${node.name}${attributes}>${inside}${withoutContent.has(node.name) ? '' : `</${node.name}>`}`;
}

/** Conditions also stand between tables whose letters have no size. */
const liquidOf = (text: string): string => text.match(/\uE000\d+\uE001/g)?.join('') ?? '';

const withoutContent = new Set(['br', 'hr', 'img', 'area', 'wbr', 'col', 'meta', 'link', 'input']);
const unread = new Set(['style', 'script', 'title']);
const tableParts = new Set(['table', 'tbody', 'thead', 'tfoot', 'caption', 'td', 'th']);
const block = /<(div|p|h[1-6]|ul|ol|hr|img|blockquote|br|center)\b/;

/** Cells of words stand in one line. Cells that hold more stand below each other. */
function row(children: readonly HtmlNode[], depth: number, outer: boolean): string {
  const cells = children.map((child) => {
    const isCell = 'name' in child && (child.name === 'td' || child.name === 'th') && 'children' in child;
    const own = isCell ? Object.entries(child.attribs).map(([name, value]) => ({ name, value })) : [];
    const hasLetters = lettersOf(own) ?? outer;
    const inside = isCell
      ? child.children.map((node) => written(node, depth, hasLetters)).join('')
      : written(child, depth, hasLetters);
    return { inside, isCell };
  });
  const filled = cells.filter(({ inside }) => inside.trim() !== '');
  const isLine = filled.every(({ inside }) => !block.test(inside));
  if (!isLine) return filled.map(({ inside }) => `<div>${inside}</div>`).join('');
  // Between the cells stands nothing else than Liquid.
  return `<div>${filled
    .map(({ inside, isCell }, index) => (isCell && filled[index - 1]?.isCell ? ` | ${inside}` : inside))
    .join('')}</div>`;
}

export function isHidden(attributes: readonly Pick<Attribute, 'name' | 'value'>[]): boolean {
  if (attributes.some(({ name }) => name === 'hidden')) return true;
  return /(^|;)(display:none|visibility:hidden|max-height:0(px)?(;|!|$)|mso-hide:all|opacity:0(;|!|$))/.test(
    styleOf(attributes),
  );
}

/**
 * Whether letters have a size, where an element says so. MJML gives its tables none, so that
 * nothing stands between them, and each text in them has its own.
 */
export function lettersOf(attributes: readonly Pick<Attribute, 'name' | 'value'>[]): boolean | null {
  const size = [...styleOf(attributes).matchAll(/(?:^|;)font-size:([^;!]*)/g)].at(-1)?.[1];
  return size === undefined ? null : !/^0[a-z%]*$/.test(size);
}

const styleOf = (attributes: readonly Pick<Attribute, 'name' | 'value'>[]): string =>
  attributes
    .find(({ name }) => name === 'style')
    ?.value.replace(/\s/g, '')
    .toLowerCase() ?? '';
