// Tests of: admin

import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindings, seriousFindingsInBoth } from '#test/support/browser.ts';
import { pointAt } from '#test/support/hover.ts';
import { testPassword } from '#test/support/sign-in.ts';
import { call, inDatabaseOf, openStage, type Stage } from '#test/support/stage.ts';

// The administrator's screen in the real product, for the administrator and for somebody else.

const adminEmail = 'wendy@harrowgatefoods.co.uk';

let boss: Page;
let tom: Page;
let tomsAddress: string;
let rounds = 0;

openStage(
  async (stage) => {
    rounds += 1;
    tomsAddress = `tom${rounds}@millbanktools.co.uk`;
    boss = await administrator(stage);
    ({ page: tom } = await stage.signUp({ name: 'Tom Reed', email: tomsAddress }));
  },
  // From pages that are not for everybody, and from a refused sign-in.
  { environment: { ADMIN_EMAIL: adminEmail }, mayComplain: /status of 4/ },
);

/** The administrator's window. The first test signs up, the others sign in. */
async function administrator(stage: Stage): Promise<Page> {
  if (rounds === 1) {
    const { page } = await stage.signUp({ name: 'Wendy Harrow', email: adminEmail });
    await inDatabaseOf(stage.product, 'update users set email_verified = true where email = $1', [
      adminEmail,
    ]);
    return page;
  }
  const { page } = await stage.visit();
  await signIn(page, adminEmail);
  return page;
}
const signIn = (page: Page, email: string) =>
  call(page, 'POST', '/api/auth/sign-in/email', { email, password: testPassword });
const tomsCall = async (what: 'suspend' | 'lift', body?: object) => {
  const { items } = await call(boss, 'GET', `/api/admin/users/search?search=${tomsAddress}`);
  await call(boss, 'POST', `/api/admin/users/${items[0].id}/${what}`, body);
};
/** Suspends Tom by a direct call, not through the screen. */
const suspendTom = () => tomsCall('suspend', { reason: 'Sends to bought lists' });

/** A file without any address. The import fails and its message is kept. */
async function failedImport(page: Page): Promise<void> {
  const buffer = Buffer.from('name,town\nJo,Leeds\nSam,York\n');
  const answer = await page.request.post('/api/emails/import', {
    multipart: { file: { name: 'no-addresses.csv', mimeType: 'text/csv', buffer } },
  });
  expect(answer.status()).toBe(400);
}

describe('somebody who is not the administrator', () => {
  it('is denied the screen in so many words, finds no way to it, and is led home', async () => {
    await tom.goto('/admin');
    await tom.getByText('Access Denied', { exact: true }).waitFor();
    await tom.getByText("You don't have permission to access the admin panel.", { exact: true }).waitFor();
    await expect.poll(() => tom.getByRole('link', { name: 'Admin', exact: true }).count()).toBe(0);
    expect(await seriousFindingsInBoth(tom)).toEqual([]);
    await tom.getByRole('link', { name: 'Return to Home', exact: true }).click();
    await tom.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  });
});

/** The table of users with Tom alone. */
async function searchForTom() {
  await boss.goto('/admin?tab=users');
  await boss.getByPlaceholder('Person or workspace').fill(tomsAddress);
  const users = boss.getByRole('table', { name: 'Users' });
  await users.getByText(tomsAddress, { exact: true }).waitFor();
  await users.getByText('wendy@', { exact: false }).waitFor({ state: 'detached' });
  return users;
}

describe('the administrator', () => {
  it('sees figures, plans in pounds, targets beside what was measured, and the newest users', async () => {
    await boss.goto('/');
    await boss.getByRole('link', { name: 'Admin', exact: true }).click();
    const people = boss.getByRole('region', { name: 'People and storage' });
    await people.getByText('Total users').waitFor();
    // The administrator, and one Tom for each test so far.
    await people
      .getByText(String(rounds + 1), { exact: true })
      .first()
      .waitFor();
    await boss.getByRole('region', { name: 'Subscriptions' }).getByText('£0.00', { exact: true }).waitFor();
    const performance = boss.getByRole('region', { name: 'Performance' });
    for (const target of ['target 99.5%', 'target 2.3s', 'target 99.9%'])
      await performance.getByText(target, { exact: true }).waitFor();
    const help = performance.getByRole('button', { name: 'How it is measured: Uptime' });
    await pointAt(help, boss.getByText(/writes down that it is there/));
    const newest = boss.getByRole('table', { name: 'Newest users' });
    await newest.getByText(tomsAddress).waitFor();
    expect(await seriousFindingsInBoth(boss)).toEqual([]);
  });

  it('finds a user and suspends them, which ends what they are at', async () => {
    const users = await searchForTom();
    await users.getByRole('button', { name: `Actions for ${tomsAddress}` }).click();
    await boss.getByRole('menuitem', { name: 'Suspend' }).click();
    const dialog = boss.getByRole('dialog', { name: 'Suspend Tom Reed?' });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Sends to bought lists');
    expect(await seriousFindings(boss)).toEqual([]);
    await dialog.getByRole('button', { name: 'Suspend user' }).click();
    await users.getByText('Suspended', { exact: true }).waitFor();

    await tom.goto('/email-database');
    await tom.waitForURL(/\/auth/);
    await tom.getByRole('textbox', { name: 'Email' }).fill(tomsAddress);
    await tom.locator('input[type=password]').fill(testPassword);
    await tom.keyboard.press('Enter');
    await tom.getByText(/This account is suspended/).waitFor();
  });

  it('lifts it, and they sign in', async () => {
    await suspendTom();
    const users = await searchForTom();
    await users.getByRole('button', { name: `Actions for ${tomsAddress}` }).click();
    await boss.getByRole('menuitem', { name: 'Lift suspension' }).click();
    await boss.getByRole('dialog').getByRole('button', { name: 'Lift suspension' }).click();
    await users.getByText('Active', { exact: true }).waitFor();
    await tom.goto('/email-database');
    await tom.waitForURL(/\/auth/);
    await tom.getByRole('textbox', { name: 'Email' }).fill(tomsAddress);
    await tom.locator('input[type=password]').fill(testPassword);
    await tom.keyboard.press('Enter');
    await tom.getByRole('heading', { name: 'Email Database', level: 1 }).waitFor();
  });

  it('sees the queue, the health of the system, and what was done', async () => {
    await suspendTom();
    await tomsCall('lift');
    await signIn(tom, tomsAddress);
    await boss.goto('/admin?tab=queue');
    await boss.getByText('No task waits or runs').waitFor();
    await boss.getByText('No import runs').waitFor();
    await failedImport(tom);
    await boss
      .getByText(/^Failed/)
      .first()
      .click();
    const imports = boss.getByRole('table', { name: 'Imports' });
    await imports.getByText('no-addresses.csv').waitFor();
    await imports.getByText('Tom Reed').waitFor();
    await imports.getByText(/email/i).first().waitFor();
    expect(await seriousFindingsInBoth(boss)).toEqual([]);
    await boss
      .getByRole('table', { name: 'Background jobs', exact: true })
      .getByText('mail.deliver')
      .waitFor();
    expect(await seriousFindingsInBoth(boss)).toEqual([]);
    await boss.getByRole('tab', { name: 'System' }).click();
    await boss.getByText(/PostgreSQL \d+/).waitFor();
    const record = boss.getByRole('table', { name: 'What the administrator did' });
    await record.getByText(`Suspended ${tomsAddress}: Sends to bought lists`).waitFor();
    expect(await seriousFindingsInBoth(boss)).toEqual([]);
  });

  it('has the same on a phone', async () => {
    await boss.setViewportSize({ width: 390, height: 844 });
    const shows = {
      overview: tomsAddress,
      users: tomsAddress,
      queue: 'mail.deliver',
      system: /PostgreSQL \d+/,
    };
    for (const [tab, text] of Object.entries(shows)) {
      await boss.goto(`/admin?tab=${tab}`);
      await boss.getByText(text).first().waitFor();
      await expect
        .poll(() => boss.evaluate('document.documentElement.scrollWidth'), { message: tab })
        .toBe(390);
      expect(await seriousFindings(boss), tab).toEqual([]);
    }
  });
});
