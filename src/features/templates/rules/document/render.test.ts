import fc from 'fast-check';
import { HtmlValidate } from 'html-validate';
import { describe, expect, it } from 'vitest';
import { compileTemplate, fill } from '../compile.ts';
import { cleanHtml } from '../html/clean.ts';
import { knownFields } from '../known-fields.ts';
import { warningsOf } from '../warnings.ts';
import { renderDocument } from './render.ts';
import { networks } from './schema.ts';

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
const single = fc.oneof(
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
);
const columns = fc.record({
  id,
  type: type('columns'),
  columns: fc.array(fc.array(single, { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
  stacks: fc.boolean(),
  shares: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }),
});
const random = fc.record({
  version: fc.constant(1),
  title: words,
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

  it.each([
    [{ version: 2, blocks: [] }],
    [{ version: 1, blocks: [{ id: 'a', type: 'script' }] }],
    [{ version: 1, blocks: [{ id: 'a', type: 'columns', columns: [[], [], [], [], []] }] }],
    [{ version: 1, blocks: [], look: { paper: 'red;x' } }],
  ])('is refused: %j', async (document) => {
    await expect(renderDocument(document)).rejects.toThrow();
  });

  it('of any blocks is a valid mail in which nothing runs', async () => {
    await fc.assert(
      fc.asyncProperty(random, async (document) => {
        const html = await renderDocument(document);
        expect(cleanHtml(html).leftOut).toEqual([]);
        const { results } = validator.validateStringSync(html);
        expect(
          results.flatMap(({ messages }) =>
            messages.map(({ ruleId, message, line }) => `${ruleId} ${line}: ${message}`),
          ),
        ).toEqual([]);
      }),
      { numRuns: Number(process.env.TEST_DOCUMENTS ?? 100) },
    );
  });
});
