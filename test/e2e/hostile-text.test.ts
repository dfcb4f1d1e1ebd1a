import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import type { SignedInPage } from '#test/support/browser.ts';
import { bring, call, openStageSignedIn } from '#test/support/stage.ts';

/**
 * Puts text that would be a script in HTML into every field that others can see. It must stay text.
 */

let somebody: SignedInPage;
let page: Page;

const hostile = (where: string) =>
  `"><img src=x onerror=window.ran='${where}'><script>window.ran='${where}'</script>`;

openStageSignedIn(
  (stage) => {
    ({ somebody, page } = stage);
  },
  // From the admin page, which these people may not open, and from scripts that the policy blocked.
  { mayComplain: /Content Security Policy|status of 40/ },
);

const send = (method: 'POST' | 'PATCH', path: string, data: object) => call(page, method, path, data);
const ran = () => page.evaluate('window.ran');

it('is shown as text on every screen, and runs nowhere', async () => {
  await send('PATCH', '/api/account', { name: hostile('user').slice(0, 100) });
  await send('PATCH', '/api/workspaces/current', { name: hostile('workspace').slice(0, 100) });
  await send('POST', '/api/emails', { email: 'ann@acme.co.uk', notes: hostile('notes') });
  await send('POST', '/api/suppressions/email/manual', { email: 'stop@acme.co.uk', note: hostile('note') });
  await send('POST', '/api/suppressions/domain', { domain: 'stop.co.uk', note: hostile('domain note') });
  await send('PATCH', '/api/settings', {
    sender: { company: hostile('company'), fromName: "<b onclick='x'>" },
  });
  await send('PATCH', '/api/settings', { import: { allowedColumns: ['email', 'name', 'town'] } });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = `email,name,town\nbob@acme.co.uk,${quoted(hostile('name'))},${quoted(hostile('town'))}\n${quoted(hostile('row'))},,\n`;
  const { id } = await bring(page, rows, { name: `<img src=x onerror=window.ran='file'>.csv` });
  const { emails } = (await (await page.request.get('/api/emails')).json()) as { emails: { id: number }[] };
  expect(emails).toHaveLength(2);

  const complaints: string[] = [];
  page.on('dialog', (dialog) => {
    complaints.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  for (const path of [
    '/dashboard',
    '/email-database',
    ...emails.map((contact) => `/email-database?contact=${contact.id}`),
    `/email-database?search=${encodeURIComponent(hostile('search'))}`,
    '/suppressions',
    '/suppressions?tab=domains',
    '/imports',
    `/imports/${id}`,
    '/settings',
    '/activities',
    '/bin',
    '/field-changes',
    '/team',
    '/account',
    '/audit',
    `/auth?next=${encodeURIComponent("javascript:window.ran='next'")}`,
    `/${encodeURIComponent(hostile('path'))}`,
  ]) {
    await page.goto(path);
    await page.getByRole('main').waitFor();
    await page.waitForLoadState('networkidle');
    expect([path, await ran()]).toEqual([path, undefined]);
    expect([path, await page.locator('img[src=x]').count()]).toEqual([path, 0]);
  }
  await page.goto('/email-database');
  await page.getByText("window.ran='name'", { exact: false }).first().waitFor();
  expect(complaints).toEqual([]);
});

it('would not run even if it were taken for HTML', async () => {
  await page.goto('/dashboard');
  await page.evaluate(`
    document.body.insertAdjacentHTML('beforeend', '<img src=data:, onerror="window.ran=1">');
    const script = document.createElement('script');
    script.textContent = 'window.ran = 2';
    document.body.append(script);
    const elsewhere = document.createElement('script');
    elsewhere.src = 'https://evil.example/x.js';
    document.body.append(elsewhere);
  `);
  await expect
    .poll(() => somebody.complaints.filter((line) => /Content Security Policy/.test(line)).length)
    .toBeGreaterThanOrEqual(3);
  expect(await ran()).toBeUndefined();
});
