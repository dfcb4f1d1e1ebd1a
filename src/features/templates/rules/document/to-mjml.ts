import { preheaderFilling } from '../preheader.ts';
import { fontsOf } from './fonts.ts';
import type { Block } from './places.ts';
import { attribute, rawHtml, richText } from './rich-text.ts';
import type { ColumnsBlock, SingleBlock, TemplateDocument } from './schema.ts';
import { classOn, screenStyles } from './show-on.ts';
import { liquidAround } from './show-when.ts';

type Look = TemplateDocument['look'];

export interface MjmlOptions {
  /**
   * Names the elements of each block by its place, as the class `at-2` or `at-2-0-1`, for an editor
   * that has to find them again. What is sent has none.
   */
  marked?: boolean;
}

/** The MJML of a document. */
export function toMjml(
  { title, preheader, language, look, blocks }: TemplateDocument,
  { marked = false }: MjmlOptions = {},
): string {
  const rows = blocks.map((block, at) => rowOf(block, { look, marked, width: look.width }, at));
  return [
    `<mjml lang="${language}" dir="ltr"><mj-head>`,
    `<mj-title>${attribute(title || 'Email')}</mj-title>`,
    ...(preheader?.trim() ? [`<mj-preview>${attribute(preheader)}${preheaderFilling}</mj-preview>`] : []),
    '<mj-attributes>',
    `<mj-all font-family="${fontsOf(look.font)}" />`,
    `<mj-text color="${look.text}" font-size="16px" line-height="24px" />`,
    `<mj-button background-color="${look.button}" color="${look.buttonText}" border-radius="${look.corner}px" font-size="16px" />`,
    '</mj-attributes>',
    `<mj-style>a { color: ${look.link}; }</mj-style>`,
    ...(rows.some(({ mjml }) => mjml.includes('class="menu-stacks"')) ? [stackingMenu] : []),
    ...(!marked && hasScreens(blocks) ? [screenStyles] : []),
    `</mj-head><mj-body width="${look.width}px" background-color="${look.background}">`,
    ...papersOf(rows.length > 0 ? rows : [{ mjml: section(column('')) }], look),
    '</mj-body></mjml>',
  ].join('\n');
}

const hasScreens = (blocks: readonly Block[]): boolean =>
  blocks.some((block) => block.showOn || (block.type === 'columns' && block.columns.some(hasScreens)));

const stackingMenu =
  '<mj-style>@media only screen and (max-width:479px) { .menu-stacks a { display: block !important; padding: 10px 8px !important; } }</mj-style>';

/** What stands beside nothing else. */
interface Row {
  mjml: string;
  ground?: Block['ground'];
}

/**
 * Rows on the paper of the email, between those whose ground is as wide as the window. At its ends
 * the paper has room, unless a ground stands there.
 */
function papersOf(rows: readonly Row[], { paper }: Look): string[] {
  const papers: { rows: string[]; isWide: boolean }[] = [];
  for (const { mjml, ground } of rows) {
    const isWide = ground?.isWide === true;
    const last = papers.at(-1);
    if (last && !isWide && !last.isWide) last.rows.push(mjml);
    else papers.push({ rows: [mjml], isWide });
  }
  return papers.flatMap(({ rows: inside, isWide }, at) => {
    if (isWide) return inside;
    const above = at === 0 && !rows[0]?.ground ? 16 : 0;
    const below = at === papers.length - 1 && !rows.at(-1)?.ground ? 16 : 0;
    const padding = `${above}px 0 ${below}px`;
    return [`<mj-wrapper background-color="${paper}" padding="${padding}">`, ...inside, '</mj-wrapper>'];
  });
}

/** What a block stands on. */
interface Surroundings {
  look: Look;
  marked: boolean;
  /** In pixels. */
  width: number;
  /** The colour of words and links, where the ground says so. */
  words?: string | undefined;
}

function rowOf(block: Block, around: Surroundings, at: number): Row {
  const { ground } = block;
  const start = `<mj-section${ground ? ` background-color="${ground.colour}"` : ''}${ground?.isWide ? ' full-width="full-width"' : ''}`;
  const mjml =
    block.type === 'columns'
      ? columnsOf(block, on(around, ground), at, start)
      : `${start}${classes(onScreens(block, around))} padding="0">${column(placed(block, on(around, ground), [at]))}</mj-section>`;
  return { mjml: shownWhen(block, mjml, around), ...(ground && { ground }) };
}

/** On a ground, words and links have its colour of words. */
const on = (around: Surroundings, ground: Block['ground']): Surroundings =>
  ground?.text
    ? { ...around, words: ground.text, look: { ...around.look, text: ground.text, link: ground.text } }
    : around;

/**
 * A piece of MJML between its condition. Comments for Outlook are made for each piece, so nothing
 * is open where a condition begins or ends. The editor shows everything.
 */
function shownWhen({ showWhen }: Block, mjml: string, { marked }: Surroundings): string {
  if (!showWhen || marked) return mjml;
  const { before, after } = liquidAround(showWhen);
  return `<mj-raw>${before}</mj-raw>${mjml}<mj-raw>${after}</mj-raw>`;
}

const section = (content: string): string => `<mj-section padding="0">${content}</mj-section>`;
const column = (content: string): string => `<mj-column>${content}</mj-column>`;

/** A class by which an editor finds an element again. */
const mark = ({ marked }: Surroundings, place: readonly number[]): string =>
  marked ? `at-${place.join('-')}` : '';

/** The class of what only some screens show. The editor shows everything. */
const onScreens = ({ showOn }: Block, { marked }: Surroundings): string =>
  showOn && !marked ? classOn[showOn] : '';

const classes = (...names: readonly string[]): string =>
  names.some(Boolean) ? ` css-class="${names.filter(Boolean).join(' ')}"` : '';

function columnsOf(block: ColumnsBlock, around: Surroundings, at: number, start: string): string {
  const { columns, stacks, shares, space } = block;
  const parts = shares?.length === columns.length ? shares : columns.map(() => 1);
  const all = parts.reduce((sum, part) => sum + part, 0);
  const room = around.width - 2 * (space?.sides ?? 0);
  const inside = columns
    .map((blocks, index) => {
      const share = (parts[index] ?? 1) / all;
      const within = { ...around, width: room * share };
      const content = blocks.map((one, place) => {
        const { ground } = one;
        const mjml = placed(one, on(within, ground), [at, index, place], ground?.colour);
        return shownWhen(one, mjml, around);
      });
      return `<mj-column${classes(mark(around, [at, index]))} width="${(share * 100).toFixed(2)}%">${content.join('')}</mj-column>`;
    })
    .join('');
  const padding = `${space?.above ?? 0}px ${space?.sides ?? 0}px ${space?.below ?? 0}px`;
  const group = stacks ? inside : `<mj-group>${inside}</mj-group>`;
  return `${start}${classes(mark(around, [at]), onScreens(block, around))} padding="${padding}">${group}</mj-section>`;
}

/**
 * The elements of a block with their mark, ground, space and colour of words. Nothing that people
 * write holds the start of an element of MJML.
 */
function placed(block: SingleBlock, around: Surroundings, place: readonly number[], ground?: string): string {
  const { look, words, width } = around;
  const mjml = single(block, look);
  const { above, below } = block.space ?? {};
  // Narrow columns keep half of their width for what stands in them.
  const sides = block.space?.sides && Math.min(block.space.sides, Math.floor(width / 4));
  const count = mjml.match(/<mj-[a-z]+/g)?.length ?? 0;
  let index = 0;
  const elements = mjml.replace(/<mj-[a-z]+/g, (start) => {
    index++;
    const own = [
      classes(mark(around, place), place.length > 1 ? onScreens(block, around) : ''),
      ground && ` container-background-color="${ground}"`,
      words && start === '<mj-text' && ` color="${words}"`,
      index === 1 && above !== undefined && ` padding-top="${above}px"`,
      index === count && below !== undefined && ` padding-bottom="${below}px"`,
      sides !== undefined && ` padding-left="${sides}px" padding-right="${sides}px"`,
    ];
    return start + own.filter(Boolean).join('');
  });
  return words ? elements.replace(/<a (?![^>]*\bstyle=)/g, `<a style="color:${words}" `) : elements;
}

/** One block as what stands in a column. */
function single(block: SingleBlock, look: Look): string {
  switch (block.type) {
    case 'text':
      return `<mj-text align="${block.align}">${richText(block.html)}</mj-text>`;
    case 'heading':
      return headingOf(block, look);
    case 'image':
    case 'logo':
      return imageOf(block);
    case 'button':
      return buttonOf(block);
    case 'divider':
      return `<mj-divider border-width="1px" border-color="${block.colour ?? '#d4d4d8'}" />`;
    case 'spacer':
      return `<mj-spacer height="${block.height}px" />`;
    case 'social':
      return socialOf(block);
    case 'menu':
      return menuOf(block, look);
    case 'product':
      return productOf(block, look);
    case 'footer':
      return footerOf(block);
    case 'html':
      return `<mj-text padding="0">${rawHtml(block.html)}</mj-text>`;
  }
}

type Of<Type extends SingleBlock['type']> = Extract<SingleBlock, { type: Type }>;

const headingSizes = { 1: [28, 36], 2: [22, 30], 3: [18, 26] } as const;

function headingOf({ level, html, align }: Of<'heading'>, { headingFont }: Look): string {
  const [size, line] = headingSizes[level];
  const style = `margin:0;font-size:${size}px;line-height:${line}px`;
  // A heading holds words, and no lists.
  const words = richText(html)
    .replace(/<\/?(p|ul|ol|li)\b[^>]*>/g, ' ')
    .trim();
  const font = headingFont ? ` font-family="${fontsOf(headingFont)}"` : '';
  return `<mj-text align="${align}"${font}><h${level} style="${style}">${words}</h${level}></mj-text>`;
}

function imageOf({ src, alt, href, width, align }: Omit<Of<'image'>, 'type' | 'id'>): string {
  const link = href ? ` href="${safeAddress(href)}" target="_blank"` : '';
  const size = width ? ` width="${width}px"` : '';
  return `<mj-image src="${pictureAddress(src)}" alt="${attribute(alt)}" align="${align}"${size}${link} />`;
}

function buttonOf(button: Omit<Of<'button'>, 'type' | 'id'>): string {
  const { label, href, background, colour, align, isWide, corner } = button;
  const own = [
    background && ` background-color="${background}"`,
    colour && ` color="${colour}"`,
    isWide && ' width="100%"',
    corner !== undefined && ` border-radius="${corner}px"`,
  ];
  const look = own.filter(Boolean).join('');
  return `<mj-button href="${safeAddress(href)}" align="${align}"${look}>${attribute(label)}</mj-button>`;
}

const networkNames: Record<Of<'social'>['links'][number]['network'], string> = {
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  x: 'X',
  youtube: 'YouTube',
  pinterest: 'Pinterest',
  web: 'Website',
};

/** Links in words: pictures of networks would be fetched from elsewhere. */
function socialOf({ links }: Of<'social'>): string {
  const words = links.map(
    ({ network, href }) => `<a href="${safeAddress(href)}" target="_blank">${networkNames[network]}</a>`,
  );
  return `<mj-text align="center" font-size="14px">${words.join(' &nbsp;·&nbsp; ')}</mj-text>`;
}

/** Links in a line, which goes on below where a phone has no more room. */
function menuOf({ links, align, stacks }: Of<'menu'>, { link }: Look): string {
  const style = `display:inline-block;padding:4px 8px;color:${link};text-decoration:none`;
  const all = links.map(
    ({ label, href }) =>
      `<a href="${safeAddress(href)}" target="_blank" style="${style}">${attribute(label)}</a>`,
  );
  return `<mj-text align="${align}"><div${stacks ? ' class="menu-stacks"' : ''}>${all.join(' ')}</div></mj-text>`;
}

function productOf({ src, alt, name, price, html, label, href }: Of<'product'>, look: Look): string {
  const cost = price ? `<p style="margin:4px 0 0;color:${look.text}">${attribute(price)}</p>` : '';
  const words = `<mj-text align="center"><p style="margin:0;font-weight:bold">${attribute(name)}</p>${cost}${html ? richText(html) : ''}</mj-text>`;
  const picture = src ? imageOf({ src, alt, href, align: 'center' }) : '';
  return picture + words + (label ? buttonOf({ label, href, align: 'center' }) : '');
}

function footerOf({ html, unsubscribe, preferences }: Of<'footer'>): string {
  const links = [`<a href="{{ unsubscribe_link }}">${attribute(unsubscribe || 'Unsubscribe')}</a>`];
  if (preferences) links.push(`<a href="{{ preferences_link }}">${attribute(preferences)}</a>`);
  const above = html ? `${richText(html)}<br>` : '';
  return `<mj-text align="center" font-size="13px" line-height="20px">${above}{{ company_name }}<br>{{ company_address }}<br>${links.join(' &nbsp;·&nbsp; ')}</mj-text>`;
}

/** An address as it stands between quotes; nothing where it would run something. */
function safeAddress(address: string): string {
  return /href="([^"]*)"/.exec(richText(`<a href="${attribute(address)}">x</a>`))?.[1] ?? '';
}

/** The same for what is fetched. */
function pictureAddress(address: string): string {
  return /src="([^"]*)"/.exec(rawHtml(`<img src="${attribute(address)}">`))?.[1] ?? '';
}
