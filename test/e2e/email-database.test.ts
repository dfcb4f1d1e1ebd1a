// Tests of: email-database, contacts, audience
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { seriousFindings } from '#test/support/browser.ts';
import { dirtyRows } from '#test/support/dirty-data.ts';
import { bring, call, openStageSignedIn } from '#test/support/stage.ts';

let page: Page;

openStageSignedIn(
  (stage) => {
    ({ page } = stage);
  },
  // From a call that this test cuts off, and from a refused address.
  { mayComplain: /net::ERR_FAILED|status of 409/ },
);

const eilidh = 'eilidh.macrae@stravaigcraft.scot';
/**
 * Adds Eilidh by hand and imports the rows of a trade fair, by default 4000. Returns how many
 * contacts that makes.
 */
async function fill(rows = 4000): Promise<number> {
  await call(page, 'POST', '/api/emails', { email: eilidh, notes: 'Met at the fair' });
  const { imported } = await bring(page, Buffer.concat([...dirtyRows({ rows })]), { name: 'trade-fair.csv' });
  return imported + 1;
}

// Without the rows that stand for contacts while they come.
const rows = () => page.locator('tbody tr').filter({ hasText: '@' });
const firstRow = () => rows().first().textContent();
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
/**
 * The only message on screen. Playwright waits for it. It must disappear before the next equal one.
 */
const toast = (title: string) =>
  page.getByRole('alert').filter({ has: page.getByText(title, { exact: true }) });
const shown = (text: string | RegExp) => page.getByText(text).first().waitFor();
const address = () => new URL(page.url());

it('shows a message above the bar of a selection, on a phone too', async () => {
  await fill(40);
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/email-database');
    const bar = page.getByRole('group', { name: 'Actions for the selection' });
    if (width > 768)
      await page
        .getByRole('checkbox', { name: /^Select .*@/ })
        .first()
        .click();
    else {
      await page
        .getByRole('button', { name: /^Actions for .*@/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Select', exact: true }).click();
    }
    await bar.waitFor();
    await page
      .getByRole('button', { name: /^Actions for .*@/ })
      .nth(1)
      .click();
    await page.getByRole('menuitem', { name: /^Copy/ }).click();
    const message = page.getByRole('alert').filter({ hasText: /copied/i });
    await message.waitFor();
    await expect
      .poll(async () => {
        const [above, below] = [await message.boundingBox(), await bar.boundingBox()];
        return above !== null && below !== null && above.y + above.height <= below.y;
      })
      .toBe(true);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
});

it('adds an address by hand, and says what is wrong with one that is none', async () => {
  await page.goto('/email-database');
  await shown('No contacts yet');
  await expect.poll(() => page.getByRole('link', { name: 'Import Data' }).count()).toBe(2);

  await button('Add Email').first().click();
  const dialog = page.getByRole('dialog', { name: 'Add New Email Address' });
  const field = dialog.getByRole('textbox', { name: 'Email address' });
  await expect.poll(() => dialog.getByRole('checkbox').isChecked()).toBe(true);
  await field.fill('not an address');
  await field.press('Enter');
  await dialog.getByText('Please enter a valid UK email address').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await field.press('End');
  await field.press('x');
  await expect.poll(() => dialog.getByText('Please enter a valid UK email address').count()).toBe(0);

  await field.fill(eilidh);
  await dialog.getByRole('textbox', { name: 'Notes (optional)' }).fill('Met at the fair');
  await field.press('Enter');
  await toast('Email Added').getByText('The email address has been added to the database.').waitFor();
  await shown(eilidh);

  await button('Add Email').click();
  await field.fill('Eilidh.MacRae@stravaigcraft.scot');
  await field.press('Enter');
  await dialog.getByText('This address is already in the database.').waitFor();
  await page.keyboard.press('Escape');
});

it('finds contacts, keeps what was asked for in the address, and opens it again from there', async () => {
  const total = await fill();
  const number = new Intl.NumberFormat('en-GB');

  await page.goto('/emails?size=50');
  await page.waitForURL('**/email-database?size=50');
  await shown(`1–50 of ${number.format(total)}`);
  await page.goto('/email-database');
  await shown(`1–20 of ${number.format(total)}`);
  await expect.poll(() => rows().count()).toBe(20);
  await expect.poll(() => page.getByRole('button', { name: /^Page \d/ }).count()).toBe(5);

  await button('Next page').click();
  await shown(`21–40 of ${number.format(total)}`);
  expect(address().searchParams.get('page')).toBe('2');

  await page.keyboard.press('/');
  await page.keyboard.type('stravaig');
  // The list may be down to one before the last letter is typed.
  await page.waitForURL('**/email-database?search=stravaig');
  await shown('1–1 of 1');
  await page.keyboard.type('nothing-like-it');
  await shown('Nothing matches “stravaignothing-like-it”');
  await button('Clear search').click();
  await shown(`1–20 of ${number.format(total)}`);

  const newest = await firstRow();
  await button('Address').click();
  await expect.poll(firstRow).not.toBe(newest);
  expect(Object.fromEntries(address().searchParams)).toEqual({ sort: 'address' });
  const firstOfAll = await firstRow();
  await button('Address').click();
  await expect.poll(firstRow).not.toBe(firstOfAll);
  expect(address().searchParams.get('order')).toBe('desc');

  await button('Filter').click();
  await page.getByRole('menuitem', { name: 'Domain' }).click();
  await page.getByRole('menuitem', { name: 'Type a domain…' }).click();
  await page.getByRole('textbox', { name: 'Domain' }).fill('stravaigcraft.scot');
  await button('Apply').click();
  await shown('1–1 of 1');
  await button('Filter').click();
  await page.getByRole('menuitem', { name: 'Status' }).click();
  await page.getByRole('menuitem', { name: 'Invalid' }).click();
  await shown('Nothing matches these filters');
  await page.goBack();
  await shown('1–1 of 1');
  await button('Remove the filter Domain stravaigcraft.scot').click();
  await shown(`1–20 of ${number.format(total)}`);

  await page.goto('/email-database?verdict=unknown');
  await shown(/are looked for among verified contacts/);
  await button('Verify all contacts').waitFor();
  await button('Clear filters').click();
  await shown(`1–20 of ${number.format(total)}`);
});

it('shows one record beside the table, and the next', async () => {
  await fill();
  await page.goto('/email-database?search=stravaigcraft');
  await rows().filter({ hasText: 'stravaigcraft' }).first().focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: eilidh });
  await panel.getByText('1 of 1', { exact: true }).waitFor();
  for (const text of ['by the ending .scot', 'Met at the fair', 'Added by hand']) {
    await panel.getByText(text).waitFor();
  }
  await expect.poll(() => panel.getByRole('button', { name: 'Next record' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });

  await page.goto('/email-database');
  await page.getByRole('region', { name: 'UK view' }).getByText('Your UK filter').waitFor();
  const topOfList = async () => {
    const box = await page.getByRole('table', { name: 'Contacts' }).boundingBox();
    return (box?.y ?? Number.NaN) + (await page.evaluate<number>('scrollY'));
  };
  const before = await topOfList();
  await rows().nth(19).locator('td').nth(1).click();
  await shown(/^20 of /);
  // The part above the list has less room now but keeps its height.
  expect(await topOfList()).toBe(before);
  await shown('trade-fair.csv');
  await rows().nth(0).getByRole('checkbox').check();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
  const link = page.url();
  await button('Next record').click();
  await shown(/^21 of /);
  expect(address().searchParams.get('page')).toBe('2');
  await button('Previous record').click();
  await shown(/^20 of /);
  await page.goto(link);
  await shown(/^20 of /);
});

it('suppresses one, and takes it back', async () => {
  await fill(400);
  await page.goto('/email-database?search=stravaigcraft');
  const menu = button(`Actions for ${eilidh}`);
  await menu.click();
  await page.getByRole('menuitem', { name: 'Suppress' }).click();
  await toast('Email Suppressed').waitFor();
  // Its Undo would go by itself while the page is read again.
  await toast('Email Suppressed').hover();
  await rows().first().getByText('Suppressed').waitFor();
  await toast('Email Suppressed').getByRole('button', { name: 'Undo' }).click();
  await toast('Suppression Removed').waitFor();
  await rows().first().getByText('Active').waitFor();
});

it('acts on what is selected, on all that match, and on nothing', async () => {
  await fill();
  await page.goto('/email-database');
  await button('Bulk actions').click();
  const bin = page.getByRole('menuitem', { name: 'Open the bin' });
  await expect.poll(() => bin.getAttribute('href')).toBe('/bin');
  await page.getByRole('menuitem', { name: 'Delete selected' }).click();
  await toast('No Emails Selected')
    .getByText('Please select at least one email to perform this action')
    .waitFor();

  await rows().nth(0).getByRole('checkbox').check();
  await rows().nth(2).getByRole('checkbox').check();
  await shown('2 selected');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    toast('Export Started').waitFor(),
    button('Export').last().click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^contacts-\d{4}-\d\d-\d\d\.csv$/);
  const [, ...lines] = (await streamText(download)).trimEnd().split('\n');
  expect(lines).toHaveLength(2);

  const places = page.getByText(/^1–20 of [\d,]+$/);
  const everybody = await places.textContent();
  await page.keyboard.press('/');
  // In one go: what comes for a part of it would be replaced, and the selection with it.
  await page.keyboard.insertText('.org.uk');
  await page.waitForURL(/search/);
  await expect.poll(() => places.textContent()).not.toBe(everybody);
  await rows().nth(0).getByRole('checkbox').check();
  const all = button(/^Select all [\d,]+$/);
  const count = (await all.textContent())?.replace('Select all ', '') ?? '';
  await all.click();
  await shown(`${count} selected`);
  const deleteAll = page.getByLabel('Actions for the selection').getByRole('button', { name: 'Delete' });
  await deleteAll.click();
  await page.getByRole('dialog', { name: 'Remove these contacts?' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Remove these contacts?' }).waitFor({ state: 'detached' });
  // Escape belongs to the dialog, so the careful selection stays.
  await shown(`${count} selected`);
  await deleteAll.click();
  await button(`Remove ${count} contacts`).click();
  await toast('Bulk Action Complete').getByText(`${count} contacts moved to the bin.`).waitFor();
  // Its Undo would go by itself while the page is read again.
  await toast('Bulk Action Complete').hover();
  await shown('Nothing matches “.org.uk”');
  await toast('Bulk Action Complete').getByRole('button', { name: 'Undo' }).click();
  await toast('Contacts Restored').getByText(`${count} contacts brought back.`).waitFor();
  await shown(`1–20 of ${count}`);
  await expect.poll(() => page.getByText(/ selected$/).count()).toBe(0);
});

it('says that nothing was done when the server refuses', async () => {
  await fill(400);
  await page.goto('/email-database');
  await page.route('**/api/emails/**', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
  );
  await rows()
    .first()
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await button('Remove 1 contact').click();
  await toast('Error').getByText('Failed to delete email. Please try again.').waitFor();
});

it('exports verdicts when asked to, and says so in the menu', async () => {
  await fill(400);
  await page.goto('/email-database');
  await rows().first().waitFor();
  await button('Choose the format of the export').click();
  const choice = page.getByRole('menuitemcheckbox', { name: 'Include verdicts' });
  await choice.waitFor();
  await expect.poll(() => choice.getAttribute('aria-checked')).toBe('false');
  expect(await seriousFindings(page)).toEqual([]);
  await choice.press('Enter');
  await expect.poll(() => choice.getAttribute('aria-checked')).toBe('true');
  const exported = page.getByRole('menuitem', { name: 'Export as CSV' });
  const [download] = await Promise.all([page.waitForEvent('download'), exported.click()]);
  expect((await streamText(download)).split('\n')[0]).toBe(
    'email,name,source,date,status,notes,created,first_name,last_name,verdict,reasons,suggestion,risk,uk,kind,verified',
  );
  await button('Choose the format of the export').click();
  await expect.poll(() => choice.getAttribute('aria-checked')).toBe('true');
  await choice.click();
  await expect.poll(() => choice.getAttribute('aria-checked')).toBe('false');
  await page.keyboard.press('Escape');
});

it('shows two lines a contact on a phone', async () => {
  await fill(400);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/email-database?status=active');
  await page.getByRole('list', { name: 'Contacts' }).getByRole('listitem').nth(19).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

async function streamText(download: { createReadStream(): Promise<AsyncIterable<Buffer>> }): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of await download.createReadStream()) parts.push(part);
  return Buffer.concat(parts).toString();
}
