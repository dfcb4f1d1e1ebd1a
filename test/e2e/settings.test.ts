// Tests of: settings, senders, bounces, basis
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { readSheet } from 'read-excel-file/node';
import { expect, it } from 'vitest';
import { seriousFindings } from '#test/support/browser.ts';
import { holdsNone } from '#test/support/settle.ts';
import { call, openStageSignedIn } from '#test/support/stage.ts';

// Changes, saves and rereads every card of the settings in a real browser, and checks the effect on
// the next export.

let page: Page;

openStageSignedIn(
  (stage) => {
    ({ page } = stage);
  },
  // From a refused setting, and a key that cannot be changed yet.
  { acceptDownloads: true, mayComplain: /400 \(Bad Request\)|409 \(Conflict\)/ },
);

const card = (name: string) => page.getByRole('region', { name, exact: true });
const toast = (title: string) => page.getByRole('alert').filter({ hasText: title });
const field = (name: string, label: string) => card(name).getByLabel(label, { exact: true });
async function save(name: string, title = 'Settings Updated'): Promise<void> {
  await card(name).getByRole('button', { name: /^Save/ }).click();
  // The previous toast may still be fading out.
  const said = title === 'Settings Updated' ? `${name} settings were saved.` : title;
  await toast(said).last().waitFor();
}

it('keeps what each card was changed to', async () => {
  await page.goto('/settings');
  await field('Email Validation', 'Allowed domains').fill(' .uk,.ie ,  acme.com');
  await card('Email Validation').getByLabel('Strict validation').uncheck();
  await card('Email Validation').getByLabel('Also likely UK').check();
  await expect.poll(() => card('Email Validation').getByText('btinternet.com are kept').count()).toBe(1);
  await expect.poll(() => card('Email Validation').getByText('gmail.com are left out').count()).toBe(1);
  await save('Email Validation');
  await field('Import', 'Batch size').fill('250');
  await field('Import', 'Allowed columns').fill('email, phone');
  await save('Import');
  await field('Export', 'Maximum records per file').fill('2');
  await card('Export').getByLabel('Include headers').uncheck();
  await save('Export');
  await field('Sender identity', 'From name').fill('Acme Ltd');
  await field('Sender identity', 'From address').fill('news@acme.co.uk');
  await field('Sender identity', 'Postal address').fill('1 High Street\nLeeds');
  await save('Sender identity');
  await field('Retention', 'Bin').fill('14');
  await save('Retention');

  await page.reload();
  await expect
    .poll(() => field('Email Validation', 'Allowed domains').inputValue())
    .toBe('.uk, .ie, acme.com');
  await expect.poll(() => card('Email Validation').getByLabel('Strict validation').isChecked()).toBe(false);
  await expect.poll(() => card('Email Validation').getByLabel('Also likely UK').isChecked()).toBe(true);
  await expect.poll(() => field('Import', 'Batch size').inputValue()).toBe('250 rows');
  await expect.poll(() => field('Import', 'Allowed columns').inputValue()).toBe('email, phone');
  await expect.poll(() => field('Export', 'Maximum records per file').inputValue()).toBe('2 records');
  await expect.poll(() => card('Export').getByLabel('Include headers').isChecked()).toBe(false);
  await expect
    .poll(() => field('Sender identity', 'Postal address').inputValue())
    .toBe('1 High Street\nLeeds');
  await expect.poll(() => field('Retention', 'Bin').inputValue()).toBe('14 days');
});

it('keeps what is typed while a card is being saved', async () => {
  await page.goto('/settings');
  await field('Retention', 'Bin').fill('14');
  const held = Promise.withResolvers<void>();
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.route('**/api/settings', async (route) => {
    await held.promise;
    await route.continue();
  });
  await card('Retention').getByRole('button', { name: 'Save retention' }).click();
  await sent;
  await field('Retention', 'Activities').fill('77');
  held.resolve();
  await toast('Retention settings were saved.').waitFor();
  await expect.poll(() => field('Retention', 'Activities').inputValue()).toBe('77 days');
  await expect.poll(() => field('Retention', 'Bin').inputValue()).toBe('14 days');
  await page.getByRole('navigation', { name: 'Sections of the settings' }).getByText('not saved').waitFor();
  await card('Retention').getByRole('button', { name: 'Save retention' }).click();
  await expect
    .poll(async () => (await call(page, 'GET', '/api/settings')).retention)
    .toMatchObject({ binDays: 14, activityDays: 77 });
});

it('says beside the field what is wrong with it, and loses nothing', async () => {
  await page.goto('/settings');
  await field('Retention', 'Bin').fill('400');
  await card('Retention').getByRole('button', { name: 'Save retention' }).click();
  await expect.poll(() => field('Retention', 'Bin').getAttribute('aria-invalid')).toBe('true');
  await holdsNone(toast('Update Failed'));
  await expect.poll(() => field('Retention', 'Bin').inputValue()).toBe('400 days');
});

it('asks before what was not saved is left', async () => {
  await call(page, 'PATCH', '/api/settings', { retention: { binDays: 14 } });
  await page.goto('/settings');
  await field('Retention', 'Bin').fill('400');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog.getByText('Retention has changes that are not saved.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/settings');
  await card('Retention').getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => field('Retention', 'Bin').inputValue()).toBe('14 days');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await page.waitForURL(/\/(dashboard)?$/);
});

it('asks before somebody signs out, in which case nothing is lost by staying', async () => {
  await page.goto('/settings');
  await field('Retention', 'Bin').fill('21');
  await field('Import', 'Batch size').fill('300');
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign out without saving?' });
  await dialog.getByText('Each of Import and Retention has changes that are not saved').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await save('Retention');
  expect((await call(page, 'GET', '/api/settings')).retention.binDays).toBe(21);
  await expect.poll(() => field('Import', 'Batch size').inputValue()).toBe('300 rows');
});

it('has no serious findings in light or dark', async () => {
  await page.goto('/settings');
  await card('Retention').getByLabel('Bin').waitFor();
  expect(await seriousFindings(page, 'light')).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
});

it('exports in the format that was chosen', async () => {
  for (const email of ['a@acme.co.uk', 'b@acme.co.uk']) await call(page, 'POST', '/api/emails', { email });
  await call(page, 'PATCH', '/api/settings', { export: { includeHeaders: false, maxRecordsPerFile: 2 } });
  const choose = async (label: string) => {
    await page.goto('/settings');
    await card('Export').getByRole('combobox', { name: 'Default format' }).click();
    await page.getByRole('option', { name: label }).click();
    await save('Export');
  };
  const download = async () => {
    await page.goto('/email-database');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      toast('Export Started').waitFor(),
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  };
  const csv = await download();
  expect(csv.name).toMatch(/^contacts-\d{4}-\d\d-\d\d\.csv$/);
  expect(
    csv.bytes
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(',')[0])
      .toSorted(),
  ).toEqual(['"a@acme.co.uk"', '"b@acme.co.uk"']);
  await choose('JSON');
  const json = await download();
  expect(json.name).toMatch(/\.json$/);
  expect(
    JSON.parse(json.bytes.toString())
      .map((one: { email: string }) => one.email)
      .toSorted(),
  ).toEqual(['a@acme.co.uk', 'b@acme.co.uk']);
  await choose('Excel workbook (XLSX)');
  const xlsx = await download();
  expect(xlsx.name).toMatch(/\.xlsx$/);
  expect((await readSheet(xlsx.bytes)).map((row) => row[0]).toSorted()).toEqual([
    'a@acme.co.uk',
    'b@acme.co.uk',
  ]);
});

it('adds a sender address and says that no sender domain signs for it', async () => {
  await page.goto('/settings');
  const addresses = card('Sender addresses');
  await addresses.getByRole('button', { name: 'Add address' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Anna at Quill');
  await dialog.getByLabel('Address').fill('anna');
  await page.keyboard.press('Enter');
  await dialog.getByText('Write an address such as hello@yourbusiness.co.uk.').waitFor();
  await dialog.getByLabel('Address').fill('anna@quillandpress.co.uk');
  await page.keyboard.press('Enter');
  await addresses.getByText('No sender domain').first().waitFor();
  await addresses.getByRole('link', { name: 'Add quillandpress.co.uk as a sender domain' }).waitFor();
  expect([...(await seriousFindings(page, 'dark')), ...(await seriousFindings(page))]).toEqual([]);
});

it('limits how fast campaigns leave, and warms a new domain up', async () => {
  await page.goto('/settings');
  const pace = card('Sending pace');
  await pace.getByLabel('Messages an hour').fill('5000');
  await pace.getByLabel('Quiet hours').check();
  await pace.getByLabel('From', { exact: true }).fill('21:30');
  await pace.getByRole('button', { name: 'Save the pace' }).click();
  await page.getByText('The sending pace was saved. It holds at once.').waitFor();
  await pace.getByRole('button', { name: 'Warm up a domain' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Domain').fill('news.quill.co.uk');
  await dialog.getByLabel('Warm at so many a day').fill('3000');
  await dialog.getByText('2,000 messages a day').waitFor();
  await page.keyboard.press('Enter');
  await pace.getByText(/^0 messages of 500 today\. Warm on /).waitFor();
  expect([...(await seriousFindings(page, 'dark')), ...(await seriousFindings(page))]).toEqual([]);
  await page.reload();
  await expect.poll(() => pace.getByLabel('Messages an hour').inputValue()).toBe('5,000');
  await expect.poll(() => pace.getByLabel('From', { exact: true }).inputValue()).toBe('21:30');
  await pace.getByRole('button', { name: 'End the warm-up of news.quill.co.uk' }).click();
  await pace.getByText(/^0 messages of 500/).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await pace.getByText(/^0 messages of 500/).waitFor();
});

it('adds an SMTP server, says what it answers, and refuses one on a private network', async () => {
  await page.goto('/settings');
  const servers = card('SMTP servers');
  await servers.getByText('None yet. Messages leave as this installation').waitFor();
  await servers.getByRole('button', { name: 'Add server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Main relay');
  await dialog.getByLabel('Host').fill('127.0.0.1');
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByText('127.0.0.1 is not on the public internet.').waitFor();
  await dialog.getByLabel('Host').fill('smtp.invalid');
  await dialog.getByLabel('User name').fill('anna');
  await dialog.getByLabel('Password', { exact: true }).fill('secret');
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByText(/smtp\.invalid/).waitFor();
  await dialog.getByLabel('Messages an hour').fill('1200');
  await dialog.getByLabel('Messages a minute').fill('30');
  expect([...(await seriousFindings(page, 'dark')), ...(await seriousFindings(page))]).toEqual([]);
  await dialog.getByRole('button', { name: 'Add server' }).click();
  const row = servers.getByText('smtp.invalid:587, STARTTLS, as anna. Takes 100% of messages.');
  await row.getByText('At most 1,200 an hour and 30 a minute.').waitFor();
  expect([...(await seriousFindings(page, 'dark')), ...(await seriousFindings(page))]).toEqual([]);
});

it('leaves an SMTP server off that somebody has turned off since it was opened', async () => {
  const body = { name: 'Relay', host: 'smtp.invalid', port: 587, tls: 'starttls' };
  const { id } = await call(page, 'POST', '/api/smtp-servers', body);
  await page.goto('/settings');
  const servers = card('SMTP servers');
  const dialog = page.getByRole('dialog');
  await servers.getByRole('button', { name: 'Actions for Relay' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('Main relay');
  await call(page, 'PATCH', `/api/smtp-servers/${id}`, { isActive: false, perHour: 500 });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await toast('Server Updated').getByText('It is off.').waitFor();
  const { items } = await call(page, 'GET', '/api/smtp-servers');
  expect(items).toMatchObject([{ name: 'Main relay', isActive: false, perHour: 500 }]);
  await servers.getByRole('button', { name: 'Actions for Main relay' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
});

it('leaves the warm-ups and limits that others have written since they were read', async () => {
  await page.goto('/settings');
  const pace = card('Sending pace');
  const dialog = page.getByRole('dialog');
  await pace.getByRole('button', { name: 'Warm up a domain' }).click();
  const plan = { begunOn: '2026-11-24', first: 5, doubleEvery: 1, most: 100 };
  const theirs = { warmUp: { ...plan, domain: 'b.uk' }, receiver: { receiver: 'google.com', perHour: 60 } };
  await call(page, 'PATCH', '/api/pace', theirs);
  await dialog.getByLabel('Domain').fill('a b.uk');
  await page.keyboard.press('Enter');
  await dialog.getByText('Write a domain that you send from, such as news.acme.co.uk.').waitFor();
  await dialog.getByLabel('Domain').fill('b.uk');
  await page.keyboard.press('Enter');
  await dialog.getByText('b.uk warms up already.').waitFor();
  await dialog.getByLabel('Domain').fill('hello@müller.de');
  await page.keyboard.press('Enter');
  await pace.getByText('xn--mller-kva.de', { exact: true }).waitFor();
  await pace.getByRole('button', { name: 'Limit a receiver' }).click();
  await dialog.getByLabel('Receiver').fill('yahoodns.net');
  await dialog.getByLabel('Messages an hour').fill('600');
  await call(page, 'PATCH', '/api/pace', { endWarmUp: 'b.uk' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await pace.getByText('yahoodns.net', { exact: true }).waitFor();
  await pace.getByRole('button', { name: 'Edit the limit of google.com' }).click();
  await dialog.getByLabel('Receiver').fill('outlook.com');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await pace.getByText('outlook.com', { exact: true }).waitFor();
  expect(await call(page, 'GET', '/api/pace')).toMatchObject({
    warmUps: [{ domain: 'xn--mller-kva.de' }],
    receivers: [
      { receiver: 'outlook.com', perHour: 60 },
      { receiver: 'yahoodns.net', perHour: 600 },
    ],
  });
});

it('leaves a basis off that somebody has taken off since the card was read', async () => {
  await page.goto('/settings');
  const basis = (label: string) => card('Whom you may mail').getByRole('checkbox', { name: label });
  await basis('Soft opt-in').uncheck();
  const mailable = ['consent', 'soft_opt_in', 'corporate_subscriber'];
  await call(page, 'PATCH', '/api/basis', { mailable });
  await card('Whom you may mail').getByRole('button', { name: /^Save/ }).click();
  await toast('Somebody has changed whom you may mail').waitFor();
  await expect.poll(() => basis('Unknown').isChecked()).toBe(false);
  await expect.poll(() => basis('Soft opt-in').isChecked()).toBe(true);
  await basis('Soft opt-in').uncheck();
  await save('Whom you may mail', 'Whom you may mail was saved.');
  expect((await call(page, 'GET', '/api/basis')).mailable).toEqual(['consent', 'corporate_subscriber']);
});

it('adds a sender domain, shows its records, and reads DNS', async () => {
  await page.goto('/settings');
  await card('Sender domains').getByRole('link', { name: 'Add a domain' }).click();
  await page.getByText('No sender domains yet').waitFor();
  await page.getByRole('button', { name: 'Add domain' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Domain').fill('quill');
  await dialog.getByRole('button', { name: 'Add domain' }).click();
  await dialog.getByText('Write a domain that you have registered').waitFor();
  await dialog.getByLabel('Domain').fill('hello@quillandpress.co.uk');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'quillandpress.co.uk', level: 1 }).waitFor();
  const records = card('DNS records');
  await records.getByText('em1._domainkey.quillandpress.co.uk', { exact: true }).waitFor();
  await records.getByRole('button', { name: 'Copy value of DKIM em1' }).waitFor();
  await page.getByRole('button', { name: 'Check now' }).click();
  await card('What DNS says').getByText('There is no record for the key em1 yet.').waitFor();
  await card('What DNS says').getByText('One SPF record, with 1 of at most 10 lookups.').waitFor();
  await card('Gmail and Yahoo, for bulk senders').getByText('2 missing').waitFor();
  expect([...(await seriousFindings(page, 'dark')), ...(await seriousFindings(page))]).toEqual([]);
  await page.getByRole('button', { name: 'Actions for quillandpress.co.uk' }).click();
  await page.getByRole('menuitem', { name: 'New DKIM key' }).click();
  await dialog.getByRole('button', { name: 'Make a new key' }).click();
  await dialog.getByText('The record of the present key has not been seen yet').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.goto('/sender-domains');
  await page.getByRole('table', { name: 'Sender domains' }).getByText('Records missing').waitFor();
});

it('lets an email service tell of bounces, with its secret', async () => {
  await page.goto('/settings');
  const webhooks = card('Bounce webhooks');
  await webhooks.getByRole('button', { name: 'Set up SendGrid' }).click();
  const dialog = page.getByRole('dialog');
  const address = await dialog.getByLabel('Address', { exact: true }).inputValue();
  expect(address).toMatch(/\/api\/bounces\/webhooks\/sendgrid\/[\w-]{16,}$/);
  await dialog.getByLabel('Verification key').fill('no key');
  await page.keyboard.press('Enter');
  await dialog.getByText('This is no verification key of SendGrid.').waitFor();
  await dialog.getByLabel('Verification key').fill('');
  await page.keyboard.press('Enter');
  await webhooks.getByText('Needs its verification key').waitFor();
  expect([...(await seriousFindings(page, 'dark')), ...(await seriousFindings(page))]).toEqual([]);
  await webhooks.getByRole('button', { name: /SendGrid/ }).click();
  await page.getByRole('menuitem', { name: 'Turn off' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await webhooks.getByRole('button', { name: 'Set up SendGrid' }).waitFor();
});
