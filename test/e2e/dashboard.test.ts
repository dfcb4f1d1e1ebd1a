// Tests of: dashboard, activities
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindings, seriousFindingsInBoth } from '#test/support/browser.ts';
import { dirtyRows } from '#test/support/dirty-data.ts';
import { bring, call, makeViewers, openStageSignedIn, type SignedInStage } from '#test/support/stage.ts';

// The dashboard in the real product: a new workspace, a first import, then everything people can do
// from there.

const number = new Intl.NumberFormat('en-GB');
const file = dirtyRows({ rows: 400, seed: 9 });
const expected = file.expected();
const priya = 'priya@harrowgatefoods.co.uk';

let stage: SignedInStage;
let page: Page;

openStageSignedIn(
  (opened) => {
    stage = opened;
    ({ page } = stage);
  },
  // From the calls that this test cuts off.
  { acceptDownloads: true, mayComplain: /net::ERR_FAILED/ },
);

const card = (name: string) => page.getByRole('region', { name, exact: true });
const figures = () => card('Figures');
const preview = () => page.getByRole('table', { name: 'Newest addresses' });
const activity = () => page.getByRole('table', { name: 'Recent activity' });
/** The dashboard after somebody has imported the file and added Priya by hand. */
async function openFilled(): Promise<void> {
  await bring(page, Buffer.concat([...file]), { name: 'first.csv' });
  await call(page, 'POST', '/api/emails', { email: priya });
  await page.goto('/dashboard');
  await preview().getByText(priya).waitFor();
}
const toast = (title: string) => page.getByRole('alert').filter({ hasText: title });

describe('the dashboard', () => {
  it('tells the owner of a new workspace what to do next', async () => {
    await page.goto('/');
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    await card('Start here').waitFor();
    await activity().waitFor();
    await page.getByText('No recent activities to display').waitFor();
    await page.getByText('Nothing has been imported yet.').waitFor();
    for (const label of ['Valid Emails', 'Suppressed', 'Invalid Emails', 'Unique Domains'])
      await figures().getByText(label, { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Clean the database' }).isDisabled()).toBe(true);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('comes to a fresh window in few files, compressed', async () => {
    const { page: fresh } = await stage.visit({ storageState: await page.context().storageState() });
    const files: { path: string; encoding: string | undefined }[] = [];
    fresh.on('response', (response) => {
      const { pathname: path } = new URL(response.url());
      if (/\.(js|css)$/.test(path) && path.startsWith('/assets/'))
        files.push({ path, encoding: response.headers()['content-encoding'] });
    });
    await fresh.goto('/dashboard');
    await fresh.getByRole('table', { name: 'Recent activity' }).waitFor();
    expect(files.filter(({ encoding }) => encoding === undefined)).toEqual([]);
    expect(files.length).toBeGreaterThan(5);
    expect(files.length).toBeLessThan(35);
  });

  it('shows what the first import made of the list', async () => {
    await bring(page, Buffer.concat([...file]), { name: 'first.csv' });
    await page.goto('/dashboard');
    await figures().getByText(number.format(expected.imported), { exact: true }).waitFor();
    // There was nothing before, so nothing has changed by any percentage.
    await expect.poll(() => figures().getByText('last import').count()).toBe(0);
    await card('Import').getByText('first.csv').waitFor();
    await expect.poll(() => preview().getByRole('row').count()).toBe(6);
    await activity()
      .getByText(`first.csv, ${number.format(expected.imported)} new`)
      .waitFor();
    await page.getByText(`${number.format(expected.imported)} rows`, { exact: true }).waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
  });

  it('draws each figure over thirty days, and leads from it to its list', async () => {
    await openFilled();
    const cell = figures().getByRole('link', { name: /^Valid Emails/ });
    await expect.poll(() => cell.locator('svg rect').count()).toBe(30);
    const today = await cell.locator('svg title').last().textContent();
    expect(today).toBe(`Today: ${number.format(expected.imported + 1)}`);
    await figures()
      .getByRole('link', { name: /^Unique Domains/ })
      .waitFor();
    await figures()
      .getByRole('link', { name: /^Suppressed/ })
      .waitFor();
    await figures()
      .getByRole('link', { name: /^Invalid Emails/ })
      .click();
    await page.waitForURL(/email-database\?status=invalid/);
  });

  it('compares with before the last import, whatever was done after it', async () => {
    await bring(page, 'email\nann@shop.co.uk\nbob@shop.co.uk\n');
    await bring(page, 'email\ncat@shop.co.uk\ndan@shop.co.uk\n');
    await page.goto('/dashboard');
    await figures().getByText('+100%').waitFor();
    await figures().getByText('since before the last import').waitFor();
    const { emails } = await call(page, 'GET', '/api/emails');
    await call(page, 'DELETE', '/api/emails/bulk', {
      ids: emails.slice(0, 2).map((one: { id: number }) => one.id),
    });
    await page.reload();
    await figures().getByText('No change').waitFor();
    await figures().getByText('since before the last import').waitFor();
  });

  it('adds an address from the keyboard', async () => {
    await bring(page, Buffer.concat([...file]), { name: 'first.csv' });
    await page.goto('/dashboard');
    await figures().getByText(number.format(expected.imported), { exact: true }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'Add New Email Address' }).waitFor();
    await expect.poll(() => page.url()).toContain('open=add-email');
    await page.getByRole('textbox', { name: 'Email address' }).fill(priya);
    await page.keyboard.press('Enter');
    await toast('Email Added').waitFor();
    await preview().getByText(priya).waitFor();
    await figures()
      .getByText(number.format(expected.imported + 1), { exact: true })
      .waitFor();
  });

  it('suppresses a domain, says whom it affects, and says when that failed', async () => {
    await openFilled();
    const open = async () => {
      await page.getByRole('button', { name: 'Suppress a domain' }).click();
      return page.getByRole('dialog', { name: 'Suppress a domain' });
    };
    const dialog = await open();
    await dialog.getByRole('textbox', { name: 'Domain' }).fill('harrowgatefoods.co.uk');
    await dialog.getByText('1 contact there would not be mailed any more.').waitFor();
    await page.route('**/api/suppressions/domain', (route) => route.abort(), { times: 1 });
    await page.keyboard.press('Enter');
    await toast('Failed to add domain suppression. Please try again.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Suppress domain' }).click();
    await toast('Domain Suppressed').getByText('1 contact will not be mailed').waitFor();
    // Its Undo would go by itself while the page is read again.
    await toast('Domain Suppressed').hover();
    await preview().getByText('Suppressed').waitFor();
    await activity().getByText('Domain Suppressed').waitFor();
    await toast('Domain Suppressed').getByRole('button', { name: 'Undo' }).click();
    await toast('Suppression Removed').getByText('harrowgatefoods.co.uk is off the list again.').waitFor();
    await preview().getByText('Suppressed').waitFor({ state: 'detached' });
  });

  it('searches the preview and takes the search along', async () => {
    await openFilled();
    const search = page.getByRole('searchbox', { name: 'Search addresses' });
    await page.keyboard.press('/');
    await search.fill('priya@harrow');
    await expect.poll(() => preview().getByRole('row').count()).toBe(2);
    await expect.poll(() => page.url()).toContain('search=priya%40harrow');
    await search.fill('nobody-has-this');
    await page.getByText('No address matches').waitFor();
    await search.fill('priya@harrow');
    await expect.poll(() => preview().getByRole('row').count()).toBe(2);
    await card('Email preview').getByRole('link', { name: 'View all' }).click();
    await page.waitForURL('**/email-database?search=priya%40harrow');
    await page.goBack();
    await expect.poll(() => preview().getByRole('row').count()).toBe(2);
  });

  it('exports everything', async () => {
    await openFilled();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      // The first is gone where both come at once.
      toast('Export Started').or(toast('Export Complete')).first().waitFor(),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\d{4}-\d{2}-\d{2}.*\.csv$/);
  });

  it('leads to all activities, which can be filtered', async () => {
    await openFilled();
    await card('Recent Activity').getByRole('link', { name: 'View all' }).click();
    await page.waitForURL('**/activities');
    // The address changes before the page does.
    await page.getByRole('button', { name: 'Days: Any day' }).waitFor();
    await page.getByText('first.csv', { exact: false }).first().waitFor();
    expect(await seriousFindings(page, 'dark')).toEqual([]);
    await narrowsByDays();
  });

  it('says that activities load, and what stands there when they do not come', async () => {
    await call(page, 'POST', '/api/suppressions/domain', { domain: 'harrowgatefoods.co.uk' });
    let fail = () => {};
    const held = new Promise<void>((resolve) => {
      fail = resolve;
    });
    await page.route('**/api/activities**', async (route) => {
      await held;
      await route.abort();
    });
    await page.goto('/dashboard');
    await activity().getByText('Loading activities...').waitFor();
    fail();
    const row = activity().getByRole('row').last();
    await row.getByText('Connecting to server...').waitFor();
    await expect
      .poll(() => row.getByRole('cell').allTextContents())
      .toEqual(['CSV Import', 'Connecting to server...', 'In Progress', 'Just now']);
    await page.unroute('**/api/activities**');
    // The figures above may still come, and would move a button away from under a press.
    await card('Recent Activity').getByRole('button', { name: 'Try again' }).press('Enter');
    await activity().getByText('Domain Suppressed').waitFor();
  });

  it('lets a viewer look and export, and says why not more', async () => {
    await bring(page, Buffer.concat([...file]), { name: 'first.csv' });
    await makeViewers(stage.product, stage.somebody);
    await page.goto('/dashboard');
    const add = page.getByRole('button', { name: 'Add an email address' });
    await add.waitFor();
    await expect.poll(() => add.isDisabled()).toBe(true);
    await expect.poll(() => add.textContent()).toContain('Needs the editor role');
    await expect.poll(() => page.getByRole('button', { name: 'Add email' }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Export as CSV' }).isEnabled()).toBe(true);
    await page.keyboard.press('n');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
  });
});

/**
 * Chooses days in the activities' calendar: a day without activities, then no days, then the last
 * seven.
 */
async function narrowsByDays(): Promise<void> {
  const field = (text: string | RegExp) => page.getByRole('button', { name: text });
  const asked = () => Object.fromEntries(new URL(page.url()).searchParams);
  const calendar = page.getByRole('dialog', { name: /^Days/ });
  await field('Days: Any day').click();
  await calendar.getByRole('button', { name: 'Today' }).waitFor();
  expect(await seriousFindingsInBoth(page)).toEqual([]);
  await calendar.getByRole('button', { name: 'Previous month' }).click();
  const first = calendar.getByRole('button', { name: /^1 \w+ \d{4}$/ }).first();
  await first.click();
  // While it waits for the second day it says so. Closing it then changes nothing.
  await field(/^Days: 1 \w+ \d{4} to …$/).waitFor();
  await page.keyboard.press('Escape');
  await field('Days: Any day').waitFor();
  expect(asked()).toEqual({});
  await page.keyboard.press('Enter');
  await calendar.getByRole('button', { name: 'Previous month' }).click();
  await first.click();
  await first.click();
  await page.getByText('Nothing like this has happened').waitFor();
  expect(asked()).toEqual({ from: expect.stringMatching(/^\d{4}-\d{2}-01$/), to: asked().from });
  await page.getByRole('button', { name: 'Any day', exact: true }).click();
  await page.getByText('first.csv', { exact: false }).first().waitFor();
  expect(asked()).toEqual({});
  await field('Days: Any day').click();
  await calendar.getByRole('button', { name: 'Last 7 days' }).click();
  await expect.poll(() => Object.keys(asked())).toEqual(['from', 'to']);
  await page.getByText('first.csv', { exact: false }).first().waitFor();
}
