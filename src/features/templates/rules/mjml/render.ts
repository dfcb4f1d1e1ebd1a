import mjml2html from 'mjml-browser';
import { cleanHtml, type LeftOut } from '../html/clean.ts';
import { shelter } from '../html/shelter.ts';
import { spansOf } from '../liquid/spans.ts';
import { faultsBefore, type MjmlFault } from './check.ts';

export type { MjmlFault } from './check.ts';

export interface RenderedMjml {
  /** Empty when MJML cannot make anything of it. */
  html: string;
  /** With a fault it cannot be saved. */
  faults: MjmlFault[];
  /** What the HTML must not hold and was left out of it. */
  leftOut: LeftOut[];
}

/**
 * The HTML of MJML that somebody has written. Liquid is kept out of MJML's sight, so a quote or a
 * `<` in it breaks nothing.
 */
export async function renderMjml(source: string): Promise<RenderedMjml> {
  const liquid = shelter(source);
  const lines = linesBefore(source);
  const placed = (faults: MjmlFault[]): MjmlFault[] =>
    faults.map(({ words, line }) => ({ words: liquid.restored(words), line: line && lines(line) }));
  const before = faultsBefore(liquid.source);
  if (before.length > 0) return { html: '', faults: placed(before), leftOut: [] };
  const { html, faults } = await converted(liquid.source);
  const { html: clean, leftOut } = cleanHtml(liquid.restored(html));
  return { html: clean, faults: placed([...faults, ...dropped(liquid.source, html)]), leftOut };
}

async function converted(source: string): Promise<{ html: string; faults: MjmlFault[] }> {
  try {
    // Without `fonts` MJML would add style sheets of Google to messages that name one of its fonts.
    const { html, errors } = await mjml2html(source, { validationLevel: 'soft', fonts: {} });
    // An attribute that Liquid fills is not known yet.
    const told = errors.filter(({ message }) => !/\uE000/.test(message));
    return { html, faults: told.map(({ message, line }) => ({ words: sentence(message), line })) };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { html: '', faults: [{ words: inWords(words), line: null }] };
  }
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function inWords(message: string): string {
  if (/Malformed MJML|Parsing failed/.test(message))
    return 'This is not MJML: it begins with <mjml> and ends with </mjml>.';
  return `MJML cannot read this: ${sentence(message)}`;
}

/** Liquid between the elements of MJML is lost without a word. */
function dropped(source: string, html: string): MjmlFault[] {
  if (html === '') return [];
  const kept = new Set(html.match(/\uE000\d+\uE001/g));
  const lost = [...withoutComments(source).matchAll(/\uE000\d+\uE001/g)].find(([word]) => !kept.has(word));
  if (!lost) return [];
  const line = source.slice(0, lost.index).split('\n').length;
  const words = `${lost[0]} stands where MJML drops it. Put it into <mj-raw>, or into a text.`;
  return [{ words, line }];
}

const withoutComments = (source: string): string =>
  source.replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => comment.replace(/[^\n]/g, ' '));

/** Turns a line of the sheltered source into one of the source: Liquid may have several. */
function linesBefore(source: string): (line: number) => number {
  const extra: { line: number; more: number }[] = [];
  let sheltered = 1;
  let at = 0;
  for (const { start, end } of spansOf(source).spans) {
    sheltered += source.slice(at, start).split('\n').length - 1;
    const more = source.slice(start, end).split('\n').length - 1;
    if (more > 0) extra.push({ line: sheltered, more });
    at = end;
  }
  return (line) => extra.reduce((sum, one) => (one.line < line ? sum + one.more : sum), line);
}
