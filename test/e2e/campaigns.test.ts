// Tests of: campaigns, sending, tracking
import { AxeBuilder } from '@axe-core/playwright';
import type { Keyboard, Page, Route } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindingsInBoth } from '#test/support/browser.ts';
import { settle } from '#test/support/settle.ts';
import { call, openStageSignedIn, type SignedInStage } from '#test/support/stage.ts';

let page: Page;
let stage: SignedInStage;
openStageSignedIn(
  (opened) => {
    stage = opened;
    ({ page } = opened);
  },
  { mayComplain: /status of (404|409)/ },
);

const toast = (title: string) => page.getByRole('alert').filter({ hasText: title });
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });

/** As beside another that is being sent: the list is read again all the time. */
const asBesideAnother = (page: Page) =>
  page.route('**/api/campaigns?*', async (route) => {
    const rows = await (await route.fetch()).json();
    await route.fulfill({ json: [...rows, { ...rows[0], id: 999_999_999, status: 'sending' }] });
  });

/** How to press twice by the keyboard. */
const pressesTwice: Record<string, (keyboard: Keyboard) => Promise<void>> = {
  'two presses': async (keyboard) => {
    // Both are on their way before the first is answered, however busy the machine is.
    await Promise.all([keyboard.press('Enter'), keyboard.press('Enter')]);
  },
  'one that lasts': async (keyboard) => {
    await keyboard.down('Enter');
    await keyboard.down('Enter');
    await keyboard.up('Enter');
  },
};

describe('a campaign', () => {
  it('that cannot be created says so, and what the server says of it stands in the form', async () => {
    await page.goto('/campaigns');
    await page.getByRole('button', { name: 'Create Campaign', exact: true }).first().click();
    const form = dialog('Create Campaign');
    await form.getByLabel('Campaign Name').fill('Broken news');
    await form.getByLabel('Subject').fill('News');
    await form.getByLabel('Content').fill('Dear all');
    await form.getByRole('combobox', { name: 'Template' }).click();
    await page.getByRole('option', { name: 'Simple', exact: true }).click();
    await page.route('**/api/campaigns', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 409, json: { code: 'conflict', message: 'There are too many.' } })
        : route.continue(),
    );
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await toast('Failed to create campaign. Please try again.').waitFor();
    await form.getByText('There are too many.').waitFor();
    await page.unroute('**/api/campaigns');
    await expect.poll(() => form.getByLabel('Campaign Name').inputValue()).toBe('Broken news');
  });

  it.each(['send', 'resend'])('that is not there is told about at its address: %s', async (action) => {
    await page.goto(`/campaigns?${action}=999999999`);
    const failed = dialog('Campaign');
    await failed.getByText('The campaign could not be loaded').waitFor();
    await failed.getByRole('button', { name: 'Close' }).click();
    await failed.waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  it('is written, sent to a list without a tag, and told about to the last recipient', async () => {
    const csv = `email,first name\n${Array.from({ length: 30 }, (_, n) => `c${n}@campaign.co.uk,C${n}`).join('\n')}\n`;
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await page.request.post('/api/emails/import', { multipart: { file } });
    const list = await call(page, 'POST', '/api/lists', { name: 'Trade' });
    await call(page, 'POST', `/api/lists/${list.id}/contacts`, { filter: { domain: 'campaign.co.uk' } });
    const tag = await call(page, 'POST', '/api/tags', { name: 'Not now' });
    const { emails } = await call(page, 'GET', '/api/emails?search=c3@campaign.co.uk');
    await call(page, 'POST', `/api/tags/${tag.id}/contacts`, { ids: [emails[0].id] });
    await call(page, 'POST', '/api/suppressions/email/manual', { email: 'c4@campaign.co.uk' });

    await page.goto('/campaigns');
    await page.getByText('No campaigns yet').waitFor();
    await page.getByRole('button', { name: 'Create Campaign', exact: true }).click();
    const form = dialog('Create Campaign');
    await form.getByLabel('Campaign Name').fill('November news');
    await form.getByLabel('Subject').fill('For {{ first_name }}');
    await form
      .getByLabel('Content')
      .fill('<p>Dear {{ first_name }}, see <a href="http://127.0.0.1:9/new">the shop</a>.</p>');
    await expect
      .poll(() => form.getByRole('button', { name: 'Create', exact: true }).isDisabled())
      .toBe(true);
    await form.getByRole('combobox', { name: 'Template' }).click();
    await page.getByRole('option', { name: 'Newsletter', exact: true }).click();
    await form.getByRole('combobox', { name: 'Send to' }).click();
    await page.getByRole('option', { name: 'Trade' }).click();
    await page.keyboard.press('Tab');
    await form.getByRole('combobox', { name: 'Leave out (optional)' }).click();
    await page.getByRole('option', { name: 'Not now' }).click();
    await page.keyboard.press('Tab');
    await form.getByText('28 recipients').waitFor();
    await form.getByText('left out: 1 suppressed').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await toast('Campaign Created').waitFor();

    await page.getByRole('button', { name: 'Send November news' }).click();
    const asked = dialog('Send November news');
    await asked.getByText('To look at first:').waitFor();
    await asked.getByRole('link', { name: 'Open the check' }).waitFor();
    await asked.getByRole('button', { name: 'Send now to 28 people' }).click();
    await toast('Campaign Sent').waitFor();
    await page
      .getByRole('row', { name: /November news/ })
      .getByText('Completed')
      .waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Send November news' }).count()).toBe(0);
    await page
      .getByRole('row', { name: /November news/ })
      .getByText('November news')
      .click();
    await page.getByText('28 = 28 sent').waitFor();
    await page.getByRole('button', { name: 'Left out: on the suppression list' }).click();
    await page.getByRole('table', { name: 'Recipients' }).getByText('c4@campaign.co.uk').waitFor();
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV', exact: true }).click();
    expect((await coming).suggestedFilename()).toMatch(/^campaign-\d+-left_out\.csv$/);
    for (const what of ['links', 'domains']) {
      const file = page.waitForEvent('download');
      await page.getByRole('button', { name: `Export CSV of ${what}` }).click();
      expect((await file).suggestedFilename()).toMatch(new RegExp(`^campaign-\\d+-${what}\\.csv$`));
    }
    expect(await seriousFindingsInBoth(page)).toEqual([]);

    // As one of its readers: opens it, follows the link, and leaves.
    await page.getByRole('link', { name: 'Kept messages' }).click();
    await page.getByRole('button', { name: 'Remove the filter Campaign November news' }).waitFor();
    await page.getByPlaceholder('Search recipients').fill('c5@');
    // Its row moves up when the others go. A press meanwhile would meet another row.
    await expect.poll(() => page.getByText(/^For C\d+$/).count()).toBe(1);
    await page.getByText('For C5').click();
    const message = page.frameLocator('iframe[title="Message to c5@campaign.co.uk"]');
    await message.getByText('Dear C5').waitFor();
    // The product knows its own port only once it listens: its links name none that leads here.
    const pathOf = async (name: string) =>
      new URL((await message.getByRole('link', { name }).getAttribute('href')) ?? '').pathname;
    const clicked = await page.request.get(await pathOf('the shop'), { maxRedirects: 0 });
    expect(clicked.headers().location).toBe('http://127.0.0.1:9/new');
    await page.goto(await pathOf('Unsubscribe'));
    await page.getByRole('button', { name: 'Unsubscribe' }).waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    await page.goto('/campaigns');
    await page
      .getByRole('row', { name: /November news/ })
      .getByText('November news')
      .click();
    await page.getByRole('button', { name: /^\d clicks?, .*127\.0\.0\.1:9\/new$/ }).waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await page.getByRole('button', { name: 'Unsubscribed' }).click();
    await page.getByRole('table', { name: 'Recipients' }).getByText('c5@campaign.co.uk').waitFor();
    const { items } = await call(page, 'GET', '/api/suppressions/emails?search=c5@campaign.co.uk');
    expect(items).toMatchObject([{ reason: 'unsubscribed' }]);
    const next = await call(page, 'POST', '/api/campaigns/audience', {
      include: [{ list: list.id }],
      exclude: [],
    });
    expect(next).toMatchObject({ recipients: 28, leftOut: { suppressed: 2 } });
  });

  it('is followed up, and compared with the one before', async () => {
    await call(page, 'POST', '/api/emails', { email: 'ann@campaign.co.uk' });
    const audience = { include: [], exclude: [], leaveOutVerdicts: ['risky'] };
    const send = async (name: string): Promise<number> => {
      const written = { name, subject: name, content: '<p>Hello</p>', template: 'simple', audience };
      const { id } = await call(page, 'POST', '/api/campaigns', written);
      await call(page, 'POST', `/api/campaigns/${id}/send`);
      await expect.poll(() => call(page, 'GET', `/api/campaigns/${id}`)).toMatchObject({ sent: 1 });
      return id;
    };
    const before = await send('November news');
    await expect
      .poll(() => call(page, 'GET', `/api/campaigns/${before}`))
      .toMatchObject({ status: 'completed' });
    const id = await send('December news');
    await page.goto(`/campaigns/${id}`);
    const followUp = page.getByRole('button', { name: 'Follow up' });
    await followUp.click();
    const counting = page.waitForRequest('**/api/campaigns/audience');
    await page.getByRole('menuitem', { name: 'Resend to who did not open…' }).click();
    await dialog('Resend December news').getByText('1 recipient').waitFor();
    // Those are counted whom the draft is for.
    const draft = await call(page, 'POST', `/api/campaigns/${id}/resend`, {});
    expect((await counting).postDataJSON()).toEqual(draft.audience);
    expect(draft.audience).toEqual({ ...audience, include: [{ notOpened: id }] });
    await dialog('Resend December news').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Opened, last campaign').waitFor();
    const rates = page.getByRole('slider', { name: 'Rates by time' });
    await expect
      .poll(() => rates.getAttribute('aria-valuetext'))
      .toMatch(/^So far: .*Opened in the last campaign by then: 0%$/);
    await followUp.click();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Campaign to those who clicked…' }).click();
    await dialog('Create Campaign').getByText('Clicked in “December news”').waitFor();
    await dialog('Create Campaign').getByText('0 recipients').waitFor();
    expect(new URL(page.url()).searchParams.get('to')).toContain(`clicked ${id}`);
  });

  it('that is about to leave is checked anew each time, and once more when it may not', async () => {
    await call(page, 'POST', '/api/emails', { email: 'ann@campaign.co.uk' });
    const faulty = { content: '<p>Dear {{ first_name | nothing }}</p>' };
    const written = { name: 'Checked', subject: 'Checked', template: 'simple', ...faulty };
    const { id } = await call(page, 'POST', '/api/campaigns', written);
    const change = (data: object) => page.request.put(`/api/campaigns/${id}`, { data });
    await page.goto(`/campaigns/${id}`);
    const send = page.getByRole('button', { name: 'Send', exact: true });
    const asked = dialog('Send Checked');
    await send.click();
    await asked.getByText('The check blocks it:').waitFor();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await asked.waitFor({ state: 'detached' });

    // The worst comes first, and in words.
    await change({ content: '<p><a href="{{ shop_link }}">The shop</a></p>' });
    await send.click();
    await asked.getByText('To look at first: Links that lead nowhere,').waitFor();
    await asked.getByText('“shop_link” is the address of a link and empty for everybody').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await asked.waitFor({ state: 'detached' });
    await change({ content: '<p>Hello</p>' });

    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**/api/campaigns/${id}/check`, async (route) => {
      await released;
      await route.continue();
    });
    await send.click();
    await asked.getByText('Subject: Checked').waitFor();
    const found = await asked.locator('p[aria-live]', { hasText: 'check' }).last().elementHandle();
    await expect.poll(() => found?.textContent()).toBe('Checking the message…');
    release();
    await expect.poll(() => found?.textContent()).toContain('To look at first:');

    // What leaves is what was looked at.
    await change({ ...faulty, subject: 'Changed' });
    await asked.getByRole('button', { name: /^Send now/ }).click();
    await asked.getByText('Somebody has changed this campaign meanwhile.').waitFor();
    await asked.getByText('Subject: Changed').waitFor();
    await expect.poll(() => found?.textContent()).toContain('The check blocks it:');
    await asked.getByRole('button', { name: /^Send now/ }).click();
    await asked.getByText('There is no filter “nothing”.').waitFor();
    expect((await call(page, 'GET', `/api/campaigns/${id}`)).status).toBe('draft');
  });

  it('that somebody changes while it is about to leave is looked at once more', async () => {
    for (const person of ['ann', 'bob'])
      await call(page, 'POST', '/api/emails', { email: `${person}@campaign.co.uk` });
    const list = await call(page, 'POST', '/api/lists', { name: 'Trade' });
    await call(page, 'POST', `/api/lists/${list.id}/contacts`, { filter: { search: 'ann@' } });
    const written = { name: 'Polled', subject: 'Polled', template: 'simple', content: 'Hello' };
    const audience = { include: [{ list: list.id }], exclude: [] };
    const { id } = await call(page, 'POST', '/api/campaigns', { ...written, audience });
    await asBesideAnother(page);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/campaigns/audience', async (route) => {
      if (route.request().postDataJSON().include.length === 0) await released;
      await route.continue();
    });
    await page.goto(`/campaigns?send=${id}`);
    const asked = dialog('Send Polled');
    await asked.getByRole('button', { name: 'Send now to 1 person' }).waitFor();
    await page.request.put(`/api/campaigns/${id}`, { data: { audience: { include: [], exclude: [] } } });
    await asked.getByText('Somebody has changed this campaign meanwhile.').waitFor();
    await expect.poll(() => asked.getByRole('button', { name: 'Counting…' }).isDisabled()).toBe(true);
    release();
    // Whoever presses twice at once has not looked between the two.
    const looked = asked.getByRole('button', { name: 'I have looked' });
    const send = asked.getByRole('button', { name: 'Send now to 2 people' });
    const isDraft = async () => {
      await send.waitFor();
      expect((await call(page, 'GET', `/api/campaigns/${id}`)).status).toBe('draft');
    };
    await looked.dblclick();
    await asked.getByText('2 recipients').waitFor();
    await isDraft();
    // Nor between two presses of a key, or while it is held down.
    for (const [content, pressTwice] of Object.entries(pressesTwice)) {
      await page.request.put(`/api/campaigns/${id}`, { data: { content } });
      // Presses that follow soon are left out.
      await expect.poll(() => looked.getAttribute('aria-disabled')).toBe(null);
      await looked.focus();
      await pressTwice(page.keyboard);
      await isDraft();
    }
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await send.click();
    await toast('Campaign Sent').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('does not leave by a second tap, which a phone may count as a first one', async () => {
    const viewport = { width: 390, height: 844 };
    const { page: phone } = await stage.signUp({ viewport, hasTouch: true, isMobile: true });
    await call(phone, 'POST', '/api/emails', { email: 'ann@campaign.co.uk' });
    const written = { name: 'Tapped', subject: 'Tapped', template: 'simple', content: 'Hello' };
    const { id } = await call(phone, 'POST', '/api/campaigns', written);
    await asBesideAnother(phone);
    await phone.goto(`/campaigns?send=${id}`);
    const asked = phone.getByRole('dialog', { name: 'Send Tapped' });
    const send = asked.getByRole('button', { name: 'Send now to 1 person' });
    await send.waitFor();
    await asked.getByRole('link', { name: 'Open the check' }).waitFor();
    await phone.request.put(`/api/campaigns/${id}`, { data: { content: 'Changed' } });
    const looked = asked.getByRole('button', { name: 'I have looked' });
    await looked.waitFor();
    await asked.getByRole('link', { name: 'Open the check' }).waitFor();
    await settle(phone);
    const { x, y, width, height } = (await looked.boundingBox()) ?? expect.fail('not drawn');
    const tap = () => phone.touchscreen.tap(x + width / 2, y + height / 2);
    await Promise.all([tap(), tap()]);
    await send.waitFor();
    expect((await call(phone, 'GET', `/api/campaigns/${id}`)).status).toBe('draft');
    await phone.unrouteAll({ behavior: 'wait' });
  });

  it('that leaves while it is being changed says so, and keeps what was typed', async () => {
    await call(page, 'POST', '/api/emails', { email: 'ann@campaign.co.uk' });
    const written = { name: 'Leaving', subject: 'Leaving', template: 'simple', content: 'Hello' };
    const { id } = await call(page, 'POST', '/api/campaigns', written);
    await page.goto(`/campaigns/${id}?edit=now`);
    const edit = dialog('Edit Leaving');
    await edit.getByLabel('Content').fill('What I wrote');
    await call(page, 'POST', `/api/campaigns/${id}/send`);
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.getByText('This campaign is on its way already').waitFor();
    await expect.poll(() => edit.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await expect.poll(() => edit.getByLabel('Content').inputValue()).toBe('What I wrote');
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await edit.getByRole('button', { name: 'Cancel' }).click();
    await dialog('Discard your changes?').getByRole('button', { name: 'Discard' }).click();
    await edit.waitFor({ state: 'detached' });

    // The check page stays for its dialog, too, and then leads to the report.
    const next = await call(page, 'POST', '/api/campaigns', { ...written, name: 'Leaving too' });
    await page.goto(`/campaigns/${next.id}/check?send=now`);
    const asked = dialog('Send Leaving too');
    await asked.getByRole('button', { name: 'Send now to 1 person' }).waitFor();
    await call(page, 'POST', `/api/campaigns/${next.id}/send`);
    await asked.getByRole('button', { name: 'Send now to 1 person' }).click();
    await asked.getByText('This campaign is on its way already').waitFor();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(new RegExp(`/campaigns/${next.id}$`));
  });

  it('is changed while it is a draft, and deleted without asking, which the toast can undo', async () => {
    await call(page, 'POST', '/api/campaigns', {
      ...{ name: 'Draft one', subject: 'One', content: 'Hello', template: 'simple' },
    });
    await page.goto('/campaigns');
    const row = page.getByRole('row', { name: /Draft one/ });
    await row.getByText('Draft one').click();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Draft one' }).click();
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    const edit = dialog('Edit Draft one');
    await edit.getByLabel('Subject').fill('One more');
    const [{ id: draft }] = await call(page, 'GET', '/api/campaigns');
    await page.request.put(`/api/campaigns/${draft}`, { data: { subject: 'One of Ben' } });
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.getByText('Save again to have it your way.').waitFor();
    expect((await call(page, 'GET', `/api/campaigns/${draft}`)).subject).toBe('One of Ben');
    await page.keyboard.press('Escape');
    await dialog('Discard your changes?').getByRole('button', { name: 'Cancel' }).click();
    await edit.getByRole('button', { name: 'Save' }).click();
    await toast('Campaign Updated').waitFor();
    await page.getByText('One more').waitFor();
    await page.getByRole('link', { name: 'Check', exact: true }).click();
    await page.getByRole('listitem').filter({ hasText: 'Nobody would get it.' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Send to 0…' }).isDisabled()).toBe(true);
    await call(page, 'POST', '/api/emails', { email: 'ann@campaign.co.uk' });
    await page.reload();
    await page.getByText('1 meant, 0 left out').waitFor();
    await page.getByText(/^Run at \d\d:\d\d$/).waitFor();
    await page.getByRole('link', { name: 'Change the recipients' }).waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    await dialog(/test/i).getByRole('button', { name: 'Cancel' }).click();
    await page.frameLocator('iframe[title="How Draft one looks"]').getByText('Hello').waitFor();
    await page.getByText('Harbour & Pine is a sample.').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    // As after some campaigns that people have read.
    await page.route('**/api/campaigns/*/check', async (route) => {
      const check = await (await route.fetch()).json();
      const after = { recipients: 0, share: 0 };
      await route.fulfill({
        json: {
          ...{ ...check, when: { ...check.when, bestHour: '2030-07-02T08:00:00.000Z' } },
          leaveOut: { verdicts: ['risky'], contacts: 1 },
          predictedBounces: { recipients: 1, bounces: 1, share: 1, limit: 0.02, byVerdict: [], after },
        },
      });
    });
    await page.reload();
    const leaveOut = page.getByRole('button', { name: 'Leave out 1 contact' });
    await leaveOut.waitFor();
    const audience = { include: [], exclude: [], notMailedDays: 9 };
    await page.request.put(`/api/campaigns/${draft}`, { data: { audience } });
    await leaveOut.click();
    await toast('Error').getByText('Somebody has changed this campaign meanwhile.').waitFor();
    expect((await call(page, 'GET', `/api/campaigns/${draft}`)).audience).toMatchObject(audience);
    await leaveOut.click();
    const left = toast('Left Out');
    await left.waitFor();
    const changed = { audience: { ...audience, notMailedDays: 8 } };
    await page.request.put(`/api/campaigns/${draft}`, { data: changed });
    await left.getByRole('button', { name: 'Undo' }).click();
    await toast('Error').last().getByText('Somebody has changed this campaign meanwhile.').waitFor();
    // The page reads what was changed, and would ask to look at it once more.
    await expect.poll(() => leaveOut.isEnabled()).toBe(true);
    await page.getByRole('button', { name: 'Schedule for then' }).click();
    const when = dialog('Send Draft one').getByLabel('When');
    await expect.poll(() => when.inputValue()).toBe('2030-07-02T09:00');
    await when.fill('2030-07-01T10:00');
    await dialog('Send Draft one').getByRole('button', { name: 'Schedule' }).click();
    await toast('Campaign Scheduled').getByText('1 July 2030 at 10:00, London').waitFor();
    const [{ id, sendAt }] = await call(page, 'GET', '/api/campaigns');
    expect(sendAt).toBe('2030-07-01T09:00:00.000Z');
    await call(page, 'POST', `/api/campaigns/${id}/cancel`);
    await page.goto('/campaigns');
    await row
      .getByRole('button', { name: /Draft one/ })
      .last()
      .click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await toast('Campaign Deleted').getByRole('button', { name: 'Undo' }).click();
    await toast('Campaign Restored').waitFor();
    await row.waitFor();
  });

  it('that somebody else has archived meanwhile stays archived', async () => {
    const written = { name: 'Old news', subject: 'Old', content: 'Hello', template: 'simple' };
    const { id } = await call(page, 'POST', '/api/campaigns', written);
    const listed = await call(page, 'GET', '/api/campaigns');
    const showsHeld = (route: Route) => route.fulfill({ json: listed });
    await page.route('**/api/campaigns?*', showsHeld);
    await page.goto('/campaigns');
    const row = page.getByRole('row', { name: /Old news/ });
    await row.waitFor();
    await call(page, 'POST', `/api/campaigns/${id}/archive`, { archived: true });
    await row.getByRole('button', { name: 'Actions for Old news' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await toast('Campaign Archived').waitFor();
    expect((await call(page, 'GET', `/api/campaigns/${id}`)).archivedAt).not.toBeNull();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('is archived only once its schedule is taken back', async () => {
    const { id } = await call(page, 'POST', '/api/campaigns', {
      ...{ name: 'For later', subject: 'Later', content: 'Hello', template: 'simple' },
    });
    await call(page, 'POST', `/api/campaigns/${id}/schedule`, { sendAt: '2098-07-01T09:00:00Z' });
    await page.goto('/campaigns');
    const menu = page
      .getByRole('row', { name: /For later/ })
      .getByRole('button', { name: /For later/ })
      .last();
    await menu.click();
    const takeBack = page.getByRole('menuitem', { name: 'Take the schedule back' });
    await takeBack.waitFor();
    await expect.poll(() => page.getByRole('menuitem', { name: 'Archive' }).count()).toBe(0);
    await takeBack.click();
    await toast('Campaign Cancelled').waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await toast('Campaign Archived').waitFor();
  });

  it('begins with a preset or a template, as a copy in the editor', async () => {
    await page.goto('/campaigns?dialog=new');
    const form = dialog('Create Campaign');
    const create = form.getByRole('button', { name: 'Create', exact: true });
    await form.getByLabel('Campaign Name').fill('From a preset');
    await form.getByLabel('Subject').fill('Our news');
    await form.getByRole('combobox', { name: 'Template' }).click();
    await page.getByRole('option', { name: 'Basic Newsletter' }).click();
    await form.getByText('You go on with it in the editor.').waitFor();
    await create.click();
    await page.getByRole('textbox', { name: 'Preheader', exact: true }).waitFor();
    const [begun] = await call(page, 'GET', '/api/campaigns?search=From a preset');
    const { items } = await call(page, 'GET', '/api/templates/presets');
    const preset = items.find(({ id }: { id: string }) => id === 'newsletter-basic');
    const drafted = await call(page, 'GET', `/api/campaigns/${begun.id}`);
    expect(drafted).toMatchObject({ template: 'custom', templateId: null });
    expect(drafted.document.blocks.length).toBe(preset.document.blocks.length);

    // A change of the name and the audience leaves the design alone.
    await page.goto(`/campaigns/${begun.id}?edit=now`);
    await dialog('Edit From a preset').getByText('It has a design of its own').waitFor();
    await dialog('Edit From a preset').getByLabel('Subject').fill('Our best news');
    await dialog('Edit From a preset').getByRole('button', { name: 'Save' }).click();
    await toast('Campaign Updated').waitFor();
    expect(await call(page, 'GET', `/api/campaigns/${begun.id}`)).toMatchObject({
      ...{ subject: 'Our best news', document: drafted.document, content: drafted.content },
    });

    const own = { name: 'Our letter', category: 'custom', htmlContent: '<p>Dear {{ first_name }}</p>' };
    const template = await call(page, 'POST', '/api/templates', own);
    await page.goto('/templates');
    await page.getByRole('article', { name: 'Our letter' }).getByRole('button').last().click();
    await page.getByRole('menuitem', { name: 'Send as a campaign…' }).click();
    await expect.poll(() => form.getByRole('combobox', { name: 'Template' }).inputValue()).toBe('Our letter');
    await form.getByLabel('Campaign Name').fill('From a template');
    await form.getByLabel('Subject').fill('A letter');
    await create.click();
    await page.waitForURL(/\/campaigns\/\d+\/edit$/);
    const [copied] = await call(page, 'GET', '/api/campaigns?search=From a template');
    expect(copied).toMatchObject({ templateId: template.id, template: 'custom' });
  });

  it('is written in the editor, with a design of its own', async () => {
    const { id } = await call(page, 'POST', '/api/campaigns', {
      ...{ name: 'Spring tea', subject: 'Tea 🍵', content: 'Dear {{ first_name }}', template: 'simple' },
    });
    await page.goto(`/campaigns/${id}/edit`);
    await page.getByText('5 of about 40 characters that phones show').waitFor();
    await page.getByLabel('Preheader (optional)').fill('First leaves');
    await page.getByRole('switch', { name: 'UTM tags on links' }).check();
    await expect.poll(() => page.getByLabel('Campaign', { exact: true }).inputValue()).toBe('spring-tea');
    await page.getByText('Own design').click();
    await page.getByRole('textbox', { name: 'Preheader', exact: true }).waitFor();
    await page.getByText(/^Saved at/).waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    const stored = await call(page, 'GET', `/api/campaigns/${id}`);
    expect(stored).toMatchObject({
      ...{ preheader: 'First leaves', template: 'custom', utm: { campaign: 'spring-tea', medium: 'email' } },
      document: { preheader: 'First leaves' },
    });
    expect(stored.content).toContain('Dear {{ first_name }}');
    await page.getByRole('button', { name: 'Send test' }).click();
    await dialog('Send a test').getByRole('button', { name: 'Send test' }).click();
    await toast('Test Sent').getByText('1 test kept in the outbox').waitFor();

    // It is planned, moved to another day in the calendar, and back.
    const sendAt = '2098-06-10T09:00:00.000Z';
    await call(page, 'POST', `/api/campaigns/${id}/schedule`, { sendAt });
    await page.goto('/campaigns/calendar?day=2098-06-01');
    const dayOf = (day: string) =>
      page.locator('td').filter({ has: page.locator(`time[datetime="${day}"]`) });
    await page.getByRole('link', { name: '10:00 Spring tea Scheduled' }).dragTo(dayOf('2098-06-11'));
    await dayOf('2098-06-11').getByText('Spring tea').waitFor();
    await toast('Campaign Scheduled').getByRole('button', { name: 'Undo' }).click();
    await dayOf('2098-06-10').getByText('Spring tea').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await page.getByRole('button', { name: 'Move Spring tea' }).press('Enter');
    await dialog('Move Spring tea').getByLabel('When').fill('2098-06-12T11:00');
    await page.keyboard.press('Enter');
    await dayOf('2098-06-12').getByText('11:00').waitFor();
    await dayOf('2098-06-12').getByRole('link').press('PageDown');
    await page.getByRole('heading', { name: 'July 2098' }).waitFor();

    // Somebody takes it back to write on, while it still shows here.
    await page.goto('/campaigns/calendar?day=2098-06-01');
    await page.getByRole('button', { name: 'Move Spring tea' }).press('Enter');
    await dialog('Move Spring tea').getByLabel('When').fill('2098-06-15T11:00');
    await call(page, 'POST', `/api/campaigns/${id}/cancel`);
    await page.keyboard.press('Enter');
    await toast('Error').getByText('taken its schedule back meanwhile').waitFor();
    await dialog('Move Spring tea').waitFor({ state: 'detached' });
    expect(await call(page, 'GET', `/api/campaigns/${id}`)).toMatchObject({ status: 'draft', sendAt: null });
  });
});
