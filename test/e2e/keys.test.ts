// Tests of: shell
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { seriousFindings } from '#test/support/browser.ts';
import { call, openStageSignedIn } from '#test/support/stage.ts';

let page: Page;

openStageSignedIn(async (stage) => {
  ({ page } = stage);
  for (const name of ['ann', 'ben', 'cat', 'dan'])
    await call(page, 'POST', '/api/emails', { email: `${name}@keysmith.co.uk` });
});

const palette = () => page.getByRole('dialog', { name: 'Search or go to' });
const field = () => palette().getByRole('textbox', { name: 'Search or go to' });
const entry = (name: string | RegExp) =>
  palette().getByRole('option', { name }).or(palette().getByRole('button', { name })).first();
const heading = (name: string) => page.getByRole('heading', { name, level: 1 });

it('goes to screens by the words of other products, and by slips of the keyboard', async () => {
  await page.goto('/');
  await heading('Dashboard').waitFor();
  await page.keyboard.press('Control+k');
  await field().waitFor();
  await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Search or go to');
  await page.keyboard.type('audience');
  await entry(/^Email Database/).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
  await field().fill('unsubscribed');
  await entry(/^Suppressions/).waitFor();
  await field().fill('supressions');
  await entry(/^Suppressions/).waitFor();
  await page.keyboard.press('Enter');
  await heading('Suppressions').waitFor();
  await page.keyboard.press('Control+k');
  await palette()
    .getByText('Recent', { exact: true })
    .or(entry(/^Suppressions/))
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await palette().waitFor({ state: 'detached' });
});

it('finds a contact and opens it, verifies an address, and changes the theme', async () => {
  await page.goto('/');
  await heading('Dashboard').waitFor();
  await page.keyboard.press('Control+k');
  await field().fill('ben@key');
  const ben = entry(/^ben@keysmith\.co\.uk/);
  await ben.getByText('Active').waitFor();
  // Matches load after the plain text search but appear above it.
  await palette().locator('[data-selected]', { hasText: 'ben@keysmith.co.uk' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'ben@keysmith.co.uk' }).waitFor();

  await page.keyboard.press('Control+k');
  await field().fill('sam@mailinator.com');
  await entry(/^Verify sam@mailinator\.com/).click();
  await page
    .getByRole('alert')
    .getByText(/sam@mailinator\.com: risk \d+ of 100/)
    .waitFor();

  await page.keyboard.press('Control+k');
  await field().fill('dark theme');
  await entry('Dark theme').click();
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
});

it('goes by g and a letter, and shows all keys, but not while one types', async () => {
  await page.goto('/email-database');
  await heading('Email Database').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('gd?');
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('gd?');
  await expect.poll(() => new URL(page.url()).pathname).toBe('/email-database');
  await page.keyboard.press('Escape');
  await page.locator('body').click({ position: { x: 600, y: 90 } });

  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await sheet.getByText('Move from row to row').waitFor();
  expect(await seriousFindings(page, 'dark')).toEqual([]);
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await expect.poll(() => new URL(page.url()).pathname).toBe('/email-database');

  for (const [key, name] of [
    ['d', 'Dashboard'],
    ['s', 'Suppressions'],
    ['i', 'Import Data'],
    [',', 'Settings'],
    ['e', 'Email Database'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await heading(name).waitFor();
  }
});

it('goes from the search into the rows, opens one, and comes back', async () => {
  await page.goto('/email-database?sort=address');
  await page.locator('tbody tr', { hasText: 'ann@keysmith.co.uk' }).waitFor();
  const focused = () => page.evaluate<string>('document.activeElement?.textContent ?? ""');
  const isInSearch = () =>
    page.evaluate<boolean>("document.activeElement?.getAttribute('role') === 'searchbox'");
  await page.keyboard.press('/');
  // At once, before the search has been asked for: the row is of what was typed.
  await page.keyboard.type('cat');
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toContain('cat@keysmith.co.uk');
  await expect.poll(() => page.locator('tbody tr').filter({ hasText: '@' }).count()).toBe(1);
  await page.keyboard.press('Enter');
  const record = page.getByRole('region', { name: 'cat@keysmith.co.uk' });
  await record.waitFor();
  await page.keyboard.press('Escape');
  await record.waitFor({ state: 'detached' });
  expect(await focused()).toContain('cat@keysmith.co.uk');
  await page.keyboard.press('Escape');
  await expect.poll(isInSearch).toBe(true);
  // Escape empties the search. Then all rows are below it.
  await page.keyboard.press('Escape');
  await page.locator('tbody tr', { hasText: 'dan@keysmith.co.uk' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toContain('ann@keysmith.co.uk');
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toContain('ben@keysmith.co.uk');
  await page.keyboard.press(' ');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('1 selected').waitFor({ state: 'hidden' });
  await page.keyboard.press('Escape');
  await expect.poll(isInSearch).toBe(true);
});

it('puts screens before actions in the palette, and names Admin to nobody else', async () => {
  await page.goto('/');
  await heading('Dashboard').waitFor();
  await page.keyboard.press('Control+k');
  await field().fill('import');
  await entry('Import a CSV').waitFor();
  // Screens first where both match as well.
  const labels = await palette().locator('[data-action]').allTextContents();
  expect(labels[0]).toMatch(/^Import Data/);
  await field().fill('admin');
  await entry(/“admin”/).waitFor();
  await expect.poll(() => entry(/^Admin/).count()).toBe(0);
  await page.keyboard.press('Escape');
});

it('selects rows from one to another with Shift', async () => {
  await page.goto('/email-database?sort=address');
  const boxes = page.locator('tbody').getByRole('checkbox');
  await boxes.nth(3).waitFor();
  await boxes.nth(0).click();
  await boxes.nth(2).click({ modifiers: ['Shift'] });
  await page.getByText('3 selected').waitFor();
  await page.locator('tbody tr').nth(3).focus();
  await page.keyboard.press('Space');
  await page.getByText('4 selected').waitFor();
  await page.locator('tbody tr').nth(1).focus();
  await page.keyboard.press('Shift+Space');
  await page.getByText('1 selected').waitFor();
});

it('gives the focus back to the button whose dialog was fetched and closed', async () => {
  await page.goto('/email-database');
  const clean = page.getByRole('button', { name: 'Clean', exact: true });
  await clean.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => clean.and(page.locator(':focus')).count()).toBe(1);
});

it('says that there is no such page inside the frame', async () => {
  await page.goto('/no-such-page');
  await page.getByText('404 Page Not Found').waitFor();
  await page.getByRole('link', { name: /^Email Database/ }).waitFor();
});
