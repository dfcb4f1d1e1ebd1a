// Tests of: mail
import type { Page } from 'playwright';
import { afterAll, expect, it } from 'vitest';
import { seriousFindings, seriousFindingsInBoth } from '#test/support/browser.ts';
import { openSmtpSink, type SmtpSink } from '#test/support/smtp-sink.ts';
import { call, openStageSignedIn } from '#test/support/stage.ts';

// The outbox in the real product, with a mail server that first refuses a mail.

let sink: SmtpSink;
let page: Page;

openStageSignedIn(
  async (stage) => {
    ({ page } = stage);
    sink.messages.length = 0;
    sink.refuse = '550 no such person here';
    await call(page, 'POST', '/api/team/invitations', { email: 'sam@millbank.co.uk', role: 'viewer' });
  },
  {
    environment: async () => {
      sink = await openSmtpSink();
      return { SMTP_URL: sink.url, MAIL_FROM: 'post@example.org' };
    },
  },
);
afterAll(() => sink?.close());

it('says why a mail did not leave, and sends it again', { timeout: 240_000 }, async () => {
  const mail = page.getByRole('table', { name: 'Mail' });
  await expect
    .poll(async () => (await (await page.request.get('/api/outbox')).json()).items[0].status, {
      timeout: 100_000,
    })
    .toBe('failed');
  await page.goto('/outbox');
  await mail.getByText('550 no such person here').waitFor();
  expect(await seriousFindingsInBoth(page)).toEqual([]);
  await mail.getByText('sam@millbank.co.uk').click();
  await page.getByRole('dialog').getByText('Given up after it was tried once').waitFor();
  expect(await seriousFindingsInBoth(page)).toEqual([]);
  await page.keyboard.press('Escape');
  sink.refuse = null;
  await mail.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Send again' }).click();
  await page.getByText('Mail Sent Again').waitFor();
  await expect
    .poll(() => sink.messages.filter((mail) => mail.includes('sam@millbank.co.uk')).length, {
      timeout: 100_000,
    })
    .toBe(1);
  // The server has the message a moment before it is noted as sent.
  await expect.poll(async () => (await call(page, 'GET', '/api/outbox')).items[0].status).toBe('sent');
  await page.reload();
  await mail.getByText('Sent', { exact: true }).waitFor();
  await mail.getByRole('button', { name: /^Actions for/ }).click();
  await expect.poll(() => page.getByRole('menuitem', { name: 'Send again' }).count()).toBe(0);
});

it('has the same on a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/outbox');
  await page.getByText('sam@millbank.co.uk').first().waitFor();
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(await seriousFindings(page)).toEqual([]);
});
