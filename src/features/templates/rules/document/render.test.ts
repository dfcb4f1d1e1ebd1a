import fc from 'fast-check';
import { HtmlValidate } from 'html-validate';
import { describe, expect, it } from 'vitest';
import { compileTemplate, fill } from '../compile.ts';
import { cleanHtml } from '../html/clean.ts';
import { type HtmlNode, parsed } from '../html/parsed.ts';
import { textFromHtml } from '../html/text.ts';
import { knownFields } from '../known-fields.ts';
import { spansOf } from '../liquid/spans.ts';
import { tagsField } from '../tag-fields.ts';
import { warningsOf } from '../warnings.ts';
import { renderDocument } from './render.ts';
import { networks, templateDocument } from './schema.ts';
import { asksForTag, type ShowWhen, showOperators, tagOperators } from './show-when.ts';
import { toMjml } from './to-mjml.ts';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard'],
  rules: {
    // Outlook draws by the attributes of old HTML.
    'no-deprecated-attr': 'off',
    // MJML gives pictures the height `auto`, so that they shrink on phones.
    'attribute-allowed-values': 'off',
  },
});

/** Random documents to try. */
const documents = Number(process.env.TEST_DOCUMENTS ?? 100);

const hostile = fc.constantFrom(
  '<script>alert(1)</script>',
  '</td></tr></table>',
  '<b>open',
  '"><img src=x onerror=alert(1)>',
  '</mj-text><mj-raw>',
  '<!-- x',
  '{{ first_name | default: "you" }}',
  '{% if city == "York" %}a{% else %}b{% endif %}',
  '& < >',
  '<p>One</p><ul><li>two<li>three</ul>',
  '<a href="https://a.example/?a=1&b=2">link</a>',
);
const words = fc
  .oneof(fc.string({ maxLength: 20, unit: 'grapheme-ascii' }), hostile)
  .filter((text) => !/[{]/.test(text) || /^\{[{%] ?\w/.test(text));
const address = fc.constantFrom(
  'https://a.example/x',
  '{{ shop_link }}',
  'javascript:alert(1)',
  'mailto:a@b.example',
  '"onclick="x',
  '',
);
const colour = fc.constantFrom('#000000', '#ffffff', '#1d4ed8');
const align = fc.constantFrom('left', 'center', 'right');
const id = fc.uuid();
const type = <Type extends string>(name: Type) => fc.constant(name);
const kinds = fc.oneof(
  fc.record({ id, type: type('text'), html: words, align }),
  fc.record({ id, type: type('heading'), html: words, level: fc.constantFrom(1, 2, 3), align }),
  fc.record({
    id,
    type: type('image'),
    src: address,
    alt: words,
    href: address,
    width: fc.integer({ min: 10, max: 600 }),
    align,
  }),
  fc.record({ id, type: type('logo'), src: address, alt: words, align }),
  fc.record({
    id,
    type: type('button'),
    label: words,
    href: address,
    background: colour,
    colour,
    align,
    isWide: fc.boolean(),
    corner: fc.integer({ min: 0, max: 24 }),
  }),
  fc.record({ id, type: type('divider'), colour }),
  fc.record({ id, type: type('spacer'), height: fc.integer({ min: 1, max: 200 }) }),
  fc.record({
    id,
    type: type('social'),
    links: fc.array(fc.record({ network: fc.constantFrom(...networks), href: address }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.record({
    id,
    type: type('product'),
    src: address,
    alt: words,
    name: words,
    price: words,
    html: words,
    label: words,
    href: address,
  }),
  fc.record({ id, type: type('footer'), html: words, unsubscribe: words, preferences: words }),
  fc.record({ id, type: type('html'), html: words }),
  fc.record({
    id,
    type: type('menu'),
    links: fc.array(fc.record({ label: words, href: address }), { minLength: 1, maxLength: 6 }),
    align,
    stacks: fc.boolean(),
  }),
);
const fieldCondition = fc.record({
  field: fc.constantFrom('city', 'points'),
  operator: fc.constantFrom(...showOperators),
  value: fc.constantFrom(
    'York',
    ' york ',
    '10',
    '1,000',
    '',
    '"',
    "'",
    '%}',
    '{% endif %}',
    '\\',
    '<b>',
    '--\x3e',
    'a & b &lt; &amp; c',
    '\uE0001\uE001',
    'Ærø 🙂',
  ),
});
// The third tag is deleted.
const tagCondition = fc.record({
  tag: fc.integer({ min: 1, max: 3 }),
  operator: fc.constantFrom(...tagOperators),
});
const condition = fc.oneof(fieldCondition, tagCondition);
const size = fc.option(fc.integer({ min: 0, max: 80 }), { nil: undefined });
const frame = fc.record(
  {
    ground: fc.record({ colour, text: colour, isWide: fc.boolean() }, { requiredKeys: ['colour'] }),
    space: fc.record({ above: size, below: size, sides: size }),
    showOn: fc.constantFrom('phone', 'desktop'),
    showWhen: condition,
  },
  { requiredKeys: [] },
);
const framed = <Given extends object>(blocks: fc.Arbitrary<Given>) =>
  fc.tuple(blocks, frame).map(([block, around]) => ({ ...block, ...around }));
const single = framed(kinds);
const columns = framed(
  fc.record({
    id,
    type: type('columns'),
    columns: fc.array(fc.array(single, { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
    stacks: fc.boolean(),
    shares: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }),
  }),
);
const random = fc.record({
  version: fc.constant(1),
  title: words,
  preheader: words,
  blocks: fc.array(fc.oneof(single, columns), { maxLength: 6 }),
});

const example = {
  version: 1,
  title: 'Autumn tea',
  blocks: [
    { id: 'a', type: 'logo', src: 'https://a.example/logo.png', alt: 'Tea Rooms', width: 120 },
    { id: 'b', type: 'heading', level: 1, html: 'Hello {{ first_name | default: "friend" }}' },
    {
      id: 'c',
      type: 'columns',
      columns: [
        [{ id: 'd', type: 'text', html: '<p>Loose <b>leaf</b></p>' }],
        [{ id: 'e', type: 'image', src: 'https://a.example/tea.png', alt: 'A cup of tea' }],
      ],
    },
    { id: 'f', type: 'button', label: 'Order', href: 'https://a.example/shop?a=1&b=2' },
    { id: 'g', type: 'footer', preferences: 'Choose what we send' },
  ],
};

describe('a document', () => {
  it('is HTML for Outlook, phones and all others', async () => {
    const html = await renderDocument(example);
    for (const part of [
      '<!--[if mso | IE]><table',
      'width:600px',
      'max-width:600px',
      '@media only screen',
      'lang="en-GB"',
      'mj-column-per-50',
    ])
      expect(html).toContain(part);
    expect(cleanHtml(html).leftOut).toEqual([]);
    const source = { subject: 'Tea', preheader: 'New', html, text: '' };
    const template = compileTemplate(source, knownFields([]));
    expect(template.problems).toEqual([]);
    expect(warningsOf(source, template)).toEqual([]);
    const mail = fill(template, {
      company_name: 'Tea Ltd',
      company_address: 'York',
      unsubscribe_link: 'https://u.example',
    });
    expect(mail.html).toContain('Hello friend');
    expect(mail.html).toContain('href="https://a.example/shop?a=1&amp;b=2"');
  });

  it('begins with its preheader, filled and hidden, which the text part leaves out', async () => {
    const preheader = '<b>Tea & cake for {{ first_name | default: "you" }}</b>';
    const html = await renderDocument({ ...example, preheader });
    const source = { subject: '', preheader: '', html, text: textFromHtml(html) };
    const template = compileTemplate(source, knownFields([]));
    expect([template.problems, warningsOf(source, template)]).toEqual([[], []]);
    const mail = fill(template, { first_name: 'Ann <x>', company_address: 'York', unsubscribe_link: 'u' });
    const words = '&lt;b&gt;Tea &amp; cake for Ann &lt;x&gt;&lt;/b&gt;';
    expect(mail.html).toMatch(new RegExp(`<body[^>]*>\\s*<div style="display:none[^>]*>${words}`));
    // Nothing of the message follows it in a list of mails.
    expect(mail.html.split(words)[1]).toMatch(
      /^\s*(?:(?:&#847;|\u034f)(?:&zwnj;|\u200c)(?:&nbsp;|\u00a0)){60}/,
    );
    expect(mail.text).not.toContain('cake');
    expect(toMjml(templateDocument.parse(example))).not.toContain('mj-preview');
  });

  it('shows blocks on phones or on desktops only, in columns too, and everything in the editor', async () => {
    const document = {
      version: 1,
      blocks: [
        { id: 'a', type: 'heading', html: 'Short', level: 1, showOn: 'phone' },
        {
          id: 'b',
          type: 'columns',
          showOn: 'desktop',
          columns: [[{ id: 'c', type: 'text', html: 'Long', showOn: 'desktop' }]],
        },
        { id: 'd', type: 'footer' },
      ],
    };
    const html = await renderDocument(document);
    expect(classesAround(html, 'Short')).toEqual(['on-phones']);
    expect(classesAround(html, 'Long')).toEqual(['on-desktop', 'on-desktop']);
    expect(classesAround(html, 'Unsubscribe')).toEqual([]);
    expect(html).toMatch(/max-width:\s*479px\)\s*\{\s*\.on-desktop\s*\{\s*display:\s*none !important/);
    expect(html).toMatch(/min-width:\s*480px\)\s*\{\s*\.on-phones\s*\{\s*display:\s*none !important/);
    // Outlook knows no widths.
    expect(html).toMatch(/<!--\[if mso(?:(?!endif)[\s\S])*class="on-phones-outlook"/);
    expect(toMjml(templateDocument.parse(document), { marked: true })).not.toMatch(/on-(phones|desktop)/);
    expect(toMjml(templateDocument.parse(example))).not.toContain('on-desktop');
  });

  it('has its own width, and columns and buttons as wide as they say', async () => {
    const columns = [[], []];
    const html = await renderDocument({
      version: 1,
      look: { width: 660 },
      blocks: [
        { id: 'a', type: 'columns', columns, shares: [1, 2] },
        { id: 'b', type: 'columns', columns, shares: [1] },
        { id: 'c', type: 'button', label: 'Go', href: '', isWide: true, corner: 20 },
      ],
    });
    for (const part of [
      'max-width:660px',
      'mj-column-per-33-33',
      'mj-column-per-66-67',
      'mj-column-per-50',
      'border-radius:20px',
      'border-collapse:separate;width:100%',
    ])
      expect(html).toContain(part);
  });

  it('has grounds as wide as the email or the window, space, and links in a line', async () => {
    const ground = { colour: '#23393e', text: '#ffffff' };
    const html = await renderDocument({
      version: 1,
      blocks: [
        { id: 'a', type: 'heading', level: 1, html: 'Hi', ground: { ...ground, isWide: true } },
        { id: 'b', type: 'text', html: '<a href="https://a.example">x</a>', ground, space: { above: 44 } },
        {
          id: 'c',
          type: 'menu',
          stacks: true,
          links: [{ label: 'Shop & more', href: 'https://a.example' }],
        },
      ],
    });
    for (const part of [
      /<table[^>]*style="background:#23393e;background-color:#23393e;width:100%/,
      /<div style="background:#23393e;background-color:#23393e;margin:0px auto;max-width:600px/,
      /<!--\[if mso \| IE\]>.{0,400}bgcolor="#23393e"/,
      'padding-top:44px',
      '<a style="color:#ffffff" href="https://a.example"',
      '.menu-stacks a { display: block !important',
      'Shop &amp; more</a>',
    ])
      expect(html).toMatch(part);
  });

  it.each([
    [{ version: 1, blocks: [{ id: 'a', type: 'divider', ground: { colour: 'red' } }] }],
    [{ version: 1, blocks: [{ id: 'a', type: 'divider', space: { above: 999 } }] }],
    [
      {
        version: 1,
        blocks: [{ id: 'a', type: 'divider', showWhen: { field: 'a %}', operator: 'equals' } }],
      },
    ],
    [
      {
        version: 1,
        blocks: [{ id: 'a', type: 'divider', showWhen: { tag: '1 %}', operator: 'has_tag' } }],
      },
    ],
    [{ version: 2, blocks: [] }],
    [{ version: 1, blocks: [{ id: 'a', type: 'script' }] }],
    [{ version: 1, blocks: [{ id: 'a', type: 'columns', columns: [[], [], [], [], []] }] }],
    [{ version: 1, blocks: [], look: { paper: 'red;x' } }],
  ])('is refused: %j', async (document) => {
    await expect(renderDocument(document)).rejects.toThrow();
  });

  it(
    'of any blocks is a valid mail in which nothing runs, whoever gets it',
    async () => {
      await fc.assert(
        fc.asyncProperty(random, contact, async (document, data) => {
          const html = await renderDocument(document);
          expect(cleanHtml(html).leftOut).toEqual([]);
          // A piece of Liquid that is never closed goes on into what follows. Nobody is sent that.
          if (stringsIn(document).some((text) => spansOf(text).openAt !== null)) return;
          expect(complaints(html)).toEqual([]);
          const source = { subject: '', preheader: '', html, text: textFromHtml(html) };
          const template = compileTemplate(source, [...knownFields([]), 'city', 'points']);
          // People may write half a condition.
          if (template.problems.length > 0) return;
          const mail = fill(template, data);
          expect(complaints(mail.html)).toEqual([]);
          const shown = await renderDocument({ ...document, blocks: shownTo(document.blocks, data) });
          const plain = compileTemplate({ ...source, html: shown, text: textFromHtml(shown) }, []);
          const same = fill(plain, data);
          expect(wordsIn(mail.html)).toBe(wordsIn(same.html));
          expect(mail.text.split(/\s+/)).toEqual(same.text.split(/\s+/));
        }),
        { numRuns: documents },
      );
    },
    Math.max(60_000, documents * 400),
  );
});

const contact = fc.record(
  {
    city: fc.constantFrom('York', 'YORK ', '"', '%}', '\\', '<b>', '{% endif %}', 'ærø 🙂', ' '),
    points: fc.constantFrom('9', '10', '£1,001', '1,000.5', '-3', 'many', '<b>'),
    shop_link: fc.constant('https://shop.example'),
    unsubscribe_link: fc.constant('https://u.example'),
    preferences_link: fc.constant('https://p.example'),
    [tagsField]: fc.record({ t1: fc.boolean(), t2: fc.boolean() }),
  },
  { requiredKeys: ['shop_link', 'unsubscribe_link', 'preferences_link', tagsField] },
);
type Contact = Record<string, unknown> & { [tagsField]: Record<string, boolean> };

const complaints = (html: string): string[] =>
  validator
    .validateStringSync(html)
    .results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message, line }) => `${ruleId} ${line}: ${message}`),
    );

/** All strings of a value, however deep. */
const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

/** The words that a page shows, as a browser puts them together. */
const wordsIn = (html: string): string => {
  const textIn = (node: HtmlNode): string => {
    if (node.type === 'text') return node.data;
    return 'children' in node && node.type !== 'style' ? node.children.map(textIn).join(' ') : '';
  };
  return parsed(html).map(textIn).join(' ').replace(/\s+/g, ' ');
};

/** What a condition means, without any Liquid. */
function isShown(condition: ShowWhen, data: Contact): boolean {
  if (asksForTag(condition)) {
    const { tag, operator } = condition;
    return tag !== 3 && data[tagsField][`t${tag}`] === (operator === 'has_tag');
  }
  const { field, operator, value } = condition;
  const has = String(data[field] ?? '')
    .trim()
    .toLowerCase();
  const wanted = value.trim().toLowerCase();
  const number = has === '' ? Number.NaN : Number(has.replace(/[£,]/g, ''));
  const limit = wanted === '' ? Number.NaN : Number(wanted.replaceAll(',', ''));
  const truth = {
    equals: has === wanted,
    contains: has.includes(wanted),
    is_not_empty: has !== '',
    greater: number > limit,
    less: number < limit,
  };
  if (operator === 'is_empty') return !truth.is_not_empty;
  const plain = operator.replace(/^not_/, '') as keyof typeof truth;
  return operator === plain ? truth[plain] : !truth[plain];
}

type RandomBlock = { showWhen?: ShowWhen; columns?: RandomBlock[][] };

/** The blocks that somebody sees, without their conditions. */
const shownTo = (blocks: readonly object[], data: Contact): object[] =>
  (blocks as RandomBlock[])
    .filter(({ showWhen }) => !showWhen || isShown(showWhen, data))
    .map(({ showWhen: _, columns: inside, ...block }) =>
      inside ? { ...block, columns: inside.map((column) => shownTo(column, data)) } : block,
    );

/** The classes for screens of all elements around words, the outermost first. */
function classesAround(html: string, words: string): string[] {
  const found: string[] = [];
  const visit = (nodes: readonly HtmlNode[]): boolean =>
    nodes.some((node) => {
      if (node.type === 'text') return node.data.includes(words);
      if (!('attribs' in node) || !visit(node.children)) return false;
      found.unshift(...(node.attribs.class?.match(/\bon-(phones|desktop)\b(?!-)/g) ?? []));
      return true;
    });
  visit(parsed(html));
  return found;
}
