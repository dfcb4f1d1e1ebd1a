// Tests of: campaigns
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { call, openStageSignedIn } from '#test/support/stage.ts';

let page: Page;
openStageSignedIn((opened) => {
  ({ page } = opened);
});

const written = { content: 'Dear you', template: 'simple' };
const nameOf = (n: number) => `Offer ${String(n).padStart(3, '0')}`;

/** The ids of so many drafts, the oldest first. */
async function draft(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 1; n <= count; n++) {
    const body = { ...written, name: nameOf(n), subject: `Subject ${n}` };
    ids.push((await call(page, 'POST', '/api/campaigns', body)).id);
  }
  return ids;
}

const table = () => page.getByRole('table', { name: 'Campaigns' });
const names = async () =>
  (await table().getByRole('row').allInnerTexts()).flatMap((row) => row.match(/Offer \d{3}/)?.[0] ?? []);
const between = (first: number, last: number) =>
  Array.from({ length: first - last + 1 }, (_, n) => nameOf(first - n));

describe('250 campaigns', () => {
  it('are read in pages, and searched and filtered where they are stored', async () => {
    const ids = await draft(250);
    const at = (n: number) => ids[n - 1] as number;
    for (const n of [3, 120])
      await call(page, 'POST', `/api/campaigns/${at(n)}/schedule`, { sendAt: '2098-07-01T09:00:00Z' });
    await call(page, 'POST', `/api/campaigns/${at(2)}/archive`);
    const asked: URL[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname === '/api/campaigns' && request.method() === 'GET') asked.push(url);
    });

    await page.goto('/campaigns');
    await expect.poll(names).toEqual(between(250, 201));
    await page.getByRole('button', { name: 'Show older campaigns' }).click();
    await expect.poll(names).toEqual(between(250, 151));

    await page.getByPlaceholder('Search campaigns').fill('subject 7');
    await expect.poll(names).toEqual([...between(79, 70), nameOf(7)]);
    await expect.poll(() => page.getByRole('button', { name: 'Show older campaigns' }).count()).toBe(0);
    await page.goto('/campaigns?status=scheduled');
    await expect.poll(names).toEqual([nameOf(120), nameOf(3)]);
    await page.goto('/campaigns?archived=only');
    await expect.poll(names).toEqual([nameOf(2)]);
    await page.goto('/campaigns?search=nowhere');
    await page.getByText('No campaign fits').waitFor();
    expect(asked.map(({ searchParams }) => searchParams.get('limit'))).toEqual(asked.map(() => '51'));

    // What the address names need not be among those that show.
    await page.goto(`/campaigns?send=${at(1)}`);
    await page.getByRole('dialog', { name: `Send ${nameOf(1)}` }).waitFor();

    await page.goto('/campaigns/calendar?day=2098-07-01');
    for (const n of [3, 120]) await page.getByText(nameOf(n)).waitFor();
  });

  it('end where the last page ends', async () => {
    await draft(100);
    await page.goto('/campaigns');
    const older = page.getByRole('button', { name: 'Show older campaigns' });
    await older.click();
    await expect.poll(names).toEqual(between(100, 1));
    // The last page is full, and no button promises another.
    await expect.poll(() => older.count()).toBe(0);
  });
});

it('the latest that were sent are offered as an audience, and older ones keep their name', async () => {
  await call(page, 'POST', '/api/emails', { email: 'ann@many.co.uk' });
  const ids = await draft(22);
  for (const id of ids) await call(page, 'POST', `/api/campaigns/${id}/send`);
  await page.goto(`/campaigns?dialog=new&to=${encodeURIComponent(`opened ${ids[0]}`)}`);
  const form = page.getByRole('dialog', { name: 'Create Campaign' });
  await form.getByText(`Opened “${nameOf(1)}”`).waitFor();
  await form.getByRole('combobox', { name: 'Send to' }).click();
  const offered = async () =>
    (await page.getByRole('option').allInnerTexts()).filter((text) => text.startsWith('Got'));
  await expect.poll(offered).toEqual(between(22, 3).map((name) => `Got “${name}”`));
});
