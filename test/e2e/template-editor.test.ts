// Tests of: templates

import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindingsInBoth } from '#test/support/browser.ts';
import { codeIn } from '#test/support/code-field.ts';
import { pointAt } from '#test/support/hover.ts';
import { call, openStageSignedIn } from '#test/support/stage.ts';

let page: Page;

openStageSignedIn(
  (opened) => {
    ({ page } = opened);
  },
  { viewport: { width: 1440, height: 900 }, mayComplain: /status of (400|409)/ },
);

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const mode = (name: string) =>
  page.getByRole('radiogroup', { name: 'Write it as' }).getByText(name, { exact: true });
const shown = () => page.frameLocator('iframe[title^="How "]').locator('body');
const stored = async () => {
  const { items } = await call(page, 'GET', '/api/templates');
  return items[0];
};
const versionsOf = async ({ id }: { id: number }) =>
  (await call(page, 'GET', `/api/templates/${id}/versions`)).items;

describe('the editor of templates', () => {
  it('designs one in blocks, goes on in MJML and HTML, and says before what would be lost', async () => {
    await page.goto('/templates');
    await button('Create Template').first().click();
    await page.getByRole('button', { name: /^Visual editor/ }).click();
    await page.getByRole('heading', { name: 'New template' }).waitFor();
    await button('Undo').waitFor();
    await button('Create Template').click();
    await page.getByText('Template name is required', { exact: true }).waitFor();
    await page.getByLabel('Template Name').fill('Autumn news');
    await button('Create Template').click();
    await page.waitForURL(/\/templates\/\d+$/);
    await page.getByRole('heading', { name: 'Autumn news' }).waitFor();
    expect(await stored()).toMatchObject({ name: 'Autumn news', mode: 'visual', version: 1 });
    await button('Undo').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await mode('MJML').click();
    const code = page.getByLabel('MJML Content');
    await expect.poll(() => codeIn(code)).toContain('<mj-text');
    await code.press('Control+f');
    await page.getByRole('textbox', { name: 'Find' }).fill('A heading');
    await page.getByRole('textbox', { name: 'Replace' }).fill('Hello from Whitby');
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await button('Replace all').click();
    await page.keyboard.press('Escape');
    await shown().getByText('Hello from Whitby').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved just now').waitFor();
    await expect
      .poll(async () => (await versionsOf(await stored()))[0])
      .toMatchObject({ isCurrent: true, isAutomatic: false });
    expect(await stored()).toMatchObject({ mode: 'mjml' });
    await mode('HTML').click();
    const html = page.getByLabel('HTML Content');
    await expect.poll(() => codeIn(html)).toContain('<!doctype html>');
    await shown().getByText('Hello from Whitby').waitFor();
    await mode('Visual').click();
    await page
      .getByRole('dialog', { name: 'Go on in another way?' })
      .getByRole('button', { name: 'Go on' })
      .click();
    await button('Undo').waitFor();
    await page.getByRole('link', { name: 'Email Templates' }).click();
    await page.getByRole('heading', { name: 'Email Templates' }).waitFor();
    expect(await stored()).toMatchObject({ mode: 'visual' });
  });

  it('turns what is written while it is turned into another way of writing', async () => {
    const blocks = [
      { id: 'words', type: 'text', html: '<p>Hello</p>' },
      { id: 'footer', type: 'footer' },
    ];
    const { id } = await call(page, 'POST', '/api/templates', {
      ...{ name: 'Autumn news', category: 'newsletter', document: { version: 1, blocks } },
    });
    await page.goto(`/templates/${id}`);
    await mode('MJML').click();
    const code = page.getByLabel('MJML Content');
    await expect.poll(() => codeIn(code)).toContain('Hello');
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/templates/switch', async (route) => {
      const answer = await route.fetch();
      await released;
      await route.fulfill({ response: answer });
    });
    await mode('HTML').click();
    await code.press('Control+f');
    await page.getByRole('textbox', { name: 'Find' }).fill('Hello');
    await page.getByRole('textbox', { name: 'Replace' }).fill('Ahoy');
    await button('Replace all').click();
    await expect.poll(() => codeIn(code)).toContain('Ahoy');
    release();
    await page.getByLabel('HTML Content').waitFor();
    await shown().getByText('Ahoy').waitFor();
    await expect.poll(() => stored()).toMatchObject({ mode: 'html' });
    expect((await call(page, 'GET', `/api/templates/${id}`)).htmlContent).toContain('Ahoy');
  });

  it('opens a template of blocks or MJML on its own page, wherever Edit is pressed', async () => {
    const blocks = [
      { id: 'words', type: 'text', html: '<p>Hello</p>' },
      { id: 'footer', type: 'footer' },
    ];
    const { id } = await call(page, 'POST', '/api/templates', {
      ...{ name: 'Autumn news', category: 'newsletter', document: { version: 1, blocks } },
    });
    const edited = async () => {
      await page.waitForURL(`**/templates/${id}`);
      await page.getByRole('heading', { name: 'Autumn news' }).waitFor();
    };
    await page.goto(`/templates?preview=${id}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
    await edited();
    await call(page, 'PATCH', `/api/templates/${id}`, { mode: 'mjml' });
    await page.goto(`/templates?edit=${id}`);
    await edited();
    await page.getByLabel('MJML Content').waitFor();
  });

  it('marks what is wrong at its block and its chip, and a press on a finding leads there', async () => {
    const blocks = [
      { id: 'words', type: 'text', html: '<p>Dear {{ first_name }}, {{ frist_name }} of {{ domain }}</p>' },
      { id: 'order', type: 'button', label: 'Order', href: 'https://shop.example/' },
      { id: 'sale', type: 'button', label: 'Sale', href: '/sale' },
      { id: 'footer', type: 'footer' },
    ];
    const { id } = await call(page, 'POST', '/api/templates', {
      ...{ name: 'Autumn news', category: 'newsletter', document: { version: 1, blocks } },
    });
    await page.goto(`/templates/${id}`);
    const block = (name: RegExp) => page.getByRole('treeitem', { name });
    const words = block(/^Text: .*, 1 thing to look at$/);
    await words.waitFor();
    await block(/^Button: Sale, 1 thing to look at$/).waitFor();
    await block(/^Button: Order$/).waitFor();
    const chips = page.frameLocator('iframe[title="The email"]').locator('[data-chip]');
    await expect
      .poll(() => chips.evaluateAll((all) => all.map((one) => one.getAttribute('data-chip'))))
      .toEqual(expect.arrayContaining(['', 'faulty', '']));
    const faultyChips = page.frameLocator('iframe[title="The email"]').locator('[data-chip=faulty]');
    await expect.poll(() => faultyChips.allTextContents()).toEqual(['Frist name']);
    await page.getByRole('button', { name: 'Button:', exact: true }).click();
    await expect.poll(() => block(/^Button: Sale/).getAttribute('aria-selected')).toBe('true');
    await page.getByLabel('Link', { exact: true }).fill('https://shop.example/sale');
    await block(/^Button: Sale$/).waitFor();
    await page.getByRole('button', { name: 'Text:', exact: true }).click();
    await expect.poll(() => words.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    const colourOf = (field: string) =>
      page
        .locator(`[data-liquid="{{ ${field} }}"]`)
        .evaluate((chip) => chip.ownerDocument.defaultView?.getComputedStyle(chip).color);
    expect(await colourOf('frist_name')).toBe('rgb(156, 32, 25)');
    expect(await colourOf('first_name')).not.toBe('rgb(156, 32, 25)');
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await button('Send test').click();
    await page.getByLabel('Subject (optional)').fill('For {{ frist_name }}');
    await page
      .getByText('No contact has the field “frist_name”. Did you mean “first_name”?')
      .last()
      .waitFor();
  });

  it('makes a text part that follows the message in each way of writing until it is edited', async () => {
    const blocks = [
      { id: 'words', type: 'text', html: '<p>Hello {{ first_name }}</p>' },
      { id: 'footer', type: 'footer' },
    ];
    const body = { name: 'Autumn news', category: 'custom', document: { version: 1, blocks } };
    const { id } = await call(page, 'POST', '/api/templates', body);
    await page.goto(`/templates/${id}`);
    const text = page.getByLabel('Text Content');
    const follows = page.getByText(/follows it until you change it/);
    await button('Text').click();
    await expect.poll(() => text.inputValue()).toMatch(/^Hello \{\{ first_name \}\}\n/);
    await follows.waitFor();
    await text.press('Control+Home');
    await text.pressSequentially('Oh! ');
    await page.getByText(/It is your own text/).waitFor();
    await text.press('Control+End');
    await text.pressSequentially(' {{ nobody }}');
    const drawer = page.getByRole('dialog', { name: 'Text part' });
    await drawer.getByRole('button', { name: /^Text, line \d+:$/ }).click();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await stored()).textContent).toMatch(/^Oh! Hello \{\{ first_name/);
    await button('Text: your own').waitFor();
    await mode('MJML').click();
    await page.getByLabel('MJML Content').waitFor();
    await expect.poll(() => text.inputValue()).toMatch(/^Oh! Hello/);
    await button('Follow the HTML again').click();
    await expect.poll(() => text.inputValue()).toMatch(/^Hello \{\{ first_name/);
    await expect.poll(async () => (await stored()).textContent).toBeNull();
    await button('Undo').click();
    await expect.poll(() => text.inputValue()).toMatch(/^Oh! Hello/);
    // Nothing comes back while somebody is about to write.
    await text.fill('');
    await follows.waitFor();
    await expect.poll(() => text.inputValue()).toBe('');
    await text.blur();
    await expect.poll(() => text.inputValue()).toMatch(/^Hello/);
  });

  it('inserts a field with what stands there for those without, and shows the email to one of them', async () => {
    const body = { name: 'Hello', category: 'custom', htmlContent: '<p>Dear </p>' };
    const { id } = await call(page, 'POST', '/api/templates', body);
    await call(page, 'POST', '/api/emails', { email: 'ann@shop.co.uk', name: 'Ann Hill' });
    await page.goto(`/templates/${id}`);
    const html = page.getByLabel('HTML Content');
    await html.press('Control+Home');
    for (let step = 0; step < '<p>Dear '.length; step++) await html.press('ArrowRight');
    await button('Insert field').click();
    const dialog = page.getByRole('dialog', { name: 'Insert a field' });
    await dialog.getByRole('combobox', { name: 'Field' }).click();
    await page.getByRole('option', { name: /^Last name\s*1 contact$/ }).waitFor();
    await page.getByRole('option', { name: /^Source\s*0 contacts$/ }).waitFor();
    await page.getByRole('option', { name: /^Company name$/ }).waitFor();
    await page.getByRole('option', { name: /^First name/ }).click();
    await dialog.getByLabel('For those without one').fill('friend');
    await dialog.getByRole('button', { name: 'Insert' }).click();
    await expect.poll(() => codeIn(html)).toBe('<p>Dear {{ first_name | default: "friend" }}</p>');
    // One goes on writing after it.
    await page.keyboard.type('!');
    await expect.poll(() => codeIn(html)).toContain('"friend" }}!</p>');
    await button('Preview').click();
    const preview = page.getByRole('dialog', { name: /^Template Preview/ });
    // A dialog takes the focus once, a moment after it opens. Taken from a field, it ends a search.
    await preview.locator(':focus').waitFor();
    await preview.getByRole('combobox', { name: 'Preview as' }).fill('ann@');
    await page.getByRole('option', { name: 'ann@shop.co.uk' }).click();
    await preview.frameLocator('iframe').getByText('Dear Ann').waitFor();
  });

  it('sends a test to people of the workspace, filled for a contact, which waits in the outbox', async () => {
    const htmlContent = '<p>Dear {{ first_name }}</p><p>{{ company_name }}</p>';
    const body = { name: 'Hello', category: 'custom', htmlContent };
    await call(page, 'POST', '/api/emails', { email: 'ann@shop.co.uk', name: 'Ann Hill' });
    const { id } = await call(page, 'POST', '/api/templates', body);
    await page.goto(`/templates/${id}`);
    const sample = 'Harbour & Pine is a sample. Your company and address come from the settings.';
    await page.getByText(sample).waitFor();
    await button('Send test').click();
    const dialog = page.getByRole('dialog', { name: 'Send a test' });
    await dialog.getByText(sample).waitFor();
    await dialog.getByLabel('Subject (optional)').fill('News for ');
    await dialog.getByRole('button', { name: 'Insert a field into the subject' }).click();
    const picker = page.getByRole('dialog', { name: 'Insert a field' });
    await picker.getByLabel('For those without one').fill('you');
    await picker.getByRole('button', { name: 'Insert' }).click();
    await expect.poll(() => picker.count()).toBe(0);
    await dialog.getByLabel('Subject (optional)').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('!');
    await expect
      .poll(() => dialog.getByLabel('Subject (optional)').inputValue())
      .toBe('News for {{ first_name | default: "you" }}!');
    await dialog.getByRole('combobox', { name: 'Preview as' }).fill('ann@');
    await page.getByRole('option', { name: 'ann@shop.co.uk' }).click();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Test Sent').waitFor();
    await page.goto('/outbox');
    await page.getByText('[Test] News for Ann!').first().waitFor();
    await call(page, 'PATCH', '/api/settings', { sender: { company: 'Millbank & Sons' } });
    await page.goto(`/templates/${id}`);
    await page.frameLocator('iframe[title="How Hello looks"]').getByText('Millbank & Sons').waitFor();
    await expect.poll(() => page.getByText('is a sample').count()).toBe(0);
  });

  it('overwrites nothing that somebody else has saved meanwhile', async () => {
    const body = { name: 'Hello', category: 'custom', htmlContent: '<p>One</p>' };
    const { id } = await call(page, 'POST', '/api/templates', body);
    await page.goto(`/templates/${id}`);
    await page.getByLabel('HTML Content').waitFor();
    await call(page, 'PATCH', `/api/templates/${id}`, { htmlContent: '<p>Theirs</p>' });
    await page.getByLabel('HTML Content').fill('<p>Mine</p>');
    await button('Save Template').click();
    await page.getByText(/^You saved a newer version in another window at \d\d:\d\d$/).waitFor();
    await button('Take the newer one').click();
    await expect.poll(() => codeIn(page.getByLabel('HTML Content'))).toBe('<p>Theirs</p>');
    await call(page, 'PATCH', `/api/templates/${id}`, { htmlContent: '<p>Theirs again</p>' });
    await page.getByLabel('HTML Content').fill('<p>Mine again</p>');
    await button('Save mine over it').click();
    await page.getByText('Saved just now').waitFor();
    expect(await stored()).toMatchObject({ htmlContent: '<p>Mine again</p>', version: 4 });
  });
});

describe('the code field of the editor', () => {
  const begin = async (htmlContent: string) => {
    const { id } = await call(page, 'POST', '/api/templates', {
      name: 'Hello',
      category: 'custom',
      htmlContent,
    });
    await page.goto(`/templates/${id}`);
    return page.getByLabel('HTML Content');
  };

  it('marks what is wrong where it is, and a press on a finding leads there', async () => {
    const code = await begin('<h1>Hello</h1>\n<p>Dear {{ frist_name }}</p>');
    const marked = page.locator('.cm-lintRange-warning');
    await expect.poll(() => marked.allTextContents()).toEqual(['frist_name']);
    await expect.poll(() => page.locator('.cm-lint-marker').count()).toBe(1);
    await pointAt(marked, page.locator('.cm-tooltip').getByText('Did you mean “first_name”?'));
    await button('Line 2:').click();
    // In one: what is typed in pieces is undone in pieces.
    await page.keyboard.insertText('first_name');
    await expect.poll(() => codeIn(code)).toBe('<h1>Hello</h1>\n<p>Dear {{ first_name }}</p>');
    await expect.poll(() => marked.count()).toBe(0);
    await page.keyboard.press('Control+z');
    await expect.poll(() => codeIn(code)).toContain('frist_name');
    await page.getByLabel('Text Content').fill('Hello\n{{ nobody }}');
    await button('Text, line 2:').click();
    await page.keyboard.type('you');
    await expect.poll(() => page.getByLabel('Text Content').inputValue()).toBe('Hello\nyou');
  });

  it('shows the email beside it in the dark too', async () => {
    await begin('<p>Hello</p>');
    await shown().getByText('Hello').waitFor();
    const filter = () => shown().evaluate('document.defaultView.getComputedStyle(document.body).filter');
    await expect.poll(filter).toBe('none');
    await page
      .getByRole('radiogroup', { name: 'Colours of the mail program' })
      .getByText('Dark', { exact: true })
      .click();
    await expect.poll(filter).toContain('invert(0.9)');
    expect(await seriousFindingsInBoth(page)).toEqual([]);
  });

  it('completes fields and tags, and the keyboard can leave it', async () => {
    await call(page, 'POST', '/api/emails', { email: 'ann@shop.co.uk', name: 'Ann Hill' });
    const fields = Promise.withResolvers<void>();
    await page.route('**/api/templates/fields', async (route) => {
      await fields.promise;
      await route.continue();
    });
    const code = await begin('<p>Dear </p>');
    await code.press('Control+Home');
    for (let step = 0; step < '<p>Dear '.length; step++) await code.press('ArrowRight');
    // While it is asked for anew, the list stays, but takes no press.
    const asked = page.locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)');
    const choice = (name: string) => asked.getByRole('option', { name: new RegExp(`^${name}`) });
    await page.keyboard.type('{{fir');
    // The fields come when a name has been begun.
    fields.resolve();
    await choice('first_name').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await choice('first_name').click();
    await expect.poll(() => codeIn(code)).toBe('<p>Dear {{ first_name }}</p>');
    await page.keyboard.type(' | def');
    await choice('default').click();
    await page.keyboard.type('"you"');
    await expect.poll(() => codeIn(code)).toBe('<p>Dear {{ first_name | default: "you" }}</p>');
    await page.keyboard.press('End');
    await page.keyboard.type('{%unl');
    await choice('unless').click();
    await page.keyboard.type('name');
    await expect
      .poll(() => codeIn(code))
      .toBe('<p>Dear {{ first_name | default: "you" }}</p>{% unless name %}{% endunless %}');
    await page.keyboard.press('Tab');
    await page.keyboard.type('!');
    await expect.poll(() => codeIn(code)).toContain('{% unless name %}!{% endunless %}');
    await page.keyboard.press('Tab');
    await expect
      .poll(() => code.evaluate((field) => field.ownerDocument.activeElement === field))
      .toBe(false);
    await expect.poll(() => codeIn(code)).toContain('%}!{%');
  });

  it('is fetched when it is needed, and fits a phone', async () => {
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(request.url()));
    const isThere = () => fetched.some((url) => /code-editor/.test(url));
    await page.goto('/templates');
    await button('Create Template').first().waitFor();
    expect(isThere()).toBe(false);
    await page.setViewportSize({ width: 390, height: 844 });
    const code = await begin('<p>Hello from Whitby, where the sea is never far and the lines are long</p>');
    await code.waitFor();
    expect(isThere()).toBe(true);
    await code.press('Control+End');
    await page.keyboard.type('<p>Bye</p>');
    await shown().getByText('Bye').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});
