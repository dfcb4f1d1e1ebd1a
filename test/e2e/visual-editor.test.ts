// Tests of: templates
import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileTemplate, fill } from '#features/templates/rules/compile.ts';
import { renderDocument } from '#features/templates/rules/document/render.ts';
import type { TemplateDocument } from '#features/templates/rules/document/schema.ts';
import { knownFields } from '#features/templates/rules/known-fields.ts';
import { tagsField } from '#features/templates/rules/tag-fields.ts';
import { seriousFindingsInBoth, sharedBrowser } from '#test/support/browser.ts';
import { drag } from '#test/support/visual-editor/drag.ts';
import { serveVisualEditor } from '#test/support/visual-editor/serve.ts';

let server: Awaited<ReturnType<typeof serveVisualEditor>>;
let context: BrowserContext;

beforeAll(async () => {
  server = await serveVisualEditor();
  context = await (await sharedBrowser()).newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(45_000);
});
afterAll(async () => {
  await context.close();
  await server.close();
});

/** The editor with these blocks. What the page complains about fails the test. */
async function opened(blocks: unknown[], more: object = {}): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => {
    throw error;
  });
  const document = encodeURIComponent(JSON.stringify({ version: 1, blocks, ...more }));
  await page.goto(`${server.address}#${document}`);
  await page.getByRole('tree').waitFor();
  return page;
}

const documentOf = (page: Page): Promise<TemplateDocument> => page.evaluate('shown');
const text = (id: string, html = `<p>${id}</p>`) => ({ id, type: 'text', html });
const item = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name });
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
/** A document as ids, with columns in brackets. */
const shape = ({ blocks }: TemplateDocument): string =>
  blocks
    .map((block) =>
      block.type === 'columns'
        ? `(${block.columns.map((column) => column.map(({ id }) => id).join(' ')).join('|')})`
        : block.id,
    )
    .join(' ');

/** Chooses in the palette, with the keyboard alone. */
async function addByKeyboard(page: Page, name: string): Promise<void> {
  await press(page, '/');
  for (let tabs = 0; tabs < 30; tabs++) {
    const at = await page.evaluate<string | null>("document.activeElement?.getAttribute('aria-label')");
    if (at === name) return press(page, 'Enter');
    await press(page, 'Tab');
  }
  throw new Error(`The palette has no ${name}.`);
}

const focused = (page: Page) =>
  page.evaluate<string | null>("document.activeElement?.getAttribute('aria-label')");

describe('the visual editor', () => {
  it('builds a two-column block, an image, a button and a merge field with the keyboard alone', async () => {
    const page = await opened([{ id: 'f', type: 'footer' }]);
    await item(page, 'Footer').focus();
    await addByKeyboard(page, 'Add two columns');
    await expect.poll(() => focused(page)).toBe('Columns: 2');
    await press(page, 'ArrowRight');
    expect(await focused(page)).toBe('Column 1: Empty');
    await addByKeyboard(page, 'Add Image');
    await expect.poll(() => focused(page)).toBe('Image');
    await press(page, 'Enter');
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Choose a picture');
    await press(page, 'Enter');
    await expect
      .poll(async () => (await documentOf(page)).blocks[0])
      .toMatchObject({
        columns: [[{ type: 'image', alt: 'A blue jug', width: 550 }], []],
      });

    await item(page, /^Image/).focus();
    await press(page, 'ArrowDown');
    expect(await focused(page)).toBe('Column 2: Empty');
    await addByKeyboard(page, 'Add Text');
    await expect.poll(() => focused(page)).toBe('Text: Write your text here.');
    await press(page, 'Enter');
    const words = page.getByRole('textbox', { name: 'Text', exact: true });
    await expect.poll(() => focused(page)).toBe('Text');
    await press(page, 'Control+a');
    await page.keyboard.type('Hello ');
    // Tab leads from the words to their toolbar.
    for (let tabs = 0; tabs < 20 && (await focused(page)) !== 'Insert a merge field'; tabs++)
      await press(page, 'Tab');
    await press(page, 'Enter');
    await expect.poll(() => words.textContent()).toContain('First name or “there”');
    await page.keyboard.type(', welcome');
    await press(page, 'Escape');
    await expect.poll(() => focused(page)).toBe('Text: Hello First name or “there”, welcome');

    await press(page, 'Home');
    await addByKeyboard(page, 'Add Button');
    await expect.poll(() => focused(page)).toBe('Button: Find out more');
    await press(page, 'Enter');
    await expect.poll(() => page.evaluate('document.activeElement?.value')).toBe('Find out more');
    await press(page, 'Control+a');
    await page.keyboard.type('Order now');
    await press(page, 'Tab', 'Tab');
    await page.keyboard.type('shop.example/');
    // What is missing in front is added when the field is left.
    await press(page, 'Tab');

    const document = await documentOf(page);
    expect(document.blocks.map(({ type }) => type)).toEqual(['columns', 'button', 'footer']);
    expect(document.blocks[1]).toMatchObject({ label: 'Order now', href: 'https://shop.example/' });
    const html = await renderDocument(document);
    const template = compileTemplate({ subject: '', preheader: '', html, text: '' }, knownFields([]));
    expect(template.problems).toEqual([]);
    const sender = { company_name: 'Tea', company_address: 'York', unsubscribe_link: 'https://u.example' };
    expect(fill(template, { ...sender, first_name: 'Ada' }).html).toContain('Hello Ada, welcome');
    expect(fill(template, sender).html).toContain('Hello there, welcome');
    await page.close();
  });

  it('moves blocks with the keyboard, into columns and out, and undoes all of it', async () => {
    const columns = { id: 'c', type: 'columns', columns: [[text('x')], [text('y')]] };
    const page = await opened([text('a'), text('b'), columns]);
    await item(page, 'Text: a').focus();
    const steps: [string, string][] = [
      ['Alt+ArrowDown', 'b a (x|y)'],
      ['Alt+ArrowRight', 'b (a x|y)'],
      ['Alt+ArrowDown', 'b (x a|y)'],
      ['Alt+ArrowRight', 'b (x|y a)'],
      ['Alt+ArrowRight', 'b (x|y) a'],
      ['Alt+ArrowUp', 'b a (x|y)'],
      ['Delete', 'b (x|y)'],
    ];
    for (const [key, expected] of steps) {
      await press(page, key);
      await expect.poll(async () => shape(await documentOf(page))).toBe(expected);
    }
    await page.getByRole('status').filter({ hasText: 'Text deleted.' }).waitFor({ state: 'attached' });
    const back = ['a b (x|y)', ...steps.map(([, after]) => after)].slice(0, -1).toReversed();
    for (const expected of back) {
      await press(page, 'Control+z');
      await expect.poll(async () => shape(await documentOf(page))).toBe(expected);
    }
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    await item(page, 'Text: b').focus();
    for (const [, expected] of steps) {
      await press(page, 'Control+Shift+z');
      await expect.poll(async () => shape(await documentOf(page))).toBe(expected);
    }
    await page.close();
  });

  it('shows what it showed before when whoever holds the document goes back to it', async () => {
    const page = await opened([text('a')]);
    await page.evaluate('Object.assign(window, { first: shown })');
    await item(page, 'Text: a').focus();
    await press(page, 'Delete');
    await expect.poll(() => item(page, 'Text: a').count()).toBe(0);
    await page.evaluate('Object.assign(window, { second: shown }); show(first)');
    await item(page, 'Text: a').waitFor();
    await page.evaluate('show(second)');
    await expect.poll(() => item(page, 'Text: a').count()).toBe(0);
    await page.evaluate('show(first)');
    await item(page, 'Text: a').waitFor();
    expect(shape(await documentOf(page))).toBe('a');
    await page.close();
  });

  it('drags blocks from the palette and in the email', async () => {
    const page = await opened([text('a'), text('b'), { id: 'f', type: 'footer' }]);
    await expect.poll(async () => (await item(page, 'Text: a').boundingBox())?.height).toBeGreaterThan(20);
    await drag(page.getByRole('button', { name: 'Add Spacer' }), item(page, 'Text: b'), 0.2);
    await expect
      .poll(async () => (await documentOf(page)).blocks.map(({ type }) => type))
      .toEqual(['text', 'spacer', 'text', 'footer']);
    await expect
      .poll(async () => (await item(page, 'Spacer: 24 px').boundingBox())?.height)
      .toBeGreaterThan(20);
    await drag(item(page, 'Text: a'), item(page, 'Text: b'), 0.8);
    await expect.poll(async () => shape(await documentOf(page))).toMatch(/^\w+ b a f$/);
    await page.close();
  });

  it('copies, cuts, pastes and duplicates, and takes nothing else for a block', async () => {
    const page = await opened([text('a'), text('b')]);
    await item(page, 'Text: a').focus();
    await press(page, 'Control+d');
    await expect.poll(async () => (await documentOf(page)).blocks.length).toBe(3);
    await item(page, 'Text: b').focus();
    const copied = await clipboard(page, 'cut');
    expect(JSON.parse(copied)).toEqual({ emailBlock: 1, block: { ...text('b'), align: 'left' } });
    await expect.poll(async () => (await documentOf(page)).blocks.length).toBe(2);
    await clipboard(page, 'paste', copied);
    await expect.poll(() => item(page, 'Text: b').count()).toBe(1);
    await clipboard(page, 'paste', '{"emailBlock":1,"block":{"id":"x","type":"script"}}');
    await page.getByText('The clipboard holds no block.').waitFor();
    expect((await documentOf(page)).blocks).toHaveLength(3);
    await page.close();
  });

  it('keeps the footer while it is the only way to unsubscribe', async () => {
    const page = await opened([text('a'), { id: 'f', type: 'footer' }]);
    await item(page, 'Footer').focus();
    await press(page, 'Delete');
    await page.getByText('The footer holds the only unsubscribe link. Add another one first.').waitFor();
    expect(shape(await documentOf(page))).toBe('a f');
    await press(page, 'Control+d');
    await expect.poll(async () => (await documentOf(page)).blocks.length).toBe(3);
    await press(page, 'Delete');
    await expect.poll(async () => shape(await documentOf(page))).toBe('a f');
    await page.close();
  });

  it('keeps blocks for other templates', async () => {
    const page = await opened([text('a')]);
    await item(page, 'Text: a').click();
    await page.getByRole('button', { name: 'Save for other templates' }).click();
    await page.getByRole('textbox', { name: 'Name of the block' }).fill('Greeting');
    await page.getByRole('button', { name: 'Save block' }).click();
    await page.getByRole('button', { name: 'Add Greeting' }).click();
    await expect.poll(() => item(page, 'Text: a').count()).toBe(2);
    await page.getByRole('button', { name: 'Delete the saved block Greeting' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Add Greeting' }).count()).toBe(0);
    await page.close();
  });

  it('writes words with a mouse: bold, a link, a list, and leaves Liquid as it is', async () => {
    const liquid = '{% if city == "York" and age &lt; 30 %}<b>you</b>{% endif %}';
    const page = await opened([text('a', `<p>Hi ${liquid}</p>`)]);
    await item(page, /^Text/).dblclick();
    const words = page.getByRole('textbox', { name: 'Text', exact: true });
    await words.waitFor();
    await press(page, 'Control+End');
    await page.keyboard.type(' and more');
    await expect
      .poll(async () => (await documentOf(page)).blocks[0])
      .toMatchObject({ html: expect.stringContaining('{% endif %} and more</p>') });
    expect((await documentOf(page)).blocks[0]).toMatchObject({
      html: expect.stringMatching(
        /\{% if city == "York" and age (<|&lt;) 30 %\}<strong>you<\/strong>\{% endif %\}/,
      ),
    });
    await press(page, 'Control+a');
    await page.getByRole('button', { name: 'Italic' }).click();
    await page.getByRole('button', { name: 'Link', exact: true }).click();
    const address = page.getByRole('textbox', { name: 'Address of the link' });
    await address.fill('/sale');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('“/sale” leads nowhere: write the whole address').waitFor();
    await address.fill('a.example/?a=1&b=2');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await expect
      .poll(async () => (await documentOf(page)).blocks[0])
      .toMatchObject({
        html: expect.stringMatching(/^<ul><li><p>.*href="https:\/\/a.example\/\?a=1&amp;b=2".*<em>/),
      });
    await press(page, 'Escape');
    // One key takes back what was one step, and the words in the email follow.
    for (let steps = 0; steps < 10 && (await page.getByRole('button', { name: 'Undo' }).isEnabled()); steps++)
      await press(page, 'Control+z');
    await expect
      .poll(async () => (await documentOf(page)).blocks[0])
      .toMatchObject({ html: `<p>Hi ${liquid}</p>` });
    await page.close();
  });

  it('takes sizes and colours key by key, for a block and for the whole email', async () => {
    const columns = { id: 'c', type: 'columns', columns: [[text('x')], [text('y')]] };
    const page = await opened([{ id: 'b', type: 'button', label: 'Go', href: '' }, columns]);
    const type = async (name: string, typed: string) => {
      await page.getByRole('textbox', { name, exact: true }).focus();
      await press(page, 'Control+a');
      await page.keyboard.type(typed);
      await press(page, 'Tab');
    };
    await item(page, 'Button: Go').click();
    await type('Fill', '#12Ab34');
    await type('Corners', '20');
    await page.getByText('Full', { exact: true }).click();
    await expect
      .poll(async () => (await documentOf(page)).blocks[0])
      .toMatchObject({ background: '#12ab34', corner: 20, isWide: true });
    await item(page, 'Columns: 2').focus();
    await page.getByText('1 : 2', { exact: true }).click();
    await expect.poll(async () => (await documentOf(page)).blocks[1]).toMatchObject({ shares: [1, 2] });
    await expect.poll(async () => (await item(page, 'Text: y').boundingBox())?.width).toBeCloseTo(400, 0);
    await page.getByRole('tab', { name: 'Style' }).click();
    await type('Width', '660');
    await type('Ground', '#ddeeff');
    await expect
      .poll(async () => (await documentOf(page)).look)
      .toMatchObject({ width: 660, background: '#ddeeff' });
    await expect.poll(async () => (await item(page, 'Text: y').boundingBox())?.width).toBeCloseTo(440, 0);
    await page.getByRole('button', { name: 'Take the brand' }).click();
    await expect.poll(async () => (await documentOf(page)).look.button).toBe('#23393e');
    await page.close();
  });

  it('gives a block a ground, space and a condition, and adds one for all others', async () => {
    const page = await opened([text('a'), { id: 'f', type: 'footer' }]);
    await item(page, 'Text: a').focus();
    const settings = page.getByRole('complementary', { name: 'Settings of the block' });
    const type = async (name: string, typed: string) => {
      await settings.getByRole('textbox', { name, exact: true }).focus();
      await press(page, 'Control+a');
      await page.keyboard.type(typed);
      await press(page, 'Tab');
    };
    await type('Block ground', '#23393e');
    await type('Words on it', '#ffffff');
    await settings.getByText('Window', { exact: true }).click();
    await type('Space above', '48');
    await settings.getByRole('button', { name: 'Show only to some contacts' }).click();
    await settings.getByRole('combobox', { name: 'Condition' }).click();
    await page.getByRole('option', { name: 'is', exact: true }).click();
    await settings.getByRole('textbox', { name: 'Value' }).fill('Ada');
    await item(page, 'Text: a, shown when First name is Ada').waitFor();
    await settings.getByRole('button', { name: 'Add a block for all others' }).click();
    await item(page, 'Text: a, shown when First name is not Ada').waitFor();
    await settings.getByRole('combobox', { name: 'Show on' }).click();
    await page.getByRole('option', { name: 'Phones only' }).click();
    await item(page, 'Text: a, phones only, shown when First name is not Ada').waitFor();
    await page.getByRole('textbox', { name: 'Preheader' }).fill('Fresh tea {{ first_name }}');
    await page.getByText('10 of 90').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    const document = await documentOf(page);
    expect([document.preheader, document.blocks[1]?.showOn]).toEqual(['Fresh tea {{ first_name }}', 'phone']);
    expect(document.blocks[0]).toMatchObject({
      ground: { colour: '#23393e', text: '#ffffff', isWide: true },
      space: { above: 48 },
      showWhen: { field: 'first_name', operator: 'equals', value: 'Ada' },
    });
    const html = await renderDocument(document);
    const template = compileTemplate({ subject: '', preheader: '', html, text: '' }, knownFields([]));
    for (const first_name of [' ada', 'Bea', ''])
      expect(fill(template, { first_name }).html.match(/<p>a<\/p>/g)).toHaveLength(1);
    await page.close();
  });

  it('shows a block by a tag, and marks one that asks for a deleted tag', async () => {
    const page = await opened([
      text('a'),
      { ...text('b'), showWhen: { tag: 99, operator: 'lacks_tag' } },
      { id: 'f', type: 'footer' },
    ]);
    await item(page, 'Text: a').focus();
    const settings = page.getByRole('complementary', { name: 'Settings of the block' });
    await settings.getByRole('button', { name: 'Show only to some contacts' }).click();
    await settings.getByRole('combobox', { name: 'Field' }).click();
    await page.getByRole('option', { name: 'Tags', exact: true }).click();
    await item(page, 'Text: a, shown when tagged Agency').waitFor();
    await settings.getByRole('combobox', { name: 'Tag', exact: true }).fill('don');
    await page.getByRole('option', { name: 'Donor' }).click();
    await settings.getByRole('combobox', { name: 'Condition' }).click();
    await page.getByRole('option', { name: 'does not have the tag' }).click();
    await item(page, 'Text: a, shown when not tagged Donor').waitFor();
    await settings.getByRole('button', { name: 'Add a block for all others' }).click();
    await item(page, 'Text: a, shown when tagged Donor').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    const { blocks } = await documentOf(page);
    expect(blocks.map(({ showWhen }) => showWhen)).toEqual([
      { tag: 13, operator: 'lacks_tag' },
      { tag: 13, operator: 'has_tag' },
      { tag: 99, operator: 'lacks_tag' },
      undefined,
    ]);
    const template = compileTemplate(
      { subject: '', preheader: '', html: await renderDocument(await documentOf(page)), text: '' },
      knownFields([], [12, 13]),
    );
    for (const t13 of [true, false]) {
      const { html } = fill(template, { [tagsField]: { t13 } });
      expect([html.match(/<p>a<\/p>/g)?.length, html.includes('<p>b</p>')]).toEqual([1, false]);
    }
    await item(page, 'Text: b, shown when not tagged (deleted tag)').focus();
    await settings.getByText('This tag was deleted, so nobody sees the block.').waitFor();
    // From a tag, it leads back to a field.
    await settings.getByRole('combobox', { name: 'Field' }).click();
    await page.getByRole('option', { name: 'First name' }).click();
    await item(page, 'Text: b, shown when First name has a value').waitFor();
    await page.close();
  });

  it('has nothing under a finger that has pressed a block on a phone, and writes where words stand', async () => {
    const page = await opened([
      { id: 'h', type: 'heading', level: 1, html: 'Made by hand' },
      text('a', `<p>${'Made in small batches, by two people, in a shed by the sea. '.repeat(6)}</p>`),
    ]);
    const drawn = page.frameLocator('iframe[title="The email"]').getByText('Made by hand');
    const top = (await drawn.boundingBox())?.y ?? Number.NaN;
    await item(page, /^Heading/).dblclick();
    const written = page.getByRole('textbox', { name: 'Heading', exact: true }).getByText('Made by hand');
    expect(Math.abs(((await written.boundingBox())?.y ?? Number.NaN) - top)).toBeLessThan(2);
    await press(page, 'Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    const block = item(page, /^Text/);
    await block.click();
    await page.getByRole('toolbar', { name: /actions$/ }).waitFor();
    await block.dblclick();
    await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor();
    expect(shape(await documentOf(page))).toBe('h a');
    await page.close();
  });

  it('shows the HTML that is sent, at the width of a phone and in the dark too, and runs nothing of it', async () => {
    const hostile =
      '<p>ok</p><img src=x onerror="top.ran=1"><script>top.ran=1</script><a href="javascript:top.ran=1">l</a>';
    const page = await opened([
      { id: 'h', type: 'html', html: hostile },
      { id: 'c', type: 'columns', columns: [[text('x')], [text('y')]] },
    ]);
    const frame = page.frameLocator('iframe');
    await frame.getByText('ok').waitFor();
    const [x, y] = [item(page, 'Text: x'), item(page, 'Text: y')];
    const top = async (one: typeof x) => Math.round((await one.boundingBox())?.y ?? 0);
    expect(await top(y)).toBe(await top(x));
    await page.getByText('Phone', { exact: true }).click();
    await expect.poll(async () => (await top(y)) - (await top(x))).toBeGreaterThan(20);
    await page.getByText('Dark', { exact: true }).click();
    await expect
      .poll(() =>
        page.evaluate("getComputedStyle(document.querySelector('iframe').contentDocument.body).filter"),
      )
      .toContain('invert');
    expect(await page.evaluate('window.ran')).toBeUndefined();
    await expect.poll(() => frame.locator('script, [onerror], a[href]').count()).toBe(0);
    await page.close();
  });

  it('has nothing that keeps people out, with every kind of block, whichever is open', async () => {
    const page = await opened(everyBlock);
    await expect.poll(async () => (await item(page, 'Footer').boundingBox())?.height).toBeGreaterThan(20);
    for (const name of [
      /^Heading/,
      /^Image/,
      /^Button/,
      /^Social/,
      /^Menu/,
      /^Product/,
      /^Footer/,
      /^Columns/,
      /^HTML/,
    ]) {
      await item(page, name).first().focus();
      expect(await seriousFindingsInBoth(page)).toEqual([]);
    }
    await item(page, /^Text/).first().focus();
    await press(page, 'Enter');
    await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    for (const tab of ['Outline', 'Style']) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await seriousFindingsInBoth(page)).toEqual([]);
    }
    await page.close();
  });
});

const everyBlock = [
  { id: 'l', type: 'logo', src: '', alt: '' },
  { id: 'h', type: 'heading', level: 1, html: 'Autumn' },
  text('t', '<p>Hello {{ first_name | default: "there" }}</p>'),
  {
    id: 'i',
    type: 'image',
    src: 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==',
    alt: '',
  },
  { id: 'b', type: 'button', label: 'Order', href: '' },
  { id: 'd', type: 'divider' },
  { id: 's', type: 'spacer', height: 20 },
  { id: 'o', type: 'social', links: [{ network: 'x', href: 'https://x.example' }] },
  { id: 'm', type: 'menu', links: [{ label: 'Shop', href: 'https://x.example' }] },
  { id: 'c', type: 'columns', columns: [[{ id: 'p', type: 'product', name: 'Tea', href: '' }], []] },
  { id: 'r', type: 'html', html: '<p>Raw</p>' },
  { id: 'f', type: 'footer', preferences: 'Choose' },
];

/** The browser's own event, without its permission: what it holds afterwards. */
const clipboard = (page: Page, type: 'cut' | 'copy' | 'paste', given = ''): Promise<string> =>
  page.evaluate<string>(`(() => {
    const clipboardData = new DataTransfer();
    const given = ${JSON.stringify(given)};
    if (given) clipboardData.setData('text/plain', given);
    document.activeElement.dispatchEvent(
      new ClipboardEvent('${type}', { clipboardData, bubbles: true, cancelable: true }),
    );
    return clipboardData.getData('text/plain');
  })()`);
