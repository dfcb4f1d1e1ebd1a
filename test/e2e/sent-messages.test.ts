// Tests of: sending, transactional
import { expect, it } from 'vitest';
import { seriousFindings } from '#test/support/browser.ts';
import { holdsNone } from '#test/support/settle.ts';
import { call, makeViewers, openStageSignedIn, type SignedInStage } from '#test/support/stage.ts';

// What was sent to one person, on the screens that list it.

let stage: SignedInStage;
openStageSignedIn((opened) => {
  stage = opened;
});

it('is read by editors, and viewers are told why they do not', async () => {
  const { page } = stage;
  const html = '<p>Your new password</p>';
  await call(page, 'POST', '/api/send', { to: 'jane@shop.co.uk', subject: 'Reset', html });
  await expect
    .poll(async () => (await call(page, 'GET', '/api/outbox/messages')).items.length, { timeout: 45_000 })
    .toBe(1);
  const dialog = page.getByRole('dialog', { name: 'Message' });
  const frame = page.locator('iframe[title="Message to jane@shop.co.uk"]');
  const why = dialog.getByText('Reading a message needs the editor role');
  const openOn = async (path: string) => {
    await page.goto(path);
    await page.getByText('jane@shop.co.uk').first().click();
  };
  for (const path of ['/transactional', '/outbox/messages']) {
    await openOn(path);
    await frame.contentFrame().getByText('Your new password').waitFor();
    await holdsNone(why);
  }
  await makeViewers(stage.product, stage.somebody);
  for (const path of ['/transactional', '/outbox/messages']) {
    await openOn(path);
    await why.waitFor();
    await holdsNone(frame);
    expect(await seriousFindings(page)).toEqual([]);
  }
});
