// Tests of: email-database, timeline, verification, basis, suppressions
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { seriousFindings } from '#test/support/browser.ts';
import { holdsNone } from '#test/support/settle.ts';
import { call as callFrom, bring as importCsv, openStageSignedIn } from '#test/support/stage.ts';

let page: Page;

openStageSignedIn(
  (stage) => {
    ({ page } = stage);
  },
  // From a call that a test answers with an error, and from what came meanwhile.
  { mayComplain: /status of (400|409)/ },
);

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, data?: object) =>
  callFrom(page, method, url, data);
const bring = (rows: string[], name = 'trade-fair.csv') =>
  importCsv(page, `email\n${rows.join('\n')}\n`, { name, options: { filterNonUk: false } });
const idOf = async (address: string): Promise<number> =>
  (await call('GET', `/api/emails?search=${encodeURIComponent(address)}`)).emails[0].id;

const open = async (address: string) => page.goto(`/email-database?open=${await idOf(address)}`);
const panelOf = (address: string) => page.getByRole('region', { name: address });
const verdictIn = (address: string) => panelOf(address).getByRole('region', { name: 'Verdict' });
/** A line of the verdict as people read it, including marks. */
const check = (address: string, text: string) =>
  verdictIn(address).getByRole('listitem').filter({ hasText: text });
const events = (address: string) =>
  panelOf(address).getByRole('list', { name: 'Timeline' }).getByRole('listitem');
const toast = (title: string) =>
  page.getByRole('alert').filter({ has: page.getByText(title, { exact: true }) });

it('verifies one that was not, and then shows what was checked and what came of it', async () => {
  // No other test may look this domain up: what the name servers said is known to all workspaces.
  const address = 'eilidh.macrae@burrafirthknits.scot';
  await bring([address]);
  await open(address);
  const verdict = verdictIn(address);
  await verdict.getByText('Not verified yet').waitFor();
  await events(address).filter({ hasText: 'Added' }).getByRole('link', { name: 'trade-fair.csv' }).waitFor();
  await expect.poll(() => panelOf(address).getByRole('button', { name: 'Verify again' }).count()).toBe(0);
  await verdict.getByRole('button', { name: 'Verify' }).click();
  await toast('Verification Complete').waitFor();

  await verdict.getByText('Valid', { exact: true }).waitFor();
  await verdict.getByText(/^Checked today at \d\d:\d\d$/).waitFor();
  await verdict.getByText('0 of 100').waitFor();
  for (const words of ['Well formed, .scot exists', 'Corporate, not a role', 'No typo suspected']) {
    const row = check(address, words);
    await row.getByRole('img', { name: 'Good' }).waitFor();
  }
  await check(address, 'Not looked up').getByRole('img', { name: 'Not measured' }).waitFor();
  await events(address).nth(1).waitFor();
  await expect.poll(() => events(address).first().textContent()).toContain('Verified: valid');
  await expect.poll(() => events(address).first().textContent()).toContain('by Priya Shah');
});

it('tells what the name servers said, with the time, and every reason with its points', async () => {
  const silent = 'ann@mute.co.uk';
  await bring([silent, 'info@stravaigcraft.scot', 'test@stravaigcraft.scot'], 'more.csv');
  await call('POST', '/api/verifications', { dns: true });
  await open(silent);
  const server = check(silent, 'The domain has no mail server');
  await server.getByRole('img', { name: 'Bad' }).waitFor();
  await expect
    .poll(() => server.textContent())
    .toMatch(/Mail server.*\+100.*No mail server for mute\.co\.uk.*Looked up today at \d\d:\d\d/);
  await events(silent).getByRole('link', { name: 'with all contacts' }).waitFor();

  await open('info@stravaigcraft.scot');
  await expect
    .poll(() => check('info@stravaigcraft.scot', 'Role: info').textContent())
    .toMatch(/\+10.*is a post/);
  await check('info@stravaigcraft.scot', 'Found, by its MX record')
    .getByText(/^Looked up today/)
    .waitFor();
  await open('test@stravaigcraft.scot');
  await expect.poll(() => check('test@stravaigcraft.scot', 'Placeholder').textContent()).toMatch(/\+70/);
});

it('tells what happened, newest first', async () => {
  // No other test may look this domain up: what the name servers said is known to all workspaces.
  const address = 'eilidh.macrae@burrafirthknits.scot';
  await bring([address]);
  const id = await idOf(address);
  const { removalId } = await call('DELETE', `/api/emails/${id}`);
  await call('POST', `/api/removals/${removalId}/restore`);
  await call('POST', '/api/verifications', { dns: false });
  await open(address);
  await panelOf(address).getByRole('button', { name: 'Suppress' }).click();
  await toast('Email Suppressed').getByRole('button', { name: 'Undo' }).click();
  await toast('Suppression Removed').waitFor();
  await events(address).filter({ hasText: 'Suppression lifted' }).waitFor();
  const titles = (await events(address).allTextContents()).map((text) => text.split(/\d/)[0]);
  expect(titles).toEqual([
    'Suppression lifted',
    'Suppressed',
    'Verified: valid',
    'Brought back from the bin',
    'Moved to the bin',
    'Added',
  ]);
  await panelOf(address)
    .getByText(/^Last activity \d\d:\d\d$/)
    .waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
});

it('says on what basis they may get marketing, and changes it', async () => {
  const address = 'jo.marsh@harbourchandlery.co.uk';
  await bring([address]);
  await open(address);
  await panelOf(address).getByRole('button', { name: 'Change the marketing basis: unknown' }).click();
  const dialog = page.getByRole('dialog', { name: 'Marketing basis' });
  await dialog.getByLabel('Marketing basis').selectOption('Soft opt-in');
  await dialog.getByLabel('Where it comes from').fill('Bought a kettle');
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save marketing basis' }).click();
  await toast('Marketing Basis Set').waitFor();
  await panelOf(address).getByRole('button', { name: 'Change the marketing basis: soft opt-in' }).waitFor();
  await expect.poll(() => events(address).first().textContent()).toContain('Marketing basis: soft opt-in');
});

it('keeps a no that came while the basis was being changed', async () => {
  const address = 'kit.marsh@harbourchandlery.co.uk';
  await bring([address]);
  await open(address);
  await panelOf(address).getByRole('button', { name: 'Change the marketing basis: unknown' }).click();
  const dialog = page.getByRole('dialog', { name: 'Marketing basis' });
  await dialog.getByLabel('Marketing basis').selectOption('Consent');
  await call('POST', '/api/basis-changes', { ids: [await idOf(address)], basis: 'none' });
  await dialog.getByRole('button', { name: 'Save marketing basis' }).click();
  await dialog.getByText('no basis. Nothing was saved. Save again to replace it.').waitFor();
  await panelOf(address).getByRole('button', { name: 'Change the marketing basis: no basis' }).waitFor();
  await dialog.getByRole('button', { name: 'Save marketing basis' }).click();
  await panelOf(address).getByRole('button', { name: 'Change the marketing basis: consent' }).waitFor();
});

it('leaves a wish of theirs that came before an Undo, and says that it was theirs', async () => {
  const address = 'lou@quaychandlery.co.uk';
  await bring([address]);
  const put = (email: string, reason: string) =>
    call('POST', '/api/suppressions/email/manual', { email, reason });
  await open(address);
  await panelOf(address).getByRole('button', { name: 'Suppress' }).click();
  const undo = toast('Email Suppressed').getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  await put(address, 'unsubscribed');
  await undo.click();
  await page.getByRole('alert').filter({ hasText: 'for another reason by now' }).waitFor();
  await panelOf(address)
    .getByText(/^The recipient unsubscribed today at/)
    .waitFor();
  // Entries that contain the address, and are newer.
  for (let n = 0; n <= 20; n++) await put(`x${n}.${address}`, 'manual');
  await page.reload();
  await panelOf(address)
    .getByText(/^The recipient unsubscribed today at/)
    .waitFor();
});

it('uses the suggestion, from the panel and from the row, and takes it back', async () => {
  const [slip, meant] = ['jo@gmial.com', 'jo@gmail.com'];
  await bring([slip], 'slips.csv');
  await call('POST', '/api/verifications', { dns: false });
  await open(slip);
  const typing = check(slip, `Probably meant ${meant}`);
  await typing.getByRole('img', { name: 'Warning' }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
  const asked: string[] = [];
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route('**/corrections/accept', async (route) => {
    asked.push(route.request().url());
    await held;
    await route.continue();
  });
  const use = typing.getByRole('button', { name: 'Use the suggestion' });
  await use.dblclick();
  await expect.poll(() => use.isDisabled()).toBe(true);
  letThrough();
  await toast('Address Corrected').getByText(`${slip} is now ${meant}.`).waitFor();
  // Its Undo would go by itself while the page is read again.
  await toast('Address Corrected').hover();
  expect(asked).toHaveLength(1);
  await page.unroute('**/corrections/accept');
  await events(meant).filter({ hasText: 'Address corrected' }).getByText(`${slip} → ${meant}`).waitFor();
  await toast('Address Corrected').getByRole('button', { name: 'Undo' }).click();
  await toast('Correction Undone').getByText(`The address is ${slip} again.`).waitFor();
  await events(slip).filter({ hasText: 'Correction taken back' }).waitFor();

  await page.goto(`/email-database?search=${slip}`);
  const suggestion = page.getByRole('menuitem', { name: 'Use the suggestion' });
  await page.getByRole('button', { name: `Actions for ${slip}` }).click();
  await suggestion.click();
  await toast('Address Corrected').waitFor();
  await page.goto(`/email-database?search=${meant}`);
  await page.getByRole('button', { name: `Actions for ${meant}` }).click();
  await page.getByRole('menuitem', { name: 'Verify again' }).waitFor();
  await expect.poll(() => suggestion.count()).toBe(0);
});

it('leads to the merge where the suggested address is a contact already', async () => {
  const [slip, taken] = ['sam@gmial.com', 'sam@gmail.com'];
  await bring([slip, taken], 'both.csv');
  await call('POST', '/api/verifications', { dns: false });
  await open(slip);
  await check(slip, 'Probably meant').getByRole('button', { name: 'Use the suggestion' }).click();
  await toast('Nothing Corrected').getByText(`${taken} is a contact already`).waitFor();
  await toast('Nothing Corrected').getByRole('button', { name: 'Open in Review' }).click();
  await page.waitForURL('**/review?**');
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  await toast('Contacts Merged').waitFor();
  await open(taken);
  await events(taken)
    .filter({ hasText: `Merged with ${slip}` })
    .waitFor();
});

it('says that it could not read what happened, and tries again', async () => {
  // No other test may look this domain up: what the name servers said is known to all workspaces.
  const address = 'eilidh.macrae@burrafirthknits.scot';
  await bring([address]);
  await page.route('**/timeline', (route) => route.fulfill({ status: 400, json: { message: 'Not now.' } }));
  await open(address);
  await panelOf(address).getByText('What happened could not be loaded. 400: Not now.').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.unroute('**/timeline');
  await panelOf(address).getByRole('button', { name: 'Try again' }).click();
  await events(address).first().waitFor();
});

it('is not opened again by a page that comes after it was closed, and says that one cannot come', async () => {
  await bring(Array.from({ length: 21 }, (_, at) => `contact${String(at).padStart(2, '0')}@shop.co.uk`));
  const last = 'contact19@shop.co.uk';
  await page.goto(`/email-database?sort=address&order=asc&open=${await idOf(last)}`);
  await panelOf(last).waitFor();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let asked = 0;
  await page.route(/\/api\/emails\?.*page=2/, async (route) => {
    asked += 1;
    if (asked === 1) return route.fulfill({ status: 400, json: { message: 'Not now.' } });
    await held;
    return route.fallback();
  });
  const next = () => panelOf(last).getByRole('button', { name: 'Next record' }).click();
  await next();
  await toast('Error').getByText('Not now.').waitFor();
  const answered = page.waitForResponse(/\/api\/emails\?.*page=2/);
  await next();
  await expect.poll(() => asked).toBe(2);
  await panelOf(last).getByRole('button', { name: 'Close the record' }).click();
  await panelOf(last).waitFor({ state: 'detached' });
  letGo();
  await answered;
  await holdsNone(panelOf('contact20@shop.co.uk'));
  expect(new URL(page.url()).searchParams.get('open')).toBeNull();
});

it('is a drawer on a phone, with all of it', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const address = 'eilidh.macrae@stravaigcraft.scot';
  await bring([address]);
  await call('POST', '/api/verifications', { dns: false });
  await open(address);
  await page.getByRole('dialog', { name: address }).waitFor();
  await events(address).last().scrollIntoViewIfNeeded();
  await panelOf(address).getByRole('button', { name: 'Verify again' }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});
