// Tests of: campaigns, sending, tracking, imports
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { testPassword } from '#test/support/sign-in.ts';
import { call, openStage } from '#test/support/stage.ts';

// The way of a new business to its first campaign and what comes of it, with nothing set up.

let page: Page;
openStage(
  async (stage) => {
    ({ page } = await stage.visit());
  },
  // Before the sign-in, a 401 says that nobody is signed in, and browsers log it.
  { mayComplain: /status of 401/ },
);

const people = 1_000;
const shop = 'http://127.0.0.1:9/winter';
const toast = (title: string) => page.getByRole('alert').filter({ hasText: title });
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const card = (name: string) => page.getByRole('region', { name, exact: true });
const block = (name: string | RegExp) => page.getByRole('treeitem', { name });
/** Where a reader is who asks through a provider in the UK, on a phone. */
const atHome = {
  'x-forwarded-for': '212.58.244.20',
  'user-agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
};

async function signUp() {
  await page.goto('/');
  await page.getByRole('link', { name: 'Get Started Free' }).first().click();
  await page.getByLabel('Name').fill('Priya Nair');
  await page.getByLabel('Email').fill('priya@first-campaign.co.uk');
  await page.getByLabel('Password', { exact: true }).fill(testPassword);
  await button(/sign up|create|get started/i).click();
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
}

async function importPeople() {
  const lines = Array.from({ length: people }, (_, n) => `reader${n}@trade.co.uk,Reader${n}`);
  const csv = Buffer.from(`email,first name\n${lines.join('\n')}\n`);
  await page.goto('/imports');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: csv });
  await page.waitForURL(/\/imports\/\d+$/);
  await card('Lists and tags').getByRole('combobox', { name: 'List' }).fill('Trade');
  await page.getByRole('option', { name: 'Make the list “Trade”' }).click();
  await button('Import 1,000 contacts').click();
  await page.getByText('Rows left out', { exact: true }).first().waitFor();
}

/** Ten of them have the tag that leaves them out. */
async function tagTen() {
  const tag = await call(page, 'POST', '/api/tags', { name: 'Not now' });
  const { emails } = await call(page, 'GET', '/api/emails?search=reader99&limit=50');
  const ids = emails.map(({ id }: { id: number }) => id).slice(0, 10);
  await call(page, 'POST', `/api/tags/${tag.id}/contacts`, { ids });
}

async function createFromPreset(name: string, recipients = 990) {
  await page.goto('/campaigns');
  await button('Create Campaign').first().click();
  const form = dialog('Create Campaign');
  await form.getByLabel('Campaign Name').fill(name);
  await form.getByLabel('Subject').fill('For {{ first_name }}');
  await form.getByRole('combobox', { name: 'Template' }).click();
  await page.getByRole('option', { name: 'Basic Newsletter' }).click();
  await form.getByRole('combobox', { name: 'Send to' }).click();
  await page.getByRole('option', { name: 'Trade' }).click();
  await page.keyboard.press('Tab');
  await form.getByRole('combobox', { name: 'Leave out (optional)' }).click();
  await page.getByRole('option', { name: 'Not now' }).click();
  await page.keyboard.press('Tab');
  await form.getByText(`${recipients} recipients`).waitFor();
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForURL(/\/campaigns\/\d+\/edit$/);
}

/** Puts words and a link in the places that the preset has for them, and goes on to the check. */
async function writeIt() {
  await rewrite('Text: Main content', 'Text', 'The winter stock is in.');
  await rewrite('Heading: Subject', 'Heading', 'Winter stock');
  await block('Button: Words of the button').click();
  await page.getByLabel('Label', { exact: true }).fill('Order now');
  await page.getByLabel('Link', { exact: true }).fill(shop);
  await page.getByText(/^Saved at/).waitFor();
  await button('Check').click();
}
async function rewrite(name: string, field: string, words: string) {
  await block(name).focus();
  await page.keyboard.press('Enter');
  const place = page.getByRole('textbox', { name: field, exact: true });
  await expect.poll(() => place.evaluate((own) => own.matches(':focus-within'))).toBe(true);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(words);
  await page.keyboard.press('Escape');
}

async function checkAndSend() {
  await page.getByText('990 meant, 0 left out').waitFor();
  const checks = page.getByRole('list', { name: 'Checks' });
  await checks.getByText('All are known.').waitFor();
  await checks.getByText('Messages are kept here, and none leaves.').waitFor();
  // Nobody was verified. The card says so, and the checks do not say it again.
  const bounces = card('Predicted bounces');
  await bounces.getByText('30 of 990', { exact: true }).waitFor();
  await bounces.getByRole('img', { name: '3% predicted, the limit is 2%' }).waitFor();
  await bounces.getByText('Verify your contacts: 990 of them never were.').waitFor();
  await expect.poll(() => checks.getByText('Predicted bounces').count()).toBe(0);
  const when = card('When and how fast');
  await when.getByText('As fast as the mail server takes it').waitFor();
  await when.getByText('Not known yet: it takes some campaigns').waitFor();
  await button('Send to 990…').click();
  await dialog('Send November news').getByRole('button', { name: 'Send now to 990 people' }).click();
  await toast('Campaign Sent').waitFor();
  // The page of the check leads on to the report, which follows what happens.
  // A thousand messages take half a minute where the cores have other work.
  await page.getByText('Completed', { exact: true }).first().waitFor({ timeout: 90_000 });
  await page.getByText('990 = 990 sent').waitFor();
}

/** As one of its readers, who reads it in the outbox: follows the link, and leaves by one click. */
async function readIt() {
  await page.goto('/outbox/messages?search=reader7@');
  await page.getByText('For Reader7').click();
  const message = page.frameLocator('iframe[title="Message to reader7@trade.co.uk"]');
  await message.getByText('The winter stock is in.').waitFor();
  // The product knows its own port only once it listens: its links name none that leads here.
  const pathOf = async (name: string) =>
    new URL((await message.getByRole('link', { name }).getAttribute('href')) ?? '').pathname;
  const path = await pathOf('Order now');
  // In its first seconds only scanners have a message, so nobody counts as a person.
  const clicked = async () => {
    const answer = await page.request.get(path, { maxRedirects: 0, headers: atHome });
    expect(answer.headers().location).toBe(shop);
    return (await call(page, 'GET', '/api/campaigns'))[0].clicked;
  };
  await expect.poll(clicked, { interval: 1_000 }).toBe(1);
  const left = await page.request.post(await pathOf('Unsubscribe'), {
    form: { 'List-Unsubscribe': 'One-Click' },
    headers: { ...atHome, cookie: '' },
  });
  expect(left.status()).toBe(200);
}

async function readReport() {
  await page.goto('/campaigns');
  await page.getByText('November news').click();
  // A click tells that it was opened.
  await expect.poll(() => card('What became of it').getByText('0.1% of those kept').count()).toBe(2);
  // There is no mail server, so nobody got it.
  await card('What became of it').getByRole('button', { name: 'Kept in the outbox' }).waitFor();
  await card('Devices').getByRole('listitem').filter({ hasText: 'Mobile' }).getByText('100%').waitFor();
  await card('UK and world').getByText('100%').waitFor();
  await card('Links').getByText('127.0.0.1:9/winter').first().waitFor();
  await button('Unsubscribed').click();
  await page.getByRole('table', { name: 'Recipients' }).getByText('reader7@trade.co.uk').waitFor();

  await page.goto('/suppressions?search=reader7@');
  await page
    .getByRole('row', { name: /reader7@trade\.co\.uk/ })
    .getByText('Unsubscribed')
    .waitFor();

  await page.goto('/email-database?search=reader7@');
  await page.getByRole('row', { name: /reader7@trade\.co\.uk/ }).click();
  for (const words of ['Clicked a link', 'Unsubscribed', 'By the link in November news'])
    await page.getByText(words, { exact: true }).waitFor();
}

it('leads from signing up to a report, and leaves out who has left', { timeout: 240_000 }, async () => {
  await signUp();
  await importPeople();
  await tagTen();
  await createFromPreset('November news');
  await writeIt();
  await checkAndSend();
  await readIt();
  await readReport();

  // The next one leaves them out, and says why.
  await createFromPreset('December news', 989);
  await writeIt();
  await page.getByText('990 meant, 1 left out').waitFor();
  await card('Recipients').getByText('On the suppression list').waitFor();
  await card('Recipients').getByText('1 unsubscribed').waitFor();
});
