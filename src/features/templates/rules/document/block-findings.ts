import { compileTemplate } from '../compile.ts';
import { findingsIn } from '../html/findings.ts';
import { linkFault } from '../link-address.ts';
import { masked, spansOf } from '../liquid/spans.ts';
import { deletedTagWords, tagField } from '../tag-fields.ts';
import type { Block } from './places.ts';
import type { ColumnsBlock, SingleBlock, TemplateDocument } from './schema.ts';
import { otherScreens, type ShowOn } from './show-on.ts';
import {
  asksForTag,
  comparesNumbers,
  contraryOf,
  liquidAround,
  numberIn,
  type ShowWhen,
  takesValue,
} from './show-when.ts';

/** A merge field or a piece of Liquid that is wrong, in a block or in the preheader. */
export interface BlockFinding {
  words: string;
  /** Null: in the preheader. */
  block: string | null;
  /** The piece of Liquid that it is about, as it is written. Null: it is about something else. */
  liquid: string | null;
  /** A problem keeps the template from being filled. */
  isProblem: boolean;
}

/**
 * What is wrong with a document, block by block: its Liquid, and links that lead nowhere. Blocks
 * are read one by one, so a condition begins and ends in the same block.
 */
export function blockFindings(
  { preheader = '', blocks }: TemplateDocument,
  known: readonly string[],
): BlockFinding[] {
  const singles = allBlocks(blocks);
  return [
    ...liquidFindings(preheader, null, known).map(({ words, ...rest }) => ({
      ...rest,
      words: `In the preheader: ${words}`,
    })),
    ...singles.flatMap((block) => [
      ...fieldFindings(block, known),
      ...emptyLinks(block),
      ...brokenLinks(block),
    ]),
    ...[...blocks.filter(({ type }) => type === 'columns'), ...singles].flatMap((block) =>
      conditionFindings(block, known),
    ),
    ...footersForSome(singles),
  ];
}

/** A condition over a field that nobody has, or with nothing to compare it with. */
function conditionFindings({ id, showWhen }: Block, known: readonly string[]): BlockFinding[] {
  if (!showWhen) return [];
  const finding = (words: string) => ({ words, block: id, liquid: null, isProblem: false });
  if (asksForTag(showWhen)) return known.includes(tagField(showWhen.tag)) ? [] : [finding(deletedTagWords)];
  const { operator, value } = showWhen;
  const isBare = takesValue(operator) && value.trim() === '';
  const isNoNumber = !isBare && comparesNumbers(operator) && numberIn(value) === null;
  const { before, after } = liquidAround(showWhen);
  return [
    ...liquidFindings(before + after, id, known).map((found) => ({ ...found, liquid: null })),
    ...(isBare ? [finding('It is not said with what the field is compared to show this block.')] : []),
    ...(isNoNumber ? [finding(`“${value}” is no number to compare a field with.`)] : []),
  ];
}

/** Footers that leave some contacts or screens without a way to unsubscribe. */
function footersForSome(blocks: readonly SingleBlock[]): BlockFinding[] {
  const footers = blocks.filter(({ type }) => type === 'footer');
  const keyOf = (showWhen: ShowWhen | undefined, showOn: ShowOn | undefined) =>
    JSON.stringify([showWhen && liquidAround(showWhen), showOn]);
  const seen = new Set(footers.map(({ showWhen, showOn }) => keyOf(showWhen, showOn)));
  if (footers.some(({ showWhen, showOn }) => !showWhen && !showOn)) return [];
  return footers.flatMap(({ id, showWhen, showOn }) => {
    const finding = (words: string) => ({ words, block: id, liquid: null, isProblem: false });
    const others = 'The others need one too, to unsubscribe.';
    return [
      ...(showWhen && !seen.has(keyOf(contraryOf(showWhen), showOn))
        ? [finding(`Only some contacts see this footer. ${others}`)]
        : []),
      ...(showOn && !seen.has(keyOf(showWhen, otherScreens[showOn]))
        ? [finding(`Only some screens show this footer. ${others}`)]
        : []),
    ];
  });
}

/** Links that are still to come. The HTML shows none of them, because MJML writes no link then. */
function emptyLinks(block: SingleBlock): BlockFinding[] {
  const finding = (words: string) => ({ words, block: block.id, liquid: null, isProblem: false });
  if (block.type === 'button' && block.href === '')
    return [finding(`The button “${block.label}” leads nowhere: give it a link.`)];
  if (block.type === 'product' && block.href === '' && (block.label || block.src))
    return [finding(`“${block.name}” leads nowhere: give it a link.`)];
  if (block.type === 'social' && block.links.some(({ href }) => href === ''))
    return [finding('A link to a network leads nowhere: give it an address, or take it away.')];
  if (block.type === 'menu')
    return block.links
      .filter(({ href }) => href === '')
      .map(({ label }) => finding(`“${label}” in the menu leads nowhere: give it a link.`));
  return [];
}

/** Links that no mail program can open: in settings and in words. */
function brokenLinks(block: SingleBlock): BlockFinding[] {
  const own = [
    ...('href' in block && block.href !== undefined ? [block.href] : []),
    ...('links' in block ? block.links.map(({ href }) => href) : []),
  ];
  const inWords = stringsIn(block)
    .filter((text) => /<a\b/i.test(text))
    .flatMap((html) => findingsIn(masked(html, spansOf(html).spans)))
    .flatMap(({ key, words }) => (key === 'broken_link' ? [words] : []));
  const faults = [...own.map(linkFault).filter((fault) => fault !== null), ...inWords];
  return [...new Set(faults)].map((words) => ({ words, block: block.id, liquid: null, isProblem: false }));
}

const fieldFindings = (block: SingleBlock, known: readonly string[]): BlockFinding[] =>
  wordsOf(block).flatMap((html) => liquidFindings(html, block.id, known));

function liquidFindings(html: string, block: string | null, known: readonly string[]): BlockFinding[] {
  const { problems, fields } = compileTemplate({ subject: '', preheader: '', html, text: '' }, known);
  return [
    ...problems.map(({ words, ...place }) => ({
      ...{ words, block, isProblem: true },
      liquid: liquidAt(html, place),
    })),
    ...fields.flatMap(({ name, isKnown, meant, ...place }) => {
      if (isKnown) return [];
      const words = `No contact has the field “${name}”.${meant ? ` Did you mean “${meant}”?` : ''}`;
      return [{ words, block, liquid: liquidAt(html, place), isProblem: false }];
    }),
  ];
}

/** The piece of Liquid that stands at a place. Null where one is never closed. */
function liquidAt(html: string, { line, column }: { line: number; column: number }): string | null {
  const before = html.split('\n').slice(0, line - 1);
  const at = before.reduce((length, one) => length + one.length + 1, 0) + column - 1;
  const span = spansOf(html).spans.find(({ start, end }) => start <= at && at < end);
  return span ? html.slice(span.start, span.end) : null;
}

/** The blocks of a document, with those in columns. */
export const allBlocks = (blocks: readonly (SingleBlock | ColumnsBlock)[]): SingleBlock[] =>
  blocks.flatMap((block) => (block.type === 'columns' ? block.columns.flat() : [block]));

/** All strings of a block that may hold Liquid. */
const wordsOf = ({ id, type, showWhen: _, ...block }: SingleBlock): string[] =>
  stringsIn(block).filter((text) => /\{[{%]/.test(text));

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
