import { z } from 'zod';
import { showOn } from './show-on.ts';
import { showWhen } from './show-when.ts';

/** A colour as `#rrggbb`. */
const colour = z.string().regex(/^#[\da-f]{6}$/i, 'A colour is written as #rrggbb.');

/** An address that may hold merge fields. What it may lead to is checked where it is written. */
const address = z.string().trim().max(2_000);
const words = z.string().max(1_000);
/** Words with bold, links and the like. All else is taken out where it is written. */
const richText = z.string().max(50_000);
const alignment = z.enum(['left', 'center', 'right']);
const id = z.string().min(1).max(40);

const ground = z
  .strictObject({
    colour,
    text: colour.optional().describe('The colour of words and links on it. Absent: as elsewhere.'),
    isWide: z
      .boolean()
      .optional()
      .describe('As wide as the window, not as the email. In a column it changes nothing.'),
  })
  .meta({ id: 'BlockGround' });
const space = z
  .strictObject({
    above: z.number().int().min(0).max(120).optional(),
    below: z.number().int().min(0).max(120).optional(),
    sides: z.number().int().min(0).max(80).optional(),
  })
  .meta({ id: 'BlockSpace' });

/** What every block may say of what is around its content, and of who sees it. */
const frame = {
  ground: ground.optional(),
  space: space.optional().describe('Pixels around the content. What is absent is as usual.'),
  showOn: showOn.optional().describe('Absent: all screens show it.'),
  showWhen: showWhen.optional().describe('Absent: everybody sees it.'),
};

const text = z
  .strictObject({
    id,
    ...frame,
    type: z.literal('text'),
    html: richText,
    align: alignment.default('left'),
  })
  .meta({ id: 'TextBlock' });
const heading = z
  .strictObject({
    id,
    ...frame,
    type: z.literal('heading'),
    html: richText,
    level: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    align: alignment.default('left'),
  })
  .meta({ id: 'HeadingBlock' });
const image = z
  .strictObject({
    id,
    ...frame,
    type: z.literal('image'),
    src: address,
    alt: words.describe('Empty: it only decorates.'),
    href: address.optional(),
    width: z.number().int().min(10).max(600).optional(),
    align: alignment.default('center'),
  })
  .meta({ id: 'ImageBlock' });
const logo = z.strictObject({ ...image.shape, type: z.literal('logo') }).meta({ id: 'LogoBlock' });
const button = z
  .strictObject({
    id,
    ...frame,
    type: z.literal('button'),
    label: words,
    href: address,
    background: colour.optional(),
    colour: colour.optional(),
    align: alignment.default('center'),
    isWide: z.boolean().optional().describe('As wide as there is room.'),
    corner: z.number().int().min(0).max(24).optional(),
  })
  .meta({ id: 'ButtonBlock' });
const divider = z
  .strictObject({ id, ...frame, type: z.literal('divider'), colour: colour.optional() })
  .meta({ id: 'DividerBlock' });
const spacer = z
  .strictObject({
    id,
    ...frame,
    type: z.literal('spacer'),
    height: z.number().int().min(1).max(200),
  })
  .meta({ id: 'SpacerBlock' });

export const networks = ['facebook', 'instagram', 'linkedin', 'x', 'youtube', 'pinterest', 'web'] as const;
const social = z
  .strictObject({
    id,
    ...frame,
    type: z.literal('social'),
    links: z
      .array(z.strictObject({ network: z.enum(networks), href: address }))
      .min(1)
      .max(8),
  })
  .meta({ id: 'SocialBlock' });
const product = z
  .strictObject({
    id,
    ...frame,
    type: z.literal('product'),
    src: address.optional(),
    alt: words.default(''),
    name: words,
    price: words.optional(),
    html: richText.optional(),
    label: words.optional(),
    href: address,
  })
  .meta({ id: 'ProductBlock' });
const footer = z
  .strictObject({
    id,
    ...frame,
    type: z.literal('footer'),
    html: richText.optional().describe('Words above the address.'),
    unsubscribe: words.default('Unsubscribe'),
    preferences: words.optional().describe('Absent: no link to the preferences.'),
  })
  .meta({ id: 'FooterBlock' });
const html = z
  .strictObject({ id, ...frame, type: z.literal('html'), html: z.string().max(200_000) })
  .meta({ id: 'HtmlBlock' });

export const mostMenuLinks = 6;
const menu = z
  .strictObject({
    id,
    ...frame,
    type: z.literal('menu'),
    links: z
      .array(z.strictObject({ label: words, href: address }))
      .min(1)
      .max(mostMenuLinks),
    align: alignment.default('center'),
    stacks: z.boolean().default(false).describe('Whether the links stand below each other on phones.'),
  })
  .meta({ id: 'MenuBlock' });

const single = z
  .discriminatedUnion('type', [
    text,
    heading,
    image,
    logo,
    button,
    divider,
    spacer,
    social,
    menu,
    product,
    footer,
    html,
  ])
  .meta({ id: 'SingleBlock' });
export type SingleBlock = z.output<typeof single>;

const columns = z
  .strictObject({
    id,
    ...frame,
    type: z.literal('columns'),
    columns: z.array(z.array(single).max(30)).min(1).max(4),
    stacks: z.boolean().default(true).describe('Whether the columns stand below each other on phones.'),
    shares: z
      .array(z.number().int().min(1).max(6))
      .max(4)
      .optional()
      .describe(
        'How wide the columns are to each other, such as 1 to 2. Absent, or not one for each: the same.',
      ),
  })
  .meta({ id: 'ColumnsBlock' });
export type ColumnsBlock = z.output<typeof columns>;

export const fonts = [
  'Arial',
  'Georgia',
  'Helvetica',
  'Tahoma',
  'Times New Roman',
  'Trebuchet MS',
  'Verdana',
] as const;

const headingFont = z.enum(fonts).optional().describe('The font of headings. Absent: as all else.');
const corner = z.number().int().min(0).max(24);
const width = z.number().int().min(480).max(700);
const optionalLook = {
  background: colour.optional(),
  paper: colour.optional(),
  text: colour.optional(),
  link: colour.optional(),
  button: colour.optional(),
  buttonText: colour.optional(),
  font: z.enum(fonts).optional(),
  corner: corner.optional(),
  width: width.optional(),
};

/** How a message looks where its blocks do not say otherwise. */
const look = z
  .strictObject({
    background: colour.default('#f4f4f5'),
    paper: colour.default('#ffffff'),
    text: colour.default('#27272a'),
    link: colour.default('#1d4ed8'),
    button: colour.default('#1d4ed8'),
    buttonText: colour.default('#ffffff'),
    font: z.enum(fonts).default('Arial'),
    headingFont,
    corner: corner.default(6),
    width: width.default(600).describe('Pixels, on anything but a phone.'),
  })
  .meta({ id: 'TemplateLook' });

/** What documents of a workspace take where they say nothing. */
export const brand = z
  .strictObject({
    ...optionalLook,
    logo: address.optional().describe('The address of a picture.'),
    logoAlt: words.optional(),
  })
  .meta({ id: 'Brand' });
export type Brand = z.output<typeof brand>;

/** One block, as documents hold it and workspaces keep it. */
export const block = z.discriminatedUnion('type', [...single.options, columns]).meta({ id: 'Block' });

/** All blocks, those in columns too. */
export const mostBlocks = 500;

const countBlocks = (blocks: readonly (SingleBlock | ColumnsBlock)[]): number =>
  blocks.reduce((sum, block) => sum + (block.type === 'columns' ? 1 + block.columns.flat().length : 1), 0);

/** With its merge fields, which may be longer than what stands for them. */
export const longestPreheader = 400;

/** A message as its visual editor keeps it. A change of meaning is a new version. */
export const templateDocument = z
  .strictObject({
    version: z.literal(1),
    language: z
      .string()
      .regex(/^[a-z]{2}(-[A-Z]{2})?$/)
      .default('en-GB'),
    title: words.default(''),
    preheader: z
      .string()
      .max(longestPreheader, `A preheader has at most ${longestPreheader} characters.`)
      .optional()
      .describe(
        'The words beside the subject, with merge fields. Absent: mail programs show the first ones.',
      ),
    look: look.prefault({}),
    blocks: z
      .array(block)
      .max(200)
      .refine(
        (blocks) => countBlocks(blocks) <= mostBlocks,
        `A document has at most ${mostBlocks} blocks, those in columns too.`,
      ),
  })
  .meta({ id: 'TemplateDocument' });
export type TemplateDocument = z.output<typeof templateDocument>;

/** A document as it is sent: its look may be left out, in part or whole. */
export const sentDocument = templateDocument
  .extend({
    look: z
      .strictObject({ ...optionalLook, headingFont })
      .default({})
      .describe('What is left out is as the brand says, or as usual.'),
  })
  .meta({ id: 'SentDocument' });
export type SentDocument = z.output<typeof sentDocument>;

/** The whole document: what its look leaves out is as the brand says. */
export function withBrand(document: SentDocument, { logo, logoAlt, ...brandLook }: Brand): TemplateDocument {
  return { ...document, look: look.parse({ ...given(brandLook), ...given(document.look) }) };
}

/** A document that takes over all that the brand says of its look, and the logo. */
export function inBrand(
  document: TemplateDocument,
  { logo, logoAlt, ...brandLook }: Brand,
): TemplateDocument {
  const drawn = <One extends TemplateDocument['blocks'][number]>(block: One): One => {
    if (block.type === 'columns')
      return { ...block, columns: block.columns.map((column) => column.map(drawn)) };
    return block.type === 'logo' && logo ? { ...block, src: logo, alt: logoAlt ?? block.alt } : block;
  };
  return {
    ...document,
    look: look.parse({ ...document.look, ...given(brandLook) }),
    blocks: document.blocks.map(drawn),
  };
}

/** Without the keys that hold nothing. */
const given = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
