// Tests of: campaigns
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindingsInBoth } from '#test/support/browser.ts';
import { call, openStageSignedIn } from '#test/support/stage.ts';

let page: Page;

openStageSignedIn(
  (opened) => {
    ({ page } = opened);
  },
  { name: 'Ann Bell', mayComplain: /status of 409/ },
);

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const state = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text });
const subject = () => page.getByLabel('Subject', { exact: true });
const stored = (id: number) => call(page, 'GET', `/api/campaigns/${id}`);
/** A draft, open in the editor. */
async function opened(): Promise<number> {
  const body = { name: 'Spring tea', subject: 'Tea', content: 'Dear you', template: 'simple' };
  const { id } = await call(page, 'POST', '/api/campaigns', body);
  await page.goto(`/campaigns/${id}/edit`);
  await subject().waitFor();
  return id;
}

describe('a campaign that is being written', () => {
  it('saves nothing by itself once somebody has scheduled it, and says so', async () => {
    const id = await opened();
    await subject().fill('Green tea');
    await state(/^Saved at/).waitFor();
    const sendAt = '2098-06-10T09:00:00.000Z';
    await call(page, 'POST', `/api/campaigns/${id}/schedule`, { sendAt });
    await subject().fill('Green tea from the sl');
    await page.getByText('This campaign was scheduled meanwhile').waitFor();
    const notSaved = state(/^Not saved yet. It leaves on .*10 June 2098 at 10:00 as it was saved.$/);
    await notSaved.waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    // It would have tried again by now.
    let tries = 0;
    page.on('request', (request) => {
      if (request.method() === 'PUT') tries += 1;
    });
    await subject().fill('Green tea from the slopes');
    await page.waitForTimeout(4_000);
    expect([tries, (await stored(id)).subject]).toEqual([0, 'Green tea']);
    await notSaved.waitFor();
    await button('Save Campaign').click();
    await state(/^Saved at/).waitFor();
    expect(await stored(id)).toMatchObject({ status: 'scheduled', subject: 'Green tea from the slopes' });
    // The answer to a save tells that it is a draft again, which saves itself.
    await call(page, 'POST', `/api/campaigns/${id}/cancel`);
    await subject().fill('Oolong');
    await button('Save Campaign').click();
    await expect.poll(() => page.getByText('This campaign was scheduled meanwhile').count()).toBe(0);
    await subject().fill('Oolong from the hills');
    await expect.poll(async () => (await stored(id)).subject).toBe('Oolong from the hills');
  });

  it('asks again before a press changes what is scheduled without the page knowing', async () => {
    const id = await opened();
    await call(page, 'POST', `/api/campaigns/${id}/schedule`, { sendAt: '2098-06-10T09:00:00.000Z' });
    await subject().fill('Green tea');
    await button('Save Campaign').click();
    await page.getByText('This campaign was scheduled meanwhile').waitFor();
    expect((await stored(id)).subject).toBe('Tea');
    await button('Save Campaign').click();
    await expect.poll(async () => (await stored(id)).subject).toBe('Green tea');
  });
});
