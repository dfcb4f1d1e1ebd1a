import { AppError } from '#platform/shared/errors.ts';
import { type HtmlNode, parsed } from '../html/parsed.ts';
import { shelter } from '../html/shelter.ts';
import { unquoted } from '../liquid/quoted.ts';
import { type FieldLabels, fieldWords } from './field-words.ts';
import type { Block } from './places.ts';

export { type BlockType, blockNames } from './block-names.ts';
export type { FieldLabels } from './field-words.ts';

/** A piece of Liquid as people read it: `First name or “there”`, `if city == "York"`. */
export function liquidWords(liquid: string, labels: FieldLabels): string {
  const inside = liquid.replace(/^\{[{%]-?\s*|\s*-?[%}]\}$/g, '');
  const field = /^([\w.]+)\s*(?:\|\s*default:\s*("[^"]*"|'[^']*')\s*)?$/.exec(inside);
  if (!liquid.startsWith('{{') || !field?.[1]) return inside;
  const name = fieldWords(field[1], labels);
  return field[2] === undefined ? name : `${name} or “${unquoted(field[2])}”`;
}

const longestSummary = 60;

/** What a block says, in a few words; empty where it says nothing. */
export function summaryOf(block: Block, labels: FieldLabels): string {
  const text = withWords(wordsIn(block), labels).replace(/\s+/g, ' ').trim();
  return text.length > longestSummary ? `${text.slice(0, longestSummary - 1).trimEnd()}…` : text;
}

/** A text with its Liquid as words. */
export function withWords(text: string, labels: FieldLabels): string {
  return text.replace(/\{\{.*?\}\}|\{%.*?%\}/gs, (liquid) => liquidWords(liquid, labels));
}

function wordsIn(block: Block): string {
  switch (block.type) {
    case 'text':
    case 'heading':
    case 'html':
      return textOf(block.html);
    case 'image':
    case 'logo':
      return block.alt;
    case 'button':
      return block.label;
    case 'product':
      return block.name;
    case 'social':
      return block.links.map(({ network }) => network).join(', ');
    case 'menu':
      return block.links.map(({ label }) => label).join(', ');
    case 'spacer':
      return `${block.height} px`;
    case 'columns':
      return String(block.columns.length);
    case 'divider':
    case 'footer':
      return '';
  }
}

function textOf(html: string): string {
  const liquid = shelter(html);
  try {
    return liquid.restored(parsed(liquid.source).map(textIn).join(''));
  } catch (error) {
    // Such a block cannot be saved, and the editor says why when it draws it.
    if (error instanceof AppError) return '';
    throw error;
  }
}

function textIn(node: HtmlNode): string {
  if (node.type === 'text') return node.data;
  if (!('children' in node) || node.type === 'style' || node.type === 'script') return '';
  const inside = node.children.map(textIn).join('');
  return 'name' in node && /^(p|li|div|br|h\d|td)$/.test(node.name) ? `${inside} ` : inside;
}
