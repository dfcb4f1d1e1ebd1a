// Tests of: team, templates, smtp-servers, pace, senders, api-keys, field-changes, basis
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { seriousFindingsInBoth } from '#test/support/browser.ts';
import { settle } from '#test/support/settle.ts';
import { call, openStageSignedIn } from '#test/support/stage.ts';

let page: Page;
openStageSignedIn((opened) => {
  ({ page } = opened);
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const selected = async (action: string) => {
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByLabel('Actions for the selection').getByRole('button', { name: action }).click();
};

/** Types into a dialog and closes it: first by a click beside it, and stays, then by its button. */
async function asksBefore(title: string, label: string, text: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title, exact: true });
  const field = dialog.getByLabel(label, { exact: true });
  const asked = page.getByRole('dialog', { name: 'Discard your changes?' });
  await field.fill(text);
  await page.mouse.click(5, 5);
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await asked.waitFor({ state: 'detached' });
  await expect.poll(() => field.inputValue()).toBe(text);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await asked.getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'detached' });
}

it('asks before a dialog throws away what was typed into it: settings, team, templates, keys', async () => {
  await page.goto('/team?open=invite');
  await asksBefore('Invite people', 'Email', 'ann@acme.co.uk\nbob@acme.co.uk');
  await page.goto('/templates?dialog=import');
  await asksBefore('Import HTML', 'HTML', '<p>Dear all</p>');
  await page.goto('/api-keys?open=new');
  await asksBefore('New API key', 'Name', 'Website sign-up form');
  await page.goto('/settings');
  // The cards come one by one, and push the buttons below them away.
  for (const name of ['Add server', 'Limit a receiver', 'Warm up a domain', 'Add address'])
    await button(name).waitFor();
  await page.getByText('None yet. Messages leave as').waitFor();
  await settle(page);
  for (const [opens, title, label] of [
    ['Add server', 'Add an SMTP server', 'Host'],
    ['Limit a receiver', 'Limit a receiver', 'Receiver'],
    ['Warm up a domain', 'Warm up a domain', 'Domain'],
    ['Add address', 'Add a sender address', 'Address'],
  ] as const) {
    await button(opens).click();
    await asksBefore(title, label, 'mail.acme.co.uk');
    // What was opened and left as it is, goes at once.
    await button(opens).click();
    await page.getByRole('dialog', { name: title, exact: true }).waitFor();
    await page.mouse.click(5, 5);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
});

it('asks before a dialog throws away what was typed into it: contacts', async () => {
  const { id } = await call(page, 'POST', '/api/emails', { email: 'ann@acme.co.uk' });
  await page.goto('/email-database');
  await selected('Set a field');
  await asksBefore('Set a field', 'Value', 'Met in York');
  await page.goto(`/email-database?open=${id}`);
  await button('Change the marketing basis: unknown').click();
  const basis = page.getByRole('dialog', { name: 'Marketing basis' });
  await basis.getByLabel('Marketing basis').selectOption('Consent');
  await asksBefore('Marketing basis', 'Where it comes from', 'Spring fair sign-up sheet');
  await button('Change the marketing basis: unknown').click();
  await basis.getByLabel('Marketing basis').selectOption('Consent');
  await expect.poll(() => basis.getByLabel('Where it comes from').inputValue()).toBe('');
  await page.keyboard.press('Escape');
  const asked = page.getByRole('dialog', { name: 'Discard your changes?' });
  await asked.waitFor();
  expect(await seriousFindingsInBoth(page)).toEqual([]);
  // Whoever stays goes on where they were.
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await basis.locator(':focus').waitFor();
});
