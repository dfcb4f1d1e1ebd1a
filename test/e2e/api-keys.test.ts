// Tests of: api-keys, audit
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindings } from '#test/support/browser.ts';
import type { RunningProduct } from '#test/support/shared-product.ts';
import { call, openStageSignedIn } from '#test/support/stage.ts';

// Keys in the real product: created on the screen, used by a program, revoked on the screen.

let product: RunningProduct;
let page: Page;

openStageSignedIn(
  (stage) => {
    ({ product, page } = stage);
  },
  // From a key without a name.
  { mayComplain: /status of 400/ },
);

const dialog = () => page.getByRole('dialog');
const keys = () => page.getByRole('table', { name: 'API keys' });

describe('API keys', () => {
  /** Creates a key by a direct call, not through the screen. */
  const makeKey = () => call(page, 'POST', '/api/keys', { name: 'Website form', scopes: ['contacts:read'] });
  const callWith = (secret: string) =>
    fetch(`${product.url}/api/emails?limit=1`, { headers: { authorization: `Bearer ${secret}` } });

  it('are made with a name and scopes, and shown once', async () => {
    await page.goto('/api-keys');
    await page.getByText('No API keys yet').waitFor();
    expect(await seriousFindings(page, 'dark')).toEqual([]);
    await page.getByRole('button', { name: 'New API key' }).first().click();
    await dialog().getByRole('button', { name: 'Make key' }).click();
    await dialog()
      .getByText('Please give a name.')
      .or(dialog().getByText('Choose at least one scope.'))
      .first()
      .waitFor();
    await dialog().getByLabel('Name').fill('Website form');
    await dialog().getByLabel('Read and search contacts').check();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Make key' }).click();
    const key = await dialog().getByLabel('Key', { exact: true }).inputValue();
    expect(key).toMatch(/^em_live_/);
    // There is nothing left to cancel, and a click beside it does not put the key away.
    await page.mouse.click(5, 5);
    await expect.poll(() => dialog().getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await dialog().getByRole('button', { name: 'Done' }).click();
    await keys().getByText('Website form').waitFor();
    await expect.poll(() => page.getByText(key).count()).toBe(0);
    expect((await callWith(key)).status).toBe(200);
  });

  it('open nothing once they are revoked', async () => {
    const { key } = await makeKey();
    await page.goto('/api-keys');
    await keys().getByRole('button', { name: 'Actions for Website form' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await dialog().getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('No API keys yet').waitFor();
    expect((await callWith(key)).status).toBe(401);
  });

  it('leave their trace in the audit log, which is narrowed and exported', async () => {
    const { id } = await makeKey();
    await call(page, 'DELETE', `/api/keys/${id}`);
    await page.goto('/audit');
    const log = page.getByRole('table', { name: 'Audit log' });
    await log.getByText('API key made').waitFor();
    await log.getByText('API key revoked').waitFor();
    expect([...(await seriousFindings(page, 'dark')), ...(await seriousFindings(page))]).toEqual([]);
    await page.goto('/audit?area=contacts');
    await page.getByText('Nothing fits these filters').waitFor();
    await page.goto('/audit?area=keys');
    await log.getByText('API key made').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^audit-log-.*\.csv$/);
  });
});
