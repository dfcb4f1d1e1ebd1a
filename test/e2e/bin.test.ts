// Tests of: bin, maintenance, tasks
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { type SignedInPage, seriousFindings } from '#test/support/browser.ts';
import { settle } from '#test/support/settle.ts';
import { bring, call, openStageSignedIn } from '#test/support/stage.ts';

// Large removals as people see them: the cleanup, its progress in the tray, the bell, the bin and
// the way back.

let somebody: SignedInPage;
let page: Page;

const contacts = 70_000;
const foreign = 14_000;

openStageSignedIn((stage) => {
  ({ somebody, page } = stage);
});

/** This many contacts, a fifth of them abroad. */
async function fill(count = contacts): Promise<void> {
  const lines = Array.from({ length: count }, (_, n) =>
    n % 5 === 0 ? `person${n}@firma${n % 40}.de` : `person${n}@shop${n % 300}.co.uk`,
  );
  const allow = (...allowedDomains: string[]) =>
    call(page, 'PATCH', '/api/settings', { emailValidation: { allowedDomains } });
  // Under another default, so that nobody has chosen to let them in.
  await allow('.uk', '.de');
  const answer = await bring(page, `email\n${lines.join('\n')}\n`, { name: 'spring.csv' });
  expect(answer).toMatchObject({ imported: count });
  await allow('.uk');
}
/** The cleanup by a direct call, not through the screen. */
const cleanUp = () => call(page, 'POST', '/api/maintenance/cleanup');

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const toast = (title: string) =>
  page.getByRole('alert').filter({ has: page.getByText(title, { exact: true }) });
const totalOf = async () =>
  ((await (await somebody.context.request.get('/api/stats')).json()) as { totalEmails: number }).totalEmails;
const widthOfPage = () => page.evaluate<number>('document.documentElement.scrollWidth');
const picture = async (name: string) => {
  if (!process.env.PICTURES) return;
  await settle(page);
  await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
};

it('cleans up from the settings, with a preview, and says what was removed', async () => {
  await fill();
  await page.goto('/settings');
  const card = page.getByRole('region', { name: 'Maintenance' });
  await card.scrollIntoViewIfNeeded();
  expect(await seriousFindings(page)).toEqual([]);
  await picture('maintenance');
  await card.getByRole('button', { name: 'Clean up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Clean up the database' });
  await dialog.getByRole('button', { name: 'Remove 14,000 contacts' }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await picture('cleanup-dialog');
  await dialog.getByRole('button', { name: 'Remove 14,000 contacts' }).click();
  await toast('Database Cleanup Complete').getByText('14,000 contacts removed', { exact: false }).waitFor();
  expect(await totalOf()).toBe(contacts - foreign);
  await button(/^Tasks: /).click();
  await page
    .getByRole('dialog', { name: 'Tasks' })
    .getByText('14,000 contacts removed', { exact: false })
    .waitFor();
  await picture('tray');
  await page.keyboard.press('Escape');
});

it('tells of it under the bell, until it was seen', async () => {
  await fill(50);
  await cleanUp();
  await page.goto('/dashboard');
  await button(/^Notifications, \d new$/).click();
  const list = page.getByRole('dialog', { name: 'Notifications' });
  await list.getByRole('link', { name: 'Database Cleaned' }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await picture('bell');
  await page.keyboard.press('Escape');
  await button('Notifications').waitFor();
  await page.reload();
  await button('Notifications').waitFor();
});

it('holds what was removed in the bin, searched inside and brought back', async () => {
  await fill();
  await cleanUp();
  await page.goto('/email-database');
  await page.getByRole('link', { name: 'Bin', exact: true }).click();
  await page.getByRole('heading', { name: 'Bin', exact: false, level: 1 }).waitFor();
  await page.getByText('14,000 outside the UK', { exact: false }).first().click();
  const panel = page.getByRole('complementary', { name: 'Record' }).or(page.getByRole('dialog'));
  await panel.getByRole('searchbox').fill('person55@');
  await panel.getByText('person55@firma15.de').waitFor();
  await expect.poll(() => panel.getByText('person60@', { exact: false }).count()).toBe(0);
  await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('person55@');
  for (const colours of ['light', 'dark'] as const) {
    expect(await seriousFindings(page, colours)).toEqual([]);
    await picture(`bin-${colours}`);
  }
  await panel.getByRole('button', { name: 'Restore 14,000 contacts' }).click();
  await toast('Contacts Restored').getByText('14,000 contacts brought back').waitFor();
  expect(await totalOf()).toBe(contacts);
  await page.getByText('Restored', { exact: true }).first().waitFor();
});

it('deletes all that a filter finds as a task that another tab finds too, and undoes it from the message', async () => {
  await fill();
  const other = await somebody.context.newPage();
  const looks = other.waitForResponse(/\/api\/tasks\?.*open=true/);
  await other.goto('/dashboard');
  // From now on it hears of what is begun elsewhere.
  await looks;
  await page.goto('/email-database?search=shop');
  await page.getByRole('checkbox').first().check();
  await button(/^Select all/).click();
  await button('Delete').click();
  const seenElsewhere = other.getByRole('button', { name: /^Tasks: / }).waitFor();
  await button('Remove 56,000 contacts').click();
  await toast('Bulk Action Complete').getByText('56,000 contacts moved to the bin').waitFor();
  // Its Undo would go by itself while the figures are read.
  await toast('Bulk Action Complete').hover();
  expect(await totalOf()).toBe(foreign);
  await toast('Bulk Action Complete').getByRole('button', { name: 'Undo' }).click();
  await toast('Contacts Restored').waitFor();
  expect(await totalOf()).toBe(contacts);
  await seenElsewhere;
  await other.close();
});

it('lists what happened, and shows it on a phone', async () => {
  await fill(5000);
  await cleanUp();
  await call(page, 'DELETE', '/api/emails/bulk', { filter: { search: 'shop' } });
  for (const colours of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: colours });
    await page.goto('/activities');
    await page.getByRole('row', { name: /Database Cleaned/ }).waitFor();
    const findings = await seriousFindings(page, colours);
    await picture(`activities-${colours}`);
    expect(findings).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText('Database Cleaned').first().waitFor();
  await expect.poll(widthOfPage).toBe(390);
  await picture('activities-phone');
  await page.goto('/bin');
  await page.getByText('Deleted, 4,000').waitFor();
  await expect.poll(widthOfPage).toBe(390);
  await picture('bin-phone');
});

it('cleans for chosen reasons, with samples, and leaves what an import let in', async () => {
  const lines = Array.from(
    { length: 60 },
    (_, n) => `person${n}@${n % 3 === 0 ? 'gmail.com' : `shop${n}.com`}`,
  );
  await bring(page, `email\n${lines.join('\n')}\n`, {
    name: 'fair.csv',
    options: { ukPolicy: 'any_but_foreign_cctld' },
  });
  await fill(50);
  await page.goto('/dashboard');
  await button('Clean the database').click();
  const dialog = page.getByRole('dialog', { name: 'Clean the database' });
  const reason = (name: string) => dialog.getByRole('switch', { name, exact: true });
  await dialog.getByRole('button', { name: 'Remove 10 contacts' }).waitFor();
  await dialog.getByText('10 would go, 100 stay').waitFor();
  await expect.poll(() => reason('Non-UK').isChecked()).toBe(true);
  await expect.poll(() => reason('Non-UK, let in by their import').isChecked()).toBe(false);
  await expect.poll(() => reason('Duplicates').isDisabled()).toBe(true);
  await dialog.getByText('gmail.com 20, shop1.com 1, shop10.com 1', { exact: false }).waitFor();
  await dialog.getByText('person0@gmail.com', { exact: false }).waitFor();
  for (const colours of ['light', 'dark'] as const) {
    expect(await seriousFindings(page, colours)).toEqual([]);
    await picture(`clean-reasons-${colours}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(widthOfPage).toBe(390);
  await picture('clean-reasons-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  await reason('Non-UK').press('Space');
  await dialog.getByRole('button', { name: 'Nothing to remove' }).waitFor();
  await reason('Non-UK, let in by their import').press('Space');
  await dialog.getByRole('button', { name: 'Remove 60 contacts' }).click();
  await toast('Database Cleaned').getByText('60 contacts removed', { exact: false }).waitFor();
  expect(await totalOf()).toBe(50);
  await toast('Database Cleaned').getByRole('button', { name: 'Undo' }).click();
  await toast('Contacts Restored').waitFor();
  // What nobody chose is kept, and said.
  await button('Clean the database').click();
  await dialog.getByRole('button', { name: 'Remove 10 contacts' }).click();
  await toast('Database Cleaned').getByText('60 outside the UK setting kept', { exact: false }).waitFor();
  expect(await totalOf()).toBe(100);
});
