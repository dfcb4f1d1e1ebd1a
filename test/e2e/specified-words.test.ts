import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { settle } from '#test/support/settle.ts';
import { call, openStageSignedIn } from '#test/support/stage.ts';

/**
 * Text that the specification gives word for word and no other browser test reads.
 * `docs/specification.md` says which test reads what.
 */

let page: Page;

openStageSignedIn(
  async (stage) => {
    ({ page } = stage);
    for (const [path, data] of [
      ['/api/emails', { email: 'ann@acme.co.uk' }],
      ['/api/emails', { email: 'bob@firma.de' }],
      ['/api/suppressions/email/manual', { email: 'stop@acme.co.uk' }],
    ] as const)
      await call(page, 'POST', path, data);
  },
  // From failures that these tests cause, and from screens that are for others.
  { acceptDownloads: true, mayComplain: /status of (500|40[34])/ },
);

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
const toast = (title: string) =>
  page.getByRole('alert').filter({ has: page.getByText(title, { exact: true }) });
const row = (text: string) => page.getByRole('row').filter({ hasText: text });

describe('when a call fails', () => {
  const failures: [
    title: string,
    message: string,
    method: string,
    path: string,
    screen: string,
    act: () => Promise<void>,
  ][] = [
    [
      'Error',
      'Failed to clean database. Please try again.',
      'POST',
      '/api/emails/clean',
      '/dashboard',
      async () => {
        await page.getByRole('button', { name: 'Clean the database' }).click();
        await button('Remove 1 contact').click();
      },
    ],
    [
      'Error',
      'Failed to export database. Please try again.',
      'GET',
      '/api/emails/export',
      '/dashboard',
      () => page.getByRole('button', { name: 'Export as CSV' }).click(),
    ],
    [
      'Error',
      'Failed to suppress email. Please try again.',
      'POST',
      '/api/suppressions/email',
      '/email-database',
      async () => {
        await button('Actions for ann@acme.co.uk').click();
        await item('Suppress').click();
      },
    ],
    [
      'Error',
      'Failed to perform bulk action. Please try again.',
      'POST',
      '/api/suppressions/emails',
      '/email-database',
      async () => {
        await row('ann@acme.co.uk').getByRole('checkbox').check();
        await page.getByLabel('Actions for the selection').getByRole('button', { name: 'Suppress' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Suppress 1 contact' }).click();
      },
    ],
    [
      'Error',
      'Failed to remove email or domain suppression. Please try again.',
      'DELETE',
      '/api/suppressions/email/*',
      '/suppressions',
      async () => {
        await button('Actions for stop@acme.co.uk').click();
        await item('Remove').click();
        await page.getByRole('textbox', { name: 'Reason' }).fill('By mistake');
        await button('Remove suppression').click();
      },
    ],
    [
      'Error',
      'Failed to add email suppression. Please try again.',
      'POST',
      '/api/suppressions/email/manual',
      '/suppressions',
      async () => {
        const field = page.getByRole('textbox', { name: 'Email address to suppress' });
        await field.fill('more@acme.co.uk');
        await field.press('Enter');
      },
    ],
    [
      'Error',
      'Failed to add domain suppression. Please try again.',
      'POST',
      '/api/suppressions/domain',
      '/suppressions?tab=domains',
      async () => {
        const field = page.getByRole('textbox', { name: 'Domain to suppress' });
        await field.fill('more.co.uk');
        await field.press('Enter');
      },
    ],
    [
      'Cleanup Failed',
      'There was an error cleaning up the database. Please try again.',
      'POST',
      '/api/maintenance/cleanup',
      '/settings',
      async () => {
        await button('Clean up').click();
        await button('Remove 1 contact').click();
      },
    ],
    [
      'Export Failed',
      'There was an error exporting the database. Please try again.',
      'GET',
      '/api/maintenance/export',
      '/settings',
      () => page.getByRole('region', { name: 'Maintenance' }).getByRole('button', { name: 'Export' }).click(),
    ],
  ];

  failures.push(
    [
      'Update Failed',
      'There was an error updating your settings. Please try again.',
      'PATCH',
      '/api/settings',
      '/settings',
      async () => {
        const card = page.getByRole('region', { name: 'Retention' });
        await card.getByLabel('Bin').fill('14');
        await card.getByRole('button', { name: 'Save retention' }).click();
      },
    ],
    [
      'Import Failed',
      'There was an error importing your CSV file. Please try again.',
      'POST',
      '/api/emails/import',
      '/imports',
      () =>
        page
          .locator('input[type=file]')
          .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('email\na@b.co.uk\n') }),
    ],
  );

  it.each(failures)('%s: %s', async (title, message, method, path, screen, act) => {
    await page.goto(screen);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // Cards that arrive late would move the button away under the press.
    await settle(page);
    const failing = (url: URL) =>
      new RegExp(`^${path.replace('*', '\\d+')}$`).test(url.pathname) && !url.searchParams.has('preview');
    await page.route(failing, (route) =>
      route.request().method() === method ? route.fulfill({ status: 500, body: '' }) : route.fallback(),
    );
    // The message goes after five seconds, so the wait for it begins before the press.
    const alerts = page.getByRole('alert').filter({ visible: true }).filter({ hasText: title });
    const told = toast(title)
      .getByText(message, { exact: true })
      .waitFor()
      .then(() => alerts.count());
    expect((await Promise.all([told, act()]))[0]).toBe(1);
  });

  it('to add an address, the dialog says so and lets one try again', async () => {
    await page.goto('/email-database');
    await button('Add Email').first().click();
    const dialog = page.getByRole('dialog', { name: 'Add New Email Address' });
    await dialog.getByRole('textbox', { name: 'Email address' }).fill('new@acme.co.uk');
    await expect
      .poll(() => dialog.getByRole('textbox', { name: 'Notes (optional)' }).getAttribute('rows'))
      .toBe('2');
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/emails', async (route) => {
      await held;
      await route.fulfill({ status: 500, body: '' });
    });
    await page.keyboard.press('Enter');
    const submit = dialog.getByRole('button', { name: 'Adding...' });
    await submit.waitFor();
    await expect.poll(() => submit.isDisabled()).toBe(true);
    answer();
    await dialog.getByText('Failed to add email. Please try again.', { exact: true }).waitFor();
    await page.unroute('**/api/emails');
    // A second press that comes at once is part of the first.
    await expect.poll(() => dialog.getByRole('button', { name: 'Add Email' }).isEnabled()).toBe(true);
    await page.keyboard.press('Enter');
    await toast('Email Added').getByText('The email address has been added to the database.').waitFor();
  });
});

describe('when all goes well', () => {
  it('cleaning and the export of the settings say so', async () => {
    await page.goto('/settings');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      toast('Export Complete').waitFor(),
      page.getByRole('region', { name: 'Maintenance' }).getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\d{4}-\d\d-\d\d.*\.csv$/);
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Clean the database' }).click();
    await button('Remove 1 contact').click();
    await toast('Database Cleaned').waitFor();
  });
});

it('messages stay for five seconds', async () => {
  await page.goto('/settings');
  const lived = page.evaluate<number>(`new Promise((resolve) => {
    let since;
    new MutationObserver(() => {
      const isThere = document.querySelector('[role=alert]') !== null;
      if (isThere) since ??= performance.now();
      else if (since !== undefined) resolve(performance.now() - since);
    }).observe(document.body, { childList: true, subtree: true });
  })`);
  await Promise.all([
    toast('Export Complete').waitFor(),
    page.getByRole('region', { name: 'Maintenance' }).getByRole('button', { name: 'Export' }).click(),
  ]);
  // It waits while the pointer is on it.
  await page.mouse.move(5, 5);
  // A timer never ends early. On a busy machine it may end late.
  expect(await lived).toBeGreaterThanOrEqual(4990);
});

describe('the shell', () => {
  const main = () => page.getByRole('navigation', { name: 'Main' });

  it('names the product, lists the screens, marks the current one, and tells the time of the last sync', async () => {
    await page.goto('/suppressions');
    await main().getByText('Email Manager', { exact: true }).waitFor();
    await main().getByText('Marketing Database', { exact: true }).waitFor();
    for (const name of ['Dashboard', 'Email Database', 'Suppressions', 'Import Data', 'Settings'])
      await main().getByRole('link', { name }).first().waitFor();
    await expect
      .poll(() => main().locator('[aria-current=page]').allTextContents())
      .toEqual([expect.stringContaining('Suppressions')]);
    await expect
      .poll(() =>
        main()
          .getByText(/^Last sync:/)
          .textContent(),
      )
      .toMatch(/^Last sync: \d\d:\d\d$/);
  });

  it.each([
    ['/', 'Dashboard'],
    ['/dashboard', 'Dashboard'],
    ['/email-database', 'Email Database'],
    ['/suppressions', 'Suppressions'],
    ['/imports', 'Import Data'],
    ['/import', 'Import Data'],
    ['/settings', 'Settings'],
  ])('shows at %s the screen %s', async (path, title) => {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  });

  it('has an answer for addresses that no screen has, and for who may not see the admin panel', async () => {
    await page.goto('/no-such-screen');
    await page.getByText('404 Page Not Found', { exact: true }).waitFor();
    await page.getByText('Did you forget to add the page to the router?', { exact: true }).waitFor();
    await page.goto('/admin');
    await page.getByText('Access Denied', { exact: true }).waitFor();
    await page.getByText("You don't have permission to access the admin panel.", { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Return to Home' }).click();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  });

  it('keeps the theme in this browser, and follows the system until one is chosen', async () => {
    await page.goto('/settings');
    // The screen follows the system from when it stands.
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    const shown = (colours: string) => page.locator(`html[data-mantine-color-scheme=${colours}]`).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await shown('dark');
    await button('Theme').click();
    await expect
      .poll(() => page.getByRole('menuitemradio').allTextContents())
      .toEqual(['Light', 'Dark', 'System']);
    await page.getByRole('menuitemradio', { name: 'Light' }).click();
    await shown('light');
    await expect.poll(() => page.evaluate("localStorage.getItem('ui-theme')")).toBe('light');
    await page.reload();
    await shown('light');
    await button('Theme').click();
    await page.getByRole('menuitemradio', { name: 'System' }).click();
    await shown('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await shown('light');
  });

  it('makes a drawer of the sidebar below 768 px, which closes on another screen and when there is room', async () => {
    await page.setViewportSize({ width: 767, height: 900 });
    await page.goto('/dashboard');
    const link = main().getByRole('link', { name: 'Suppressions' });
    await button('Open the menu').click();
    await link.click();
    await page.waitForURL('**/suppressions');
    await button('Open the menu').waitFor();
    await button('Open the menu').click();
    await link.waitFor();
    await page.setViewportSize({ width: 768, height: 900 });
    await page.setViewportSize({ width: 767, height: 900 });
    await button('Open the menu').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await link.waitFor();
    await expect.poll(() => button('Open the menu').isVisible()).toBe(false);
  });
});
