// Tests of: suppressions
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { seriousFindings } from '#test/support/browser.ts';
import { holdsNone } from '#test/support/settle.ts';
import { bring, call, makeViewers, openStageSignedIn, type SignedInStage } from '#test/support/stage.ts';

let stage: SignedInStage;
let page: Page;

openStageSignedIn(
  (opened) => {
    stage = opened;
    ({ page } = stage);
  },
  // From text that is neither an address nor a domain.
  { acceptDownloads: true, mayComplain: /status of 4/ },
);

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const toast = (title: string) =>
  page.getByRole('alert').filter({ has: page.getByText(title, { exact: true }) });
/** This many people of `firm0` to `firm699` who unsubscribed. */
const listOf = (count: number) =>
  Array.from({ length: count }, (_, n) => `person${n}@firm${n % 700}.co.uk\n`).join('');
async function suppress(list: string): Promise<void> {
  const file = { name: 'opted-out.txt', mimeType: 'text/plain', buffer: Buffer.from(list) };
  const answer = await page.request.post('/api/suppressions/import', {
    multipart: { reason: 'unsubscribed', file },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}
const shown = (text: string | RegExp) => page.getByText(text).first().waitFor();

it('adds an address by hand with Enter, ignores blanks, and says what is wrong with what is none', async () => {
  await page.goto('/suppressions');
  await shown('No suppressed addresses yet');
  const field = page.getByRole('textbox', { name: 'Email address to suppress' });
  await expect.poll(() => field.getAttribute('type')).toBe('email');
  await field.fill('   ');
  await field.press('Enter');
  await holdsNone(page.getByRole('alert'));
  await field.fill('nobody');
  await field.press('Enter');
  await shown(/no @ sign/);
  // Beside the field, and nowhere else.
  await holdsNone(toast('Error'));
  await field.fill(' Ann@Acme.co.uk ');
  await field.press('Enter');
  await toast('Email Suppressed').getByText('ann@acme.co.uk will not be mailed.').waitFor();
  await page.getByRole('row').filter({ hasText: 'ann@acme.co.uk' }).getByText('Manual suppression').waitFor();
  await expect.poll(() => field.inputValue()).toBe('');
});

it('takes an address back that was just put on the list, and leaves alone what was there before', async () => {
  await page.goto('/suppressions');
  const field = page.getByRole('textbox', { name: 'Email address to suppress' });
  const row = page.getByRole('row').filter({ hasText: 'ann@acme.co.uk' });
  const add = async () => {
    await field.fill('ann@acme.co.uk');
    await field.press('Enter');
  };
  await add();
  // Its Undo would go by itself while the page is read again.
  await toast('Email Suppressed').hover();
  await row.waitFor();
  await toast('Email Suppressed').getByRole('button', { name: 'Undo' }).click();
  await toast('Suppression Removed').getByText('ann@acme.co.uk is off the list again.').waitFor();
  await row.waitFor({ state: 'detached' });
  await call(page, 'POST', '/api/suppressions/email/manual', { email: 'ann@acme.co.uk' });
  await add();
  const again = toast('Email Suppressed').filter({ hasText: 'ann@acme.co.uk was on the list already.' });
  await again.waitFor();
  await holdsNone(again.getByRole('button', { name: 'Undo' }));
  await row.waitFor();
});

it('gives an address the room of a column that stands empty', async () => {
  const long = 'agnieszka.penhaligon@westhampton.hants.sch.uk';
  await call(page, 'POST', '/api/suppressions/email/manual', { email: long });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/suppressions');
  await page.getByTitle(long).waitFor();
  const isCut = () =>
    page.evaluate<boolean>(`(() => {
      const parts = [...document.querySelector('[title="${long}"]').children];
      return parts.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    })()`);
  await expect.poll(isCut).toBe(false);
  await page.setViewportSize({ width: 1280, height: 720 });
});

it('suppresses a domain on the other tab, which is part of the address', async () => {
  await page.goto('/suppressions');
  await page.getByRole('tab', { name: /^Domain Suppressions/ }).click();
  await page.waitForURL('**/suppressions?tab=domains');
  const field = page.getByRole('textbox', { name: 'Domain to suppress' });
  await field.fill('co.uk');
  await field.press('Enter');
  await shown(/many organisations share/);
  await field.fill('https://www.shop.uk/contact');
  await field.press('Enter');
  await toast('Domain Suppressed').waitFor();
  await page.getByRole('row').filter({ hasText: 'shop.uk' }).first().waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});

it('tells entries from the contacts they suppress, here and in the menu', async () => {
  await bring(page, 'email\nann@shop.uk\nbob@shop.uk\ncat@acme.co.uk\n');
  await suppress('cat@acme.co.uk\nnobody@elsewhere.co.uk\n');
  await page.goto('/suppressions');
  const menu = page.getByRole('link', { name: 'Suppressions 2 entries' });
  await menu.waitFor();
  await page.getByText('Both lists together keep 1 contact from being mailed.').waitFor();
  await page.getByRole('tab', { name: /^Domain Suppressions/ }).click();
  const field = page.getByRole('textbox', { name: 'Domain to suppress' });
  await field.fill('shop.uk');
  await field.press('Enter');
  await page.getByText('Both lists together keep 3 contacts from being mailed.').waitFor();
  await page.getByRole('link', { name: 'Suppressions 3 entries' }).waitFor();
  await page.getByRole('link', { name: '3 contacts', exact: true }).click();
  await page.waitForURL('**/email-database?status=suppressed');
  await page.getByText('1–3 of 3').waitFor();
});

it('imports a list of 50,000, searches it, filters by reason, and exports all of it', async () => {
  await call(page, 'POST', '/api/suppressions/email/manual', { email: 'ann@acme.co.uk' });
  await page.goto('/suppressions?dialog=import');
  const dialog = page.getByRole('dialog', { name: 'Import a suppression list' });
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'opted-out.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(`${listOf(50_000)}person1@firm1.co.uk\nnonsense\n`),
  });
  expect(await seriousFindings(page)).toEqual([]);
  const reason = dialog.getByRole('combobox', { name: 'Reason' });
  await expect.poll(() => reason.inputValue()).toBe('Unsubscribed');
  await dialog.getByRole('button', { name: 'Import list' }).click();
  await dialog.getByText('50,000 new addresses').waitFor();
  await dialog.getByText('1 line could not be read').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await shown('1–20 of 50,001');

  // A person who left the dialog can find the result again, with the unreadable lines.
  const { items } = await (await page.request.get('/api/tasks')).json();
  await page.goto(items[0].link);
  const result = page.getByRole('dialog', { name: 'Imported suppression list' });
  await result.getByText('50,000 new addresses').waitFor();
  await result.getByRole('link', { name: 'Download them with the reasons' }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await result.getByRole('button', { name: 'Done' }).click();
  await page.waitForURL(/\/suppressions$/);

  await page.keyboard.press('/');
  await page.keyboard.type('person4999@');
  await shown('1–1 of 1');
  await page
    .getByRole('row')
    .filter({ hasText: 'person4999@firm99.co.uk' })
    .getByText('Unsubscribed')
    .waitFor();
  await button('Clear the search').click();
  await button('Filter').click();
  await page.getByRole('menuitem', { name: 'Manual suppression' }).click();
  await shown('1–1 of 1');
  await button('Remove the filter Reason Manual suppression').click();
  await shown('1–20 of 50,001');

  await button('Export').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    toast('Export Started').waitFor(),
    page.getByRole('menuitem', { name: 'Addresses' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  expect(text.split('\n')).toHaveLength(50_003);
  expect(text).toContain('person49999@firm299.co.uk,unsubscribed,');
});

it('asks why before an entry is removed, warns of what the person asked for, and puts it back', async () => {
  await suppress(listOf(5000));
  await page.goto('/suppressions?search=person4999%40');
  const menu = button('Actions for person4999@firm99.co.uk');
  await menu.click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove this suppression?' });
  await dialog.getByText('This person asked not to be mailed.').waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Remove suppression' }).isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Wrote on 3 May to get the catalogue again');
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await toast('Suppression Removed').waitFor();
  // Its Undo would go by itself while the page is read again.
  await toast('Suppression Removed').hover();
  await shown(/^Nothing matches/);
  await button('Undo').click();
  await toast('Suppression Restored').waitFor();
  await menu.waitFor();

  await page.goto('/suppressions');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page
    .getByRole('toolbar')
    .or(page.getByLabel('Actions for the selection'))
    .getByRole('button', { name: 'Remove' })
    .click();
  const several = page.getByRole('dialog', { name: 'Remove these suppressions?' });
  await several.getByRole('textbox', { name: 'Reason' }).fill('a test of twenty');
  await several.getByRole('button', { name: 'Remove 20 addresses' }).click();
  await shown('1–20 of 4,980');
});

it('tells no failure of a removal that goes on where the page may not see it', async () => {
  await suppress(listOf(2));
  await page.goto('/suppressions');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page
    .getByRole('toolbar')
    .or(page.getByLabel('Actions for the selection'))
    .getByRole('button', { name: 'Remove' })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Remove these suppressions?' });
  await dialog.getByLabel('Reason').fill('They have come back');
  // The server knows no such work: what it is asked about it after the start is refused.
  const id = 2_000_000_000;
  const task = { id, kind: 'suppressions.lift', title: 'Removing', status: 'running', done: 0, total: null };
  await page.route('**/api/suppressions/emails', (route) =>
    route.fulfill({ status: 202, json: { taskId: id } }),
  );
  await page.route(`**/api/tasks/${id}`, (route) => route.fulfill({ json: task }), { times: 1 });
  await dialog.getByRole('button', { name: 'Remove 2 addresses' }).click();
  await page.getByRole('alert').filter({ hasText: 'How this ended is not known' }).waitFor();
});

it('lets nobody select rows of the search before, and counts what it removes', async () => {
  await suppress(listOf(30));
  await page.goto('/suppressions?search=person2');
  await shown('1–11 of 11');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/suppressions/emails?*', async (route) => {
    await released;
    await route.continue();
  });
  await button('Clear the search').click();
  const head = page.getByRole('checkbox', { name: 'Select all on this page' });
  await expect.poll(() => head.isDisabled()).toBe(true);
  const one = page.getByRole('checkbox', { name: 'Select person2@firm2.co.uk' });
  await one.click();
  await expect.poll(() => one.isChecked()).toBe(false);
  release();
  await shown('1–20 of 30');
  await head.check();
  await button('Select all 30').click();
  // Somebody adds one meanwhile.
  await call(page, 'POST', '/api/suppressions/email/manual', { email: 'ann@acme.co.uk' });
  const bar = page.getByLabel('Actions for the selection');
  await bar.getByRole('button', { name: 'Remove' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove these suppressions?' });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('a test of all');
  await dialog.getByText('31 addresses', { exact: true }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await button('Discard').click();
  // A count that does not come lets nobody remove.
  await page.unroute('**/api/suppressions/emails?*');
  await page.route('**/api/suppressions/emails?*', (route) =>
    route.fulfill({ status: 409, json: { message: 'Not now.' } }),
  );
  await bar.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText('The entries could not be counted').waitFor();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('a test of all');
  await expect.poll(() => dialog.getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true);
});

it('lets nobody select such rows on a phone either', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await suppress(listOf(30));
  await page.goto('/suppressions?search=person2');
  await shown('1–11 of 11');
  const menu = button('Actions for person2@firm2.co.uk');
  const select = page.getByRole('menuitem', { name: 'Select' });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/suppressions/emails?*', async (route) => {
    await released;
    await route.continue();
  });
  await button('Clear the search').click();
  await menu.click();
  await expect.poll(() => select.isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  release();
  await shown('1–20 of 30');
  await button('Actions for person9@firm9.co.uk').click();
  await select.click();
  const one = page.getByRole('checkbox', { name: 'Select person9@firm9.co.uk' });
  await expect.poll(() => one.isChecked()).toBe(true);
});

it('a viewer reads and exports the lists, and sees nothing that would change them', async () => {
  await suppress(listOf(30));
  await makeViewers(stage.product, stage.somebody);
  await page.goto('/suppressions');
  await shown('1–20 of 30');
  await expect.poll(() => button('Export').isEnabled()).toBe(true);
  await expect.poll(() => button('Import list').count()).toBe(0);
  await expect.poll(() => page.getByRole('textbox', { name: 'Email address to suppress' }).count()).toBe(0);
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(0);
  await page
    .getByRole('button', { name: /^Actions for / })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Copy' }).waitFor();
  await expect.poll(() => page.getByRole('menuitem', { name: 'Remove' }).count()).toBe(0);
});
