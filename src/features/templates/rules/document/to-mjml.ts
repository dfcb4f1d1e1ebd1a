import { fontsOf } from './fonts.ts';
import { attribute, rawHtml, richText } from './rich-text.ts';
import type { ColumnsBlock, SingleBlock, TemplateDocument } from './schema.ts';

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
  { title, language, look, blocks }: TemplateDocument,
  { marked = false }: MjmlOptions = {},
): string {
  const mark: Mark = (mjml, ...place) =>
    marked ? mjml.replace(/<mj-[a-z]+/g, `$& css-class="at-${place.join('-')}"`) : mjml;
  const sections = blocks.map((block, at) =>
    block.type === 'columns'
      ? columnsOf(block, look, at, mark)
      : section(column(mark(single(block, look), at))),
  );
  return [
    `<mjml lang="${language}" dir="ltr"><mj-head>`,
    `<mj-title>${attribute(title || 'Email')}</mj-title>`,
    '<mj-attributes>',
    `<mj-all font-family="${fontsOf(look.font)}" />`,
    `<mj-text color="${look.text}" font-size="16px" line-height="24px" />`,
    `<mj-button background-color="${look.button}" color="${look.buttonText}" border-radius="${look.corner}px" font-size="16px" />`,
    '</mj-attributes>',
    `<mj-style>a { color: ${look.link}; }</mj-style>`,
    `</mj-head><mj-body width="${look.width}px" background-color="${look.background}">`,
    `<mj-wrapper background-color="${look.paper}" padding="16px 0">`,
    ...(sections.length > 0 ? sections : [section(column(''))]),
    '</mj-wrapper></mj-body></mjml>',
  ].join('\n');
}

/** Names the elements at the top of a piece of MJML. Nothing that people write holds one. */
type Mark = (mjml: string, ...place: number[]) => string;

const section = (content: string): string => `<mj-section padding="0">${content}</mj-section>`;
const column = (content: string): string => `<mj-column>${content}</mj-column>`;

function columnsOf({ columns, stacks, shares }: ColumnsBlock, look: Look, at: number, mark: Mark): string {
  const parts = shares?.length === columns.length ? shares : columns.map(() => 1);
  const all = parts.reduce((sum, part) => sum + part, 0);
  const inside = columns
    .map((blocks, index) => {
      const content = blocks.map((block, place) => mark(single(block, look), at, index, place));
      return `${mark('<mj-column', at, index)} width="${(((parts[index] ?? 1) / all) * 100).toFixed(2)}%">${content.join('')}</mj-column>`;
    })
    .join('');
  const start = mark('<mj-section', at);
  return `${start} padding="0">${stacks ? inside : `<mj-group>${inside}</mj-group>`}</mj-section>`;
}

/** One block as what stands in a column. */
function single(block: SingleBlock, look: Look): string {
  switch (block.type) {
    case 'text':
      return `<mj-text align="${block.align}">${richText(block.html)}</mj-text>`;
    case 'heading':
      return headingOf(block);
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
    case 'product':
      return productOf(block, look);
    case 'footer':
      return footerOf(block);
    case 'html':
      return `<mj-text padding="0">${rawHtml(block.html)}</mj-text>`;
  }
}

type Block<Type extends SingleBlock['type']> = Extract<SingleBlock, { type: Type }>;

const headingSizes = { 1: [28, 36], 2: [22, 30], 3: [18, 26] } as const;

function headingOf({ level, html, align }: Block<'heading'>): string {
  const [size, line] = headingSizes[level];
  const style = `margin:0;font-size:${size}px;line-height:${line}px`;
  // A heading holds words, and no lists.
  const words = richText(html)
    .replace(/<\/?(p|ul|ol|li)\b[^>]*>/g, ' ')
    .trim();
  return `<mj-text align="${align}"><h${level} style="${style}">${words}</h${level}></mj-text>`;
}

function imageOf({ src, alt, href, width, align }: Omit<Block<'image'>, 'type' | 'id'>): string {
  const link = href ? ` href="${safeAddress(href)}" target="_blank"` : '';
  const size = width ? ` width="${width}px"` : '';
  return `<mj-image src="${pictureAddress(src)}" alt="${attribute(alt)}" align="${align}"${size}${link} />`;
}

function buttonOf(button: Omit<Block<'button'>, 'type' | 'id'>): string {
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

const networkNames: Record<Block<'social'>['links'][number]['network'], string> = {
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  x: 'X',
  youtube: 'YouTube',
  pinterest: 'Pinterest',
  web: 'Website',
};

/** Links in words: pictures of networks would be fetched from elsewhere. */
function socialOf({ links }: Block<'social'>): string {
  const words = links.map(
    ({ network, href }) => `<a href="${safeAddress(href)}" target="_blank">${networkNames[network]}</a>`,
  );
  return `<mj-text align="center" font-size="14px">${words.join(' &nbsp;·&nbsp; ')}</mj-text>`;
}

function productOf({ src, alt, name, price, html, label, href }: Block<'product'>, look: Look): string {
  const cost = price ? `<p style="margin:4px 0 0;color:${look.text}">${attribute(price)}</p>` : '';
  const words = `<mj-text align="center"><p style="margin:0;font-weight:bold">${attribute(name)}</p>${cost}${html ? richText(html) : ''}</mj-text>`;
  const picture = src ? imageOf({ src, alt, href, align: 'center' }) : '';
  return picture + words + (label ? buttonOf({ label, href, align: 'center' }) : '');
}

function footerOf({ html, unsubscribe, preferences }: Block<'footer'>): string {
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
