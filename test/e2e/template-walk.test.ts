// Tests of: templates, images, mail
import type { Locator, Page } from 'playwright';
import { expect, it } from 'vitest';
import { seriousFindingsInBoth } from '#test/support/browser.ts';
import { picture } from '#test/support/pictures.ts';
import { call, openStageSignedIn } from '#test/support/stage.ts';

// A template from its first block to a test in the outbox, on the real pages. What is written is
// written with the keyboard alone.

let page: Page;
openStageSignedIn(
  (opened) => {
    ({ page } = opened);
  },
  { viewport: { width: 1440, height: 900 } },
);

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const block = (name: string | RegExp) => page.getByRole('treeitem', { name });
const toast = (title: string) => page.getByRole('alert').filter({ hasText: title });
const isFocused = (locator: Locator) =>
  locator
    .and(page.locator(':focus'))
    .count()
    .then((count) => count > 0);
const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Goes on with Tab until it is reached. */
async function tabTo(locator: Locator, key = 'Tab'): Promise<void> {
  for (let tabs = 0; tabs < 120 && !(await isFocused(locator)); tabs++) await press(key);
  expect(await isFocused(locator)).toBe(true);
}

/** Finds in the palette of the editor by typing. */
async function add(name: string): Promise<void> {
  await press('/');
  await focusIs('Find a block');
  await page.keyboard.type(name);
  await press('Enter');
}

const focusedName = () => page.evaluate<string | null>("document.activeElement?.getAttribute('aria-label')");
const focusIs = (name: string) => expect.poll(focusedName).toBe(name);

it('is built with the keyboard alone, shown to two contacts, tested, duplicated, changed and taken back', async () => {
  const send = {
    file: { name: 'jug.png', mimeType: 'image/png', buffer: await picture({ width: 600, height: 300 }) },
  };
  await page.request.post('/api/images', { multipart: { ...send, name: 'Jug' } });
  await call(page, 'POST', '/api/emails', { email: 'ada@shop.co.uk', firstName: 'Ada' });
  await call(page, 'POST', '/api/emails', { email: 'office@shop.co.uk' });
  await page.goto('/templates/new');
  await page.getByRole('tree').waitFor();
  await tabTo(page.getByLabel('Template Name'));
  await page.keyboard.type('Autumn news');

  await tabTo(page.getByRole('treeitem').first());
  await add('two col');
  await focusIs('Columns: 2');
  await press('ArrowRight');
  await focusIs('Column 1: Empty');
  await add('image');
  await focusIs('Image');
  await press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Choose a picture');
  await press('Enter');
  const jug = dialog('Choose an image')
    .getByRole('button', { name: /^Choose / })
    .first();
  await jug.waitFor();
  await tabTo(jug);
  await press('Enter');
  await tabTo(page.getByLabel('Alternative text'));
  await page.keyboard.type('A blue jug');
  await tabTo(button('Insert image'));
  await press('Enter');
  await block('Image: A blue jug').waitFor();
  await tabTo(block('Image: A blue jug'));
  await press('ArrowDown');
  await focusIs('Column 2: Empty');
  await add('text');
  await press('Enter');
  await focusIs('Text');
  await press('Control+a');
  await page.keyboard.type('Hello ');
  await tabTo(button('Insert a merge field'));
  await press('Enter');
  const field = dialog('Insert a field');
  await field.getByLabel('For those without one').waitFor();
  await tabTo(field.getByLabel('For those without one'));
  await page.keyboard.type('friend');
  await tabTo(field.getByRole('button', { name: 'Insert' }));
  await press('Enter');
  await focusIs('Text');
  await page.keyboard.type(', welcome');
  await press('Escape');
  await focusIs('Text: Hello First name or “friend”, welcome');
  await press('Home');
  await add('button');
  await press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement?.value')).toBe('Find out more');
  await press('Control+a');
  await page.keyboard.type('Order now');
  await press('Tab', 'Tab');
  await page.keyboard.type('https://shop.example/');
  expect(await seriousFindingsInBoth(page)).toEqual([]);
  await press('Control+s');
  await page.waitForURL(/\/templates\/\d+$/);

  for (const [search, words] of [
    ['ada@', 'Hello Ada, welcome'],
    ['office@', 'Hello friend, welcome'],
  ] as const) {
    await press('Escape');
    await tabTo(button('Preview'));
    await press('Enter');
    const preview = dialog(/^Template Preview/);
    await tabTo(preview.getByRole('combobox', { name: 'Preview as' }));
    await page.keyboard.type(search);
    await page.getByRole('option', { name: `${search}shop.co.uk` }).waitFor();
    await press('Enter');
    await preview.frameLocator('iframe').getByText(words).waitFor();
    await press('Escape');
  }
  await tabTo(button('Send test'));
  await press('Enter');
  const test = dialog('Send a test');
  await tabTo(test.getByLabel('Subject (optional)'));
  await page.keyboard.type('Autumn for {{ first_name | default: "you" }}');
  await tabTo(test.getByRole('button', { name: 'Send test' }));
  await press('Enter');
  await toast('Test Sent').waitFor();
  await page.goto('/outbox');
  await page
    .getByText(/^\[Test\] Autumn for/)
    .first()
    .click();
  const look = page.getByRole('dialog').locator('iframe').contentFrame();
  await look.getByText(/Hello .+, welcome/).waitFor();

  await page.goto('/templates');
  await button('Actions for Autumn news').click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await button('Edit Autumn news (copy)').click();
  await page.getByRole('heading', { name: 'Autumn news (copy)' }).waitFor();
  await block('Button: Order now').click();
  await press('Delete');
  await expect.poll(() => block('Button: Order now').count()).toBe(0);
  await button('Save Template').click();
  await page.getByText('Saved just now').waitFor();
  await page.goto('/templates');
  await button('Actions for Autumn news (copy)').click();
  await page.getByRole('menuitem', { name: 'Versions' }).click();
  await button('Go back to version 1').click();
  await toast('Version Restored').waitFor();
  const { items } = await call(page, 'GET', '/api/templates');
  const contents = await Promise.all(
    items.map(({ id }: { id: number }) => call(page, 'GET', `/api/templates/${id}`)),
  );
  expect(contents.map(({ name }) => name).toSorted()).toEqual(['Autumn news', 'Autumn news (copy)']);
  for (const { htmlContent, version, name } of contents) {
    expect(htmlContent).toContain('https://shop.example/');
    expect(version).toBe(name === 'Autumn news' ? 1 : 3);
  }
});
