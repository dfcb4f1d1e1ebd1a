import { HtmlValidate } from 'html-validate';
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { createTemplate } from '../../contract.ts';
import { compileTemplate, fill } from '../compile.ts';
import { blockFindings } from '../document/block-findings.ts';
import { renderDocument } from '../document/render.ts';
import { textFromHtml } from '../html/text.ts';
import { knownFields } from '../known-fields.ts';
import { preheaderLength, shownPreheader } from '../preheader.ts';
import { presetKinds } from '../preset-kinds.ts';
import { warningsOf } from '../warnings.ts';
import { presets } from './index.ts';
import { withSamples } from './sample.ts';
import { withBrandOn } from './whole-document.ts';

/** The placeholders of the specification. */
const specified = [
  'company_name',
  'subject',
  'main_content',
  'cta_link',
  'cta_text',
  'company_address',
  'unsubscribe_link',
  'sale_percentage',
  'sale_title',
  'sale_description',
  'shop_link',
  'coupon_code',
  'end_date',
  'first_name',
  'get_started_link',
];

const made = await Promise.all(
  presets.map(async (one) => {
    const htmlContent = await renderDocument(one.document);
    return { ...one, htmlContent, textContent: textFromHtml(htmlContent) };
  }),
);
const sourceOf = ({ htmlContent, textContent }: (typeof made)[number]) => ({
  ...{ subject: '', preheader: '', html: htmlContent, text: textContent },
});
/** In a workspace whose contacts have no fields of their own. */
const compiled = (one: (typeof made)[number]) => compileTemplate(sourceOf(one), knownFields([]));

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard'],
  rules: {
    // Outlook draws by the attributes of old HTML.
    'no-deprecated-attr': 'off',
    'attribute-allowed-values': 'off',
  },
});

const channel = (value: number): number => {
  const part = value / 255;
  return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};
/** How bright a colour is (WCAG 2.2, relative luminance). */
const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    channel(Number.parseInt(hex.slice(at, at + 2), 16)),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

interface Words {
  text: string;
  colour: string;
  ground: string;
}

/** Each piece of text with its colour and what it stands on, both inherited. */
function wordsIn(html: string): Words[] {
  const found: Words[] = [];
  const open = [{ tag: '', colour: '#000000', ground: '#ffffff', isHidden: false }];
  const parser = new Parser({
    onopentag(tag, { style = '' }) {
      const outer = open.at(-1) as (typeof open)[0];
      const value = (name: string) => new RegExp(`(?:^|;)\\s*${name}:\\s*(#[0-9a-f]{6})`).exec(style)?.[1];
      const isHidden = outer.isHidden || style.includes('display:none') || ['style', 'title'].includes(tag);
      open.push({
        tag,
        isHidden,
        colour: value('color') ?? outer.colour,
        ground: value('background-color') ?? value('background') ?? outer.ground,
      });
    },
    ontext(text) {
      const { colour, ground, isHidden } = open.at(-1) as (typeof open)[0];
      if (text.trim() !== '' && !isHidden) found.push({ text: text.trim(), colour, ground });
    },
    onclosetag: () => void open.pop(),
  });
  parser.end(html);
  return found;
}

it('each has its own words beside the subject, short enough to be shown', () => {
  const preheaders = presets.map(({ document }) => document.preheader ?? '');
  expect(new Set(preheaders).size).toBe(presets.length);
  for (const words of preheaders) {
    expect(preheaderLength(words)).toBeGreaterThan(5);
    expect(preheaderLength(words)).toBeLessThanOrEqual(shownPreheader);
  }
});

it('the three of the specification carry its placeholders, and no preset carries others', () => {
  expect(presets.slice(0, 3).map(({ id, name, category }) => [id, name, category])).toEqual([
    ['newsletter-basic', 'Basic Newsletter', 'newsletter'],
    ['promotional-sale', 'Sale Announcement', 'promotional'],
    ['welcome-series', 'Welcome Email', 'welcome'],
  ]);
  const used = made.slice(0, 3).flatMap((one) => compiled(one).fields.map(({ name }) => name));
  expect(specified.filter((name) => !used.includes(name))).toEqual([]);
  const unknown = made.flatMap((one) => compiled(one).fields.filter(({ isKnown }) => !isKnown));
  expect(unknown).toEqual([]);
});

it('there are twelve and more for UK businesses, some of each kind, each with its own name', () => {
  expect(presets.length).toBeGreaterThanOrEqual(15);
  for (const kind of presetKinds)
    expect(presets.filter((one) => one.kind === kind).length, kind).toBeGreaterThanOrEqual(2);
  for (const key of ['id', 'name'] as const)
    expect(new Set(presets.map((one) => one[key])).size).toBe(presets.length);
});

describe.each(made.map((one) => [one.name, one] as const))('%s', (_name, preset) => {
  const { htmlContent, textContent } = preset;

  it('is valid HTML, with nothing from elsewhere and nothing that runs', async () => {
    const { results } = await validator.validateString(htmlContent);
    expect(
      results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => [ruleId, message, line])),
    ).toEqual([]);
    expect(htmlContent).not.toMatch(/<script|<link|@import|url\(|<img|<form|\son\w+=/i);
    expect(Buffer.byteLength(htmlContent)).toBeLessThan(102_000);
  });

  it('is a table of 600 pixels, in Outlook too', () => {
    expect(htmlContent).toMatch(/<!--\[if mso \| IE\]><table[^>]* width="600"/);
    expect(htmlContent).toMatch(/max-width:600px/);
    expect(htmlContent).not.toMatch(/<table(?![^>]*role="presentation")/);
  });

  it('says who writes, from where and how to stop it, in both parts', () => {
    for (const part of [htmlContent, textContent])
      for (const name of ['company_name', 'company_address', 'unsubscribe_link'])
        expect(part).toContain(`{{ ${name} }}`);
    expect(textContent).not.toMatch(/<[a-z/]|&[a-z]+;|undefined|[^\S\n]$/m);
  });

  it('can be read: each text has a contrast of at least 4.5', () => {
    const faint = wordsIn(htmlContent).filter(({ colour, ground }) => contrast(colour, ground) < 4.5);
    expect(faint).toEqual([]);
    expect(wordsIn(htmlContent).length).toBeGreaterThan(8);
  });

  it('can be saved, and filled without a warning', () => {
    const { id: _id, kind: _kind, look: _look, ...written } = preset;
    expect(createTemplate.body.safeParse({ ...written, htmlContent: null }).error).toBe(undefined);
    expect(blockFindings(preset.document, knownFields([]))).toEqual([]);
    const template = compiled(preset);
    expect(template.problems).toEqual([]);
    expect(warningsOf(sourceOf(preset), template)).toEqual([]);
    const filled = fill(template, { company_name: 'Harbour & Pine', unsubscribe_link: 'https://a.uk/u' });
    expect(filled.html).toContain('Harbour &amp; Pine');
    expect(filled.html).toContain('href="https://a.uk/u"');
    expect(filled.text).toContain('Unsubscribe (https://a.uk/u)');
    expect(filled.html + filled.text).not.toMatch(/\{\{|\}\}|\bundefined\b/);
    expect(withSamples(htmlContent)).not.toMatch(/\{\{|\}\}/);
  });
});

it.each(['#f2c94c', '#23393e'])(
  'a brand in %s colours every preset, and all of it can be read',
  async (button) => {
    const buttonText = button === '#f2c94c' ? '#1c1c1c' : '#ffffff';
    for (const { document, look } of presets) {
      const logo = 'https://a.example/logo.png';
      const html = await renderDocument(withBrandOn(document, look, { button, buttonText, logo }));
      expect(html).toContain(logo);
      expect(html).toContain(button);
      expect(html).not.toContain(look.accent === button ? 'nothing' : `"${look.accent}"`);
      const faint = wordsIn(html).filter(({ colour, ground }) => contrast(colour, ground) < 4.5);
      expect(faint).toEqual([]);
    }
  },
);

it('the contrast test sees what cannot be read', () => {
  const faint = wordsIn(
    '<td style="background-color:#ffffff;"><p style="margin:0;color:#aaaaaa;">x</p></td>',
  );
  expect(faint.map(({ colour, ground }) => contrast(colour, ground) < 4.5)).toEqual([true]);
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
});
