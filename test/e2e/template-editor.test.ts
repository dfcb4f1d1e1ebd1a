// Tests of: templates
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindingsInBoth } from '#test/support/browser.ts';
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

describe('the editor of templates', () => {
  it('designs one in blocks, goes on in MJML and HTML, and says before what would be lost', async () => {
    await page.goto('/templates');
    await button('Design a template').click();
    await page.getByRole('heading', { name: 'New template' }).waitFor();
    await button('Undo').waitFor();
    await button('Create Template').click();
    await page.getByText('Template name is required').waitFor();
    await page.getByLabel('Template Name').fill('Autumn news');
    await button('Create Template').click();
    await page.waitForURL(/\/templates\/\d+$/);
    await page.getByRole('heading', { name: 'Autumn news' }).waitFor();
    expect(await stored()).toMatchObject({ name: 'Autumn news', mode: 'visual', version: 1 });
    await button('Undo').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await mode('MJML').click();
    const code = page.getByLabel('MJML Content');
    await expect.poll(() => code.inputValue()).toContain('<mj-text');
    await code.fill((await code.inputValue()).replace('A heading', 'Hello from Whitby'));
    await page.getByText('Not saved yet').waitFor();
    await shown().getByText('Hello from Whitby').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved at \d\d:\d\d$/).waitFor();
    expect(await stored()).toMatchObject({ mode: 'mjml', version: 2 });
    await mode('HTML').click();
    const html = page.getByLabel('HTML Content');
    await expect.poll(() => html.inputValue()).toContain('Hello from Whitby');
    await mode('Visual').click();
    await page
      .getByRole('dialog', { name: 'Go on in another way?' })
      .getByRole('button', { name: 'Go on' })
      .click();
    await button('Undo').waitFor();
    await page.getByRole('link', { name: 'Email Templates' }).click();
    await button('Leave without saving').click();
    await page.getByRole('heading', { name: 'Email Templates' }).waitFor();
    expect(await stored()).toMatchObject({ mode: 'mjml', version: 2 });
  });

  it('inserts a field with what stands there for those without, and shows the email to one of them', async () => {
    const body = { name: 'Hello', category: 'custom', htmlContent: '<p>Dear </p>' };
    const { id } = await call(page, 'POST', '/api/templates', body);
    await call(page, 'POST', '/api/emails', { email: 'ann@shop.co.uk', name: 'Ann Hill' });
    await page.goto(`/templates/${id}`);
    const html = page.getByLabel('HTML Content');
    await html.focus();
    await html.evaluate((field) =>
      (field as unknown as { setSelectionRange: (a: number, b: number) => void }).setSelectionRange(8, 8),
    );
    await button('Insert field').click();
    const dialog = page.getByRole('dialog', { name: 'Insert a field' });
    await dialog.getByLabel('For those without one').fill('friend');
    await dialog.getByRole('button', { name: 'Insert' }).click();
    await expect.poll(() => html.inputValue()).toBe('<p>Dear {{ first_name | default: "friend" }}</p>');
    await button('Preview').click();
    const preview = page.getByRole('dialog', { name: /^Template Preview/ });
    await preview.getByRole('combobox', { name: 'Preview as' }).fill('ann@');
    await page.getByRole('option', { name: 'ann@shop.co.uk' }).click();
    await preview.frameLocator('iframe').getByText('Dear Ann').waitFor();
  });

  it('sends a test to people of the workspace, filled for a contact, which waits in the outbox', async () => {
    const body = { name: 'Hello', category: 'custom', htmlContent: '<p>Dear {{ first_name }}</p>' };
    await call(page, 'POST', '/api/emails', { email: 'ann@shop.co.uk', name: 'Ann Hill' });
    const { id } = await call(page, 'POST', '/api/templates', body);
    await page.goto(`/templates/${id}`);
    await button('Send test').click();
    const dialog = page.getByRole('dialog', { name: 'Send a test' });
    await dialog.getByLabel('Subject (optional)').fill('News for {{ first_name }}');
    await dialog.getByRole('combobox', { name: 'Preview as' }).fill('ann@');
    await page.getByRole('option', { name: 'ann@shop.co.uk' }).click();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Test Sent').waitFor();
    await page.goto('/outbox');
    await page.getByText('[Test] News for Ann').first().waitFor();
  });

  it('overwrites nothing that somebody else has saved meanwhile', async () => {
    const body = { name: 'Hello', category: 'custom', htmlContent: '<p>One</p>' };
    const { id } = await call(page, 'POST', '/api/templates', body);
    await page.goto(`/templates/${id}`);
    await page.getByLabel('HTML Content').fill('<p>Mine</p>');
    await call(page, 'PATCH', `/api/templates/${id}`, { htmlContent: '<p>Theirs</p>' });
    await button('Save Template').click();
    await page.getByText('This was not saved').waitFor();
    await button('Take theirs').click();
    await expect.poll(() => page.getByLabel('HTML Content').inputValue()).toBe('<p>Theirs</p>');
    await page.getByLabel('HTML Content').fill('<p>Mine again</p>');
    await call(page, 'PATCH', `/api/templates/${id}`, { htmlContent: '<p>Theirs again</p>' });
    await button('Save Template').click();
    await button('Save mine over it').click();
    await page.getByText(/^Saved at \d\d:\d\d$/).waitFor();
    expect(await stored()).toMatchObject({ htmlContent: '<p>Mine again</p>', version: 4 });
  });
});
