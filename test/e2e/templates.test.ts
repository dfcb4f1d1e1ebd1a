// Tests of: templates

import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindingsInBoth } from '#test/support/browser.ts';
import { codeIn, writeHtml } from '#test/support/code-field.ts';
import { pointAt } from '#test/support/hover.ts';
import { call, makeViewers, openStageSignedIn, type SignedInStage } from '#test/support/stage.ts';

let page: Page;
let stage: SignedInStage;

openStageSignedIn(
  (opened) => {
    stage = opened;
    ({ page } = opened);
  },
  // From calls that fail on purpose, and from scripts that the frames do not run.
  {
    viewport: { width: 1440, height: 900 },
    mayComplain: /status of (409|500)|Blocked script execution|Running the JavaScript URL violates/,
  },
);

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const card = (name: string) => page.getByRole('article', { name, exact: true });
const toast = (title: string) =>
  page.getByRole('alert').filter({ has: page.getByText(title, { exact: true }) });
const shownIn = (frame: string) => page.frameLocator(`iframe[title="${frame}"]`).locator('body');
const news = {
  name: 'Autumn news',
  category: 'newsletter',
  description: 'Twice a year',
  htmlContent: '<h1>Hello from Whitby</h1>',
};
const write = (fields: object = {}) => call(page, 'POST', '/api/templates', { ...news, ...fields });

describe('the screen', () => {
  it('says what to do when there are no templates, and creates the first one', async () => {
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('heading', { name: 'Email Templates' }).waitFor();
    await page.getByText('Create and manage reusable email templates').waitFor();
    await page.getByText('No templates yet').waitFor();
    await page.getByText('Create your first email template to get started').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await button('Create Template').last().click();
    const form = dialog('Create Email Template');
    await form.getByRole('heading', { name: 'Or begin with a preset' }).waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    // The first way has the focus, and the second is the form.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await form.getByRole('button', { name: 'Create Template' }).click();
    await form.getByText('Template name is required').waitFor();
    await form.getByText('HTML content is required').waitFor();
    await expect.poll(() => form.getByRole('combobox', { name: 'Category' }).inputValue()).toBe('Custom');
    await form.getByLabel('Template Name').fill('Autumn news');
    await form.getByLabel('Description').fill('Twice a year');
    await form
      .getByLabel('HTML Content')
      .fill('<h1>Hello from Whitby</h1><script>document.title = 1</script>');
    await shownIn('How Autumn news looks').getByText('Hello from Whitby').waitFor();
    await form.getByLabel('Text Content').fill('{% if first_name');
    await form.getByText('This cannot be filled yet').waitFor();
    await form.getByLabel('Text Content').fill('');
    await expect.poll(() => form.getByText('This cannot be filled yet').count()).toBe(0);
    await form.getByRole('combobox', { name: 'Category' }).click();
    const offered = page.getByRole('option');
    await expect
      .poll(() => offered.allTextContents())
      .toEqual(['Newsletter', 'Promotional', 'Transactional', 'Welcome Series', 'Abandoned Cart', 'Custom']);
    await offered.filter({ hasText: 'Newsletter' }).click();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await form.getByRole('button', { name: 'Create Template' }).click();
    await toast('Template Created').getByText('Your email template has been created successfully.').waitFor();
    await expect.poll(() => form.count()).toBe(0);
    const made = card('Autumn news');
    for (const text of ['Twice a year', 'Newsletter', 'Used 0 times']) await made.getByText(text).waitFor();
    await shownIn('How Autumn news looks').getByText('Hello from Whitby').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
  });

  it('shows three blocks while templates load, and says when they do not come', async () => {
    let answer = () => {};
    const held = new Promise<void>((done) => {
      answer = done;
    });
    await page.route('**/api/templates?*', async (route) => {
      await held;
      await route.fulfill({ status: 500, json: { message: 'Not just now.', code: 'internal' } });
    });
    await page.goto('/templates');
    const mine = page.getByRole('region', { name: 'My Templates' });
    await expect.poll(() => mine.locator('.mantine-Skeleton-root').count()).toBe(3);
    answer();
    await mine.getByText('Your templates could not be loaded').waitFor();
    await page.unroute('**/api/templates?*');
    // The presets above move what is below them when they come.
    await card('Basic Newsletter').waitFor();
    await mine.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No templates yet').waitFor();
  });

  it('tells why a template was not created, and keeps what was typed', async () => {
    await page.goto('/templates?dialog=new');
    const form = dialog('Create Email Template');
    await form.getByLabel('Template Name').fill('Autumn news');
    await form.getByLabel('HTML Content').fill('<p>Hello</p>');
    await page.route('**/api/templates', (route) => route.fulfill({ status: 500, body: '' }));
    await form.getByRole('button', { name: 'Create Template' }).click();
    await toast('Error').getByText('Failed to create template').waitFor();
    await page.unroute('**/api/templates');
    // Leaving asks first.
    await form.getByLabel('HTML Content').press('Escape');
    const asked = dialog('Discard your changes?');
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => codeIn(form.getByLabel('HTML Content'))).toBe('<p>Hello</p>');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await asked.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => form.count()).toBe(0);
    expect(await call(page, 'GET', '/api/templates')).toMatchObject({ totalCount: 0 });
  });

  it('finds templates by words and category, with both in the address', async () => {
    await write();
    await write({ name: 'Winter sale', category: 'promotional', description: 'January' });
    await page.goto('/templates');
    await page.getByRole('searchbox', { name: 'Search templates' }).fill('twice');
    await expect.poll(() => card('Winter sale').count()).toBe(0);
    await card('Autumn news').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?search=twice');
    await page.goto('/templates?category=promotional');
    await card('Winter sale').waitFor();
    await expect.poll(() => card('Autumn news').count()).toBe(0);
    await button('Remove the filter Category Promotional').click();
    await card('Autumn news').waitFor();
    await page.goto('/templates?search=nowhere');
    await page.getByText('No template matches').waitFor();
  });

  it('has it all on a phone', async () => {
    const { id } = await write();
    await page.setViewportSize({ width: 390, height: 844 });
    for (const query of [
      '',
      '?dialog=begin',
      `?preview=${id}`,
      `?edit=${id}`,
      `?versions=${id}`,
      '?presets=shop',
    ]) {
      await page.goto(`/templates${query}`);
      await page.getByText('Autumn news').first().waitFor();
      expect([query, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([query, 390]);
    }
  });
});

describe('a preset', () => {
  it('is one of three for everybody, each with a preview and a way to use it', async () => {
    await page.goto('/templates');
    const presets = page.getByRole('region', { name: 'Preset Templates' });
    await card('Welcome Email').waitFor();
    await expect
      .poll(() => presets.getByRole('heading', { level: 3 }).allTextContents())
      .toEqual(['Basic Newsletter', 'Sale Announcement', 'Welcome Email']);
    await button('Preview Sale Announcement').click();
    const preview = dialog('Template Preview: Sale Announcement');
    await preview.frameLocator('iframe').getByText('The winter sale begins').waitFor();
    await preview.getByText('Text', { exact: true }).click();
    await expect.poll(() => preview.getByLabel('Text version').inputValue()).toContain('25% OFF');
    await preview.getByRole('button', { name: 'Use Template' }).click();
    const form = dialog('Create Email Template');
    await expect.poll(() => form.getByLabel('Template Name').inputValue()).toBe('Sale Announcement');
    await expect
      .poll(() => form.getByRole('combobox', { name: 'Category' }).inputValue())
      .toBe('Promotional');
    await expect.poll(() => codeIn(form.getByLabel('HTML Content'))).toContain('<!doctype html>');
    await form.getByRole('button', { name: 'Create Template' }).click();
    await toast('Template Created').waitFor();
    const { items } = await call(page, 'GET', '/api/templates');
    expect(items[0]).toMatchObject({ name: 'Sale Announcement', category: 'promotional' });
    expect(items[0].htmlContent).toContain('{{coupon_code}}');
    expect(items[0]).toMatchObject({ mode: 'visual', textContent: null });
    // It opens in blocks.
    await page.getByRole('treeitem', { name: /^Footer/ }).waitFor();
  });

  it('is also there for each kind of business, with the kind in the address', async () => {
    await page.goto('/templates');
    await page.getByRole('radiogroup', { name: 'Presets for' }).getByText('Charity').click();
    await card('Appeal with Gift Aid').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?presets=charity');
    await page.goto('/templates?dialog=new&use=school-open-day');
    const name = dialog('Create Email Template').getByLabel('Template Name');
    await expect.poll(() => name.inputValue()).toBe('Open Day Invitation');
  });
});

describe('a template', () => {
  it('is shown at two widths, and nothing in it runs', async () => {
    await write({
      htmlContent:
        '<h1>Hello from Whitby</h1><img src="data:," onerror="top.ran = 1"><script>top.ran = 1</script><a href="javascript:top.ran=1">press</a>',
      textContent: 'Hello in words',
    });
    await page.goto('/templates');
    await button('Preview Autumn news').click();
    const preview = dialog('Template Preview: Autumn news');
    const width = async () => (await preview.locator('iframe').boundingBox())?.width;
    await preview.frameLocator('iframe').getByText('Hello from Whitby').waitFor();
    await expect.poll(width).toBe(680);
    await preview.getByText('Phone', { exact: true }).click();
    await expect.poll(width).toBe(375);
    await preview.frameLocator('iframe').getByText('press').click();
    expect(await page.evaluate('window.ran')).toBeUndefined();
    await preview.getByText('Text', { exact: true }).click();
    await expect.poll(() => preview.getByLabel('Text version').inputValue()).toBe('Hello in words');
    expect(await seriousFindingsInBoth(page)).toEqual([]);
  });

  it('is filled for the contact that one chooses, and says what is wrong with it', async () => {
    await call(page, 'POST', '/api/emails', { email: 'ann@millbank.co.uk', firstName: 'Ann' });
    await write({ htmlContent: '<h1>Dear {{ first_name }} {{ frist_name }}</h1>' });
    await page.goto('/templates');
    await shownIn('How Autumn news looks').getByText('Dear Priya').waitFor();
    await button('Preview Autumn news').click();
    const preview = dialog('Template Preview: Autumn news');
    await preview.frameLocator('iframe').getByText('Dear Priya').waitFor();
    await preview.getByText(/Did you mean “first_name”/).waitFor();
    await preview.getByText(/There is no unsubscribe link/).waitFor();
    await preview.getByLabel('Preview as').fill('millb');
    await page.getByRole('option', { name: 'ann@millbank.co.uk' }).click();
    await preview.frameLocator('iframe').getByText('Dear Ann').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.has('contact')).toBe(true);
    await preview.getByText('Text', { exact: true }).click();
    await expect.poll(() => preview.getByLabel('Text version').inputValue()).toContain('Dear Ann');
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await preview.getByLabel('Preview as').click();
    await page.getByRole('option', { name: 'Sample values' }).click();
    await expect.poll(() => preview.getByLabel('Text version').inputValue()).toContain('Dear Priya');
    await preview.getByRole('button', { name: 'Another contact' }).click();
    await expect.poll(() => preview.getByLabel('Text version').inputValue()).toContain('Dear Ann');
  });

  it('is edited, also as a new one, and the older version comes back', async () => {
    const { id } = await write();
    await page.goto('/templates');
    await button('Edit Autumn news').click();
    const form = dialog('Edit Email Template');
    await writeHtml(form, '<h1>Hello from York</h1>');
    await form.getByRole('button', { name: 'Save Template' }).click();
    await toast('Template Updated').waitFor();
    await shownIn('How Autumn news looks').getByText('Hello from York').waitFor();
    await button('Edit Autumn news').click();
    await expect.poll(() => codeIn(form.getByLabel('HTML Content'))).toBe('<h1>Hello from York</h1>');
    await form.getByLabel('Template Name').fill('Spring news');
    await form.getByRole('button', { name: 'Save as a new template' }).click();
    await toast('Template Created').waitFor();
    await card('Spring news').waitFor();
    await card('Autumn news').waitFor();

    await button('Actions for Autumn news').click();
    await page.getByRole('menuitem', { name: 'Versions' }).click();
    const versions = dialog('Versions');
    await versions.getByText('Version 2, current').waitFor();
    await versions.frameLocator('iframe').getByText('Hello from Whitby').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await versions.getByRole('button', { name: 'Go back to version 1' }).click();
    await toast('Version Restored').waitFor();
    expect((await call(page, 'GET', `/api/templates/${id}`)).htmlContent).toBe(news.htmlContent);
    await toast('Version Restored').getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(async () => (await call(page, 'GET', `/api/templates/${id}`)).htmlContent)
      .toBe('<h1>Hello from York</h1>');
  });

  it('is not overwritten unseen when another saves it meanwhile', async () => {
    const { id } = await write();
    await page.goto(`/templates?edit=${id}`);
    const form = dialog('Edit Email Template');
    await form.getByLabel('Template Name').fill('Mine');
    await call(page, 'PATCH', `/api/templates/${id}`, { name: 'Theirs' });
    const save = form.getByRole('button', { name: 'Save Template' });
    await save.click();
    await form.getByText(/changed “Theirs” in another window since you opened it here/).waitFor();
    expect((await call(page, 'GET', `/api/templates/${id}`)).name).toBe('Theirs');
    await expect.poll(() => form.getByLabel('Template Name').inputValue()).toBe('Mine');
    await save.click();
    await toast('Template Updated').waitFor();
    expect((await call(page, 'GET', `/api/templates/${id}`)).name).toBe('Mine');
  });

  it('is not saved by a field that is inserted into it', async () => {
    const { id } = await write();
    await page.goto(`/templates?edit=${id}`);
    const form = dialog('Edit Email Template');
    await writeHtml(form, '<p>Dear</p>');
    await form.getByRole('button', { name: 'Insert field' }).click();
    const insert = dialog('Insert a field');
    await insert.getByRole('combobox', { name: 'Field' }).click();
    await page.getByRole('option', { name: /^First name/ }).click();
    await insert.getByRole('button', { name: 'Insert' }).click();
    await expect.poll(() => codeIn(form.getByLabel('HTML Content'))).toContain('first_name');
    await form.getByRole('button', { name: 'Save Template' }).click();
    await toast('Template Updated').waitFor();
    expect((await call(page, 'GET', `/api/templates/${id}`)).htmlContent).toContain('first_name');
  });

  it('is duplicated, and deleted without asking, which the toast can undo', async () => {
    await write();
    await page.goto('/templates');
    await button('Actions for Autumn news').click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await card('Autumn news (copy)').waitFor();
    // Of a template that is gone there is no picture.
    await shownIn('How Autumn news looks').getByText('Hello from Whitby').waitFor();
    await button('Delete Autumn news').click();
    const told = toast('Template Deleted');
    await told.getByText('Template has been deleted successfully.').waitFor();
    // Its Undo would go by itself while the page is read again.
    await told.hover();
    await expect.poll(() => card('Autumn news').count()).toBe(0);
    await told.getByRole('button', { name: 'Undo' }).click();
    await toast('Template Restored').waitFor();
    await card('Autumn news').waitFor();
  });

  it('is only looked at by viewers, who read why', async () => {
    await write();
    await makeViewers(stage.product, stage.somebody);
    await page.goto('/templates');
    await card('Autumn news').waitFor();
    await expect.poll(() => button('Edit Autumn news').count()).toBe(0);
    await expect.poll(() => button('Delete Autumn news').count()).toBe(0);
    const why = page.getByText('Changing templates needs the editor role.');
    await pointAt(button('Create Template'), why);
    await button('Create Template').dispatchEvent('click');
    await page.waitForTimeout(300);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });
});
