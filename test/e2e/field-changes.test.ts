// Tests of: field-changes, email-database
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { seriousFindings } from '#test/support/browser.ts';
import { call as callFrom, makeViewers, openStageSignedIn, type SignedInStage } from '#test/support/stage.ts';

let page: Page;
let stage: SignedInStage;

openStageSignedIn(
  (opened) => {
    stage = opened;
    ({ page } = opened);
  },
  // From the call that a test answers with an error.
  { mayComplain: /status of 400/ },
);

const call = (method: 'GET' | 'POST' | 'PATCH', url: string, data?: object) =>
  callFrom(page, method, url, data);
async function bring(): Promise<void> {
  await call('POST', '/api/emails', { email: 'ann@acme.co.uk', name: 'Ann Ash', notes: 'old' });
  await call('POST', '/api/emails', { email: 'bob@acme.co.uk', name: 'Bob' });
  await call('POST', '/api/emails', { email: 'cyd@shop.co.uk' });
  // As a contact of an earlier version: with a name alone.
  await call('PATCH', `/api/emails/${await idOf('bob@')}`, {
    name: 'Bob Ash',
    firstName: null,
    lastName: null,
  });
}
const idOf = async (search: string) => (await call('GET', `/api/emails?search=${search}`)).emails[0].id;
const notes = async () =>
  (await call('GET', '/api/emails?sort=address')).emails.map((one: { notes: string | null }) => one.notes);
const dialog = () => page.getByRole('dialog', { name: 'Set a field' });
const toast = (title: string) =>
  page.getByRole('alert').filter({ has: page.getByText(title, { exact: true }) });

async function ask(): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  const bar = page.getByLabel('Actions for the selection');
  await bar.getByRole('button', { name: 'Set a field' }).click();
}

it('sets a field of the selected contacts, counts before, and takes it back', async () => {
  await bring();
  await page.goto('/email-database');
  await ask();
  await dialog().getByLabel('Field').selectOption('Notes');
  await dialog().getByRole('textbox', { name: 'Value' }).fill('Met in York');
  await dialog().getByText('1 of them has another value there, which is replaced.').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
  await dialog().getByRole('radio', { name: 'Keep theirs' }).check();
  await dialog().getByText('1 of them has another value there, which stays.').waitFor();
  await dialog().getByRole('radio', { name: 'Get the new one' }).check();
  await dialog().getByRole('button', { name: 'Set notes of 3 contacts' }).click();
  await toast('Bulk Action Complete').getByText('3 contacts were changed.').waitFor();
  await dialog().waitFor({ state: 'hidden' });
  expect(await notes()).toEqual(['Met in York', 'Met in York', 'Met in York']);
  await toast('Bulk Action Complete').getByRole('button', { name: 'Undo' }).click();
  await toast('Change Undone').getByText('3 contacts have their old values again.').waitFor();
  expect(await notes()).toEqual(['old', null, null]);
});

it('sets an extra field of all that match a filter, and says what is missing', async () => {
  await bring();
  await page.goto('/email-database?domain=acme.co.uk');
  await page.getByRole('row', { name: /ann@acme.co.uk/ }).waitFor();
  await ask();
  await dialog().getByLabel('Field').selectOption('An extra field');
  await expect.poll(() => dialog().getByRole('button', { name: 'Name the field' }).isDisabled()).toBe(true);
  await dialog().getByRole('combobox', { name: 'Name of the field' }).fill('Email');
  await dialog().getByRole('textbox', { name: 'Value' }).fill('York');
  await dialog().getByText('cannot be an extra field').waitFor();
  await dialog().getByRole('combobox', { name: 'Name of the field' }).fill('Town');
  await dialog().getByRole('button', { name: 'Set town of 2 contacts' }).click();
  await toast('Bulk Action Complete').waitFor();
  const { emails } = await call('GET', '/api/emails?sort=address');
  expect(emails.map(({ attributes }: { attributes: object }) => attributes)).toEqual([
    { town: 'York' },
    { town: 'York' },
    {},
  ]);
});

it('clears a field, and says so in red', async () => {
  await bring();
  await page.goto('/email-database');
  await ask();
  await dialog().getByLabel('Field').selectOption('Notes');
  await dialog().getByText('1 of them has something there, which is removed.').waitFor();
  await dialog().getByRole('button', { name: 'Clear notes of 3 contacts' }).click();
  await toast('Bulk Action Complete').getByText('1 contact was changed.').waitFor();
  expect(await notes()).toEqual([null, null, null]);
});

it('keeps the dialog open when the work could not be begun', async () => {
  await bring();
  await page.goto('/email-database');
  await page.route('**/api/field-changes', (route) =>
    route.fulfill({ status: 400, json: { message: 'Not now.' } }),
  );
  await ask();
  await dialog().getByRole('textbox', { name: 'Value' }).fill('Jo');
  await dialog().getByRole('button', { name: 'Set first name of 3 contacts' }).click();
  await dialog().getByText('Not now.').waitFor();
  await expect.poll(() => dialog().getByRole('textbox', { name: 'Value' }).inputValue()).toBe('Jo');
});

it('lists what was set, with its undo', async () => {
  await bring();
  await page.goto('/field-changes');
  await page.getByText('No field was set for many contacts yet').waitFor();
  await call('POST', '/api/field-changes', { filter: {}, set: { notes: 'Met in York' } });
  await call('POST', '/api/field-changes', { filter: {}, splitNames: true });
  await page.reload();
  const row = page.getByRole('row', { name: /Set notes of 3 contacts/ });
  await row.getByText('Met in York').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Undo' }).click();
  await toast('Change Undone').waitFor();
  await row.getByText('Undone').last().waitFor();
  expect(await notes()).toEqual(['old', null, null]);
});

it('shows on a phone what was set, and to a viewer why it cannot be undone', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await bring();
  await call('POST', '/api/field-changes', { filter: {}, set: { notes: 'Met in York' } });
  await makeViewers(stage.product, stage.somebody);
  await page.goto('/field-changes');
  await page.getByText('Set notes of 3 contacts').waitFor();
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByText('Changing contacts needs the editor role.').waitFor();
  await expect.poll(() => page.getByRole('menuitem', { name: 'Undo' }).isDisabled()).toBe(true);
  expect(await seriousFindings(page)).toEqual([]);
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});
