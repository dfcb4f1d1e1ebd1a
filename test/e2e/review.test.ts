// Tests of: review
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { seriousFindings } from '#test/support/browser.ts';
import { bring, call, openStageSignedIn } from '#test/support/stage.ts';

let page: Page;

const contacts = [
  'email,name,source',
  'jo.bloggs@acme.co.uk,Jo Bloggs,fair',
  'info@acme.co.uk,,website',
  'priya@gmial.com,Priya,website',
  'tom@gmial.com,Tom,website',
  'sam@mailinator.com,,website',
  'a.b.smith@gmail.com,Anna Smith,fair',
  'absmith+news@googlemail.com,,shop',
  'mair@btinternet.com,Mair,shop',
];

openStageSignedIn(async (stage) => {
  ({ page } = stage);
  await bring(page, `${contacts.join('\n')}\n`, { name: 'people.csv', options: { filterNonUk: false } });
});

/** Judges all contacts, so that there is something to review. */
const verify = () => call(page, 'POST', '/api/verifications', { dns: false });

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const toast = (title: string) =>
  page.getByRole('alert').filter({ has: page.getByText(title, { exact: true }) });
const shown = (text: string | RegExp) => page.getByText(text).first().waitFor();

it('says how much of the list is in the UK, and what the filter would leave out', async () => {
  await page.goto('/email-database');
  const view = page.getByRole('region', { name: 'UK view' });
  await view.getByText('would leave out 6').waitFor();
  await view.getByRole('button', { name: '1 likely UK' }).waitFor();
  await view.getByRole('button', { name: '2 global' }).waitFor();
  await expect.poll(() => view.getByText('not counted').count()).toBe(0);
  // It describes the whole list, so beside a part of it, it would mislead.
  await view.getByRole('button', { name: '1 likely UK' }).click();
  await page.waitForURL(/uk=likely_uk/);
  await view.waitFor({ state: 'detached' });
  await page.goto('/email-database');
  await view.waitFor();
});

it('verifies the contacts and finds the risky ones', async () => {
  await page.goto('/email-database');
  await button('Verify').focus();
  await page.keyboard.press('Enter');
  await toast('Verification Complete').waitFor();
  // It could not be pressed meanwhile, and has the focus again.
  await expect.poll(() => button('Verify').and(page.locator(':focus')).count()).toBe(1);
  await button('Filter').click();
  await page.getByRole('menuitem', { name: 'Reason' }).click();
  await page.getByRole('menuitem', { name: 'Disposable' }).click();
  await shown('sam@mailinator.com');
  await expect.poll(() => new URL(page.url()).searchParams.get('reason')).toBe('disposable');
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  await page.goto('/email-database?verdict=risky&sort=address');
  await shown('priya@gmial.com');
  await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
  await page.locator('tbody tr').filter({ hasText: 'priya@gmial.com' }).click();
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await verdict.getByText('Probably meant priya@gmail.com').waitFor();
  await verdict.getByText('gmial.com looks like a slip for gmail.com').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
});

it('says beside the verdicts what the dashboard counts as invalid', async () => {
  const options = { validateEmails: false, filterNonUk: false };
  await bring(page, 'email\nann@nowhere\ndot..s@shop.co.uk\n', { options });
  await call(page, 'POST', '/api/suppressions/email/manual', { email: 'ann@nowhere.co.uk' });
  await verify();
  await page.goto('/review');
  await page.getByText('A verdict is about the address alone').waitFor();
  await page.getByRole('link', { name: '2 contacts are invalid' }).click();
  await page.waitForURL('**/email-database?status=invalid');
  await page.getByText('1–2 of 2').waitFor();
});

it('corrects a slip, and takes it back', async () => {
  await verify();
  await page.goto('/review');
  await shown('gmial.com');
  expect(await seriousFindings(page)).toEqual([]);
  await button('Correct 2 contacts').click();
  await toast('Addresses Corrected').getByText('2 addresses corrected.').waitFor();
  // Its Undo would go by itself while the page is read again.
  await toast('Addresses Corrected').hover();
  await shown('No corrections to review');
  await button('Undo').click();
  await toast('Correction Undone').waitFor();
  await button('Decide one by one').click();
  await shown('priya@gmial.com');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'priya@gmial.com' })
    .getByRole('button', { name: 'Correct' })
    .click();
  await toast('Addresses Corrected').getByText('1 address corrected.').waitFor();
  await page.goto('/email-database?search=priya');
  await shown('priya@gmail.com');
});

it('corrects all that is shown after saying how many, and takes it back', async () => {
  await bring(page, 'email\nann@hotmial.co.uk\n');
  await verify();
  await page.goto('/review');
  await shown('hotmial.co.uk');
  await button('Accept all shown').click();
  const question = page.getByRole('dialog', { name: 'Correct 3 contacts as suggested?' });
  await question.getByText('2 patterns on this page.').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await question.getByRole('button', { name: 'Correct 3 contacts' }).click();
  await toast('Addresses Corrected').getByText('3 addresses corrected.').waitFor();
  // Its Undo would go by itself while the page is read again.
  await toast('Addresses Corrected').hover();
  await shown('No corrections to review');
  await button('Undo').click();
  await toast('Correction Undone').getByText('3 addresses are as before.').waitFor();
  await shown('hotmial.co.uk');
});

it('merges two contacts of one person, with the fields chosen', async () => {
  await verify();
  await page.goto('/review?tab=duplicates');
  await shown('absmith@gmail.com');
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
  await page.getByRole('radio', { name: 'shop' }).check();
  await button('Merge 2 contacts').click();
  await toast('Contacts Merged').getByText('1 contact merged into a.b.smith@gmail.com.').waitFor();
  await shown('No duplicate people to review');
  await page.goto('/email-database?search=smith');
  await shown('a.b.smith@gmail.com');
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  await page.locator('tbody tr').first().click();
  await page.getByText('Anna Smith').first().waitFor();
  await page.getByText('shop').first().waitFor();
});

it('asks anew which contact to keep where others have come into a group', async () => {
  await bring(page, 'email\nx.y.jones@gmail.com\nxyjones@gmail.com\n', { options: { filterNonUk: false } });
  await verify();
  await page.goto('/review?tab=duplicates');
  const group = page.getByRole('region', { name: 'Contacts of absmith@gmail.com' });
  const keep = (address: string) => group.getByRole('radio', { name: address });
  await keep('absmith+news@googlemail.com').check();
  const { emails } = await call(page, 'GET', '/api/emails?search=absmith');
  await call(page, 'DELETE', `/api/emails/${emails[0].id}`);
  await bring(page, 'email\nab.smith@gmail.com\n', { options: { filterNonUk: false } });
  await verify();
  await page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'xyjones@gmail.com' }) })
    .getByRole('button', { name: 'Different people' })
    .click();
  await keep('ab.smith@gmail.com').waitFor();
  await expect.poll(() => keep('a.b.smith@gmail.com').isChecked()).toBe(true);
});

it('lists what was decided before, leads to the contacts, and takes a merge back', async () => {
  await verify();
  const accept = '/api/review/corrections/accept';
  const both = await call(page, 'POST', accept, { pattern: { from: 'gmial.com', to: 'gmail.com' } });
  await call(page, 'POST', `/api/corrections/${both.correctionId}/undo`);
  const idOf = async (search: string) =>
    (await call(page, 'GET', `/api/emails?search=${search}`)).emails[0].id;
  await call(page, 'POST', accept, { ids: [await idOf('priya@')] });
  await call(page, 'POST', '/api/review/duplicates/merge', {
    keepId: await idOf('a.b.smith'),
    otherIds: [await idOf('absmith')],
  });
  await page.goto('/review');
  await page.getByRole('tab', { name: 'Past decisions' }).click();
  const past = page.getByRole('table', { name: 'Past decisions' });
  const merge = past.getByRole('row').filter({ hasText: 'into a.b.smith@gmail.com' });
  await merge.getByText('Merged').waitFor();
  await past.getByRole('row').filter({ hasText: 'gmial.com → gmail.com' }).getByText('Undone').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
  await past.getByRole('button', { name: 'Actions for priya@gmial.com → priya@gmail.com' }).click();
  await page.getByRole('menuitem', { name: 'Show the contacts' }).click();
  await page.getByRole('link', { name: 'priya@gmail.com' }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await button('All decisions').click();
  await merge.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Undo' }).click();
  await toast('Merge Undone').waitFor();
  await past.getByRole('row').filter({ hasText: 'into a.b.smith@gmail.com' }).getByText('Undone').waitFor();
});

it('keeps what came of each verification', async () => {
  await verify();
  await page.goto('/review?tab=runs');
  await page.getByRole('row').filter({ hasText: 'All contacts' }).click();
  await shown('8 contacts verified');
  await shown('Mail servers were not looked up: the setting for it is off.');
  expect(await seriousFindings(page)).toEqual([]);
});
