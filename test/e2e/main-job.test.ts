// Tests of: imports, email-database, exports
import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { dirtyRows } from '#test/support/dirty-data.ts';
import { testPassword } from '#test/support/sign-in.ts';
import { openStage } from '#test/support/stage.ts';

// The product's main job, in a real browser on the real product: sign up, import 100,000 rows,
// find, suppress, delete, export, and compare the exported file row by row with what the database
// should hold.

const rows = 100_000;
const file = dirtyRows({ rows, seed: 42 });
let page: Page;

openStage(
  async (stage) => {
    ({ page } = await stage.visit({ acceptDownloads: true }));
  },
  // Before the sign-in, a 401 says that nobody is signed in, and browsers log it.
  { mayComplain: /status of 401/ },
);

const number = new Intl.NumberFormat('en-GB');

/**
 * The addresses the database should hold: every UK address of the file, once. This test has its own
 * version of the rules.
 */
function expectedAddresses(csv: string): Set<string> {
  const kept = new Set<string>();
  for (const line of csv.split(/\r?\n/).slice(1)) {
    const cell = (line.split(',')[0] ?? '').trim().toLowerCase();
    if (/^[a-z0-9._'+-]+@(?:[a-z0-9-]+\.)+uk$/.test(cell) && !/\.\.|^\.|\.@|@-|-\./.test(cell))
      kept.add(cell);
  }
  return kept;
}

describe('the main job', () => {
  it('takes a new person from sign-up to a cleaned, searched, edited and exported list', async () => {
    const csv = Buffer.concat([...file]).toString('utf8');
    const expected = file.expected();

    await page.goto('/');
    await page.getByRole('link', { name: 'Get Started Free' }).first().click();
    await page.getByLabel('Name').fill('Priya Nair');
    await page.getByLabel('Email').fill('priya@harrowgatefoods.co.uk');
    await page.getByLabel('Password', { exact: true }).fill(testPassword);
    await page.getByRole('button', { name: /sign up|create|get started/i }).click();
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    await expect.poll(() => page.getByText('Priya Nair').first().isVisible()).toBe(true);

    await page.getByRole('link', { name: 'Import Data' }).first().click();
    await page.getByRole('heading', { name: 'Import Data', level: 1 }).waitFor();
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'hundred-thousand.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    const importButton = page.getByRole('button', {
      name: `Import ${number.format(expected.imported)} contacts`,
    });
    await importButton.waitFor();
    await importButton.click();
    await page.getByText('Rows left out', { exact: true }).first().waitFor();
    const shown = await page.locator('main').textContent();
    for (const count of Object.values(expected)) if (count > 0) expect(shown).toContain(number.format(count));
    expect(Object.values(expected).reduce((sum, count) => sum + count, 0)).toBe(rows);

    const addresses = expectedAddresses(csv);
    expect(addresses.size).toBe(expected.imported);
    const all = [...addresses];
    const suppressed = all[1234] as string;
    const deleted = all[4321] as string;
    await page
      .getByRole('link', { name: /Email Database/ })
      .first()
      .click();
    await openByMiddle(suppressed, all);
    await chooseInRowMenu(suppressed, 'Suppress');
    await page.getByText('Email Suppressed').first().waitFor();
    await openByMiddle(deleted, all);
    await chooseInRowMenu(deleted, 'Delete');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /remove|delete/i })
      .click();
    await page.getByText('Email Deleted').first().waitFor();

    await page.getByPlaceholder('Search addresses').fill('');
    await expect.poll(() => page.url()).not.toContain('search=');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).first().click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\d{4}-\d{2}-\d{2}.*\.csv$/);
    const exported = Papa.parse<Record<string, string>>(await readFile(await download.path(), 'utf8'), {
      header: true,
      skipEmptyLines: true,
    });
    expect(exported.meta.fields?.[0]).toBe('email');
    const lines = exported.data;
    const seen = new Map(
      lines.map(
        ({ email = '', status }) => [email.replace(/^'(?=[=+@-])/, '').toLowerCase(), status] as const,
      ),
    );
    expect(lines.length).toBe(addresses.size - 1);
    expect(seen.has(deleted)).toBe(false);
    for (const address of addresses) {
      if (address === deleted) continue;
      expect(seen.get(address), address).toBe(address === suppressed ? 'suppressed' : 'active');
    }
  }, 180_000);
});

/**
 * Searches for a piece from the middle of the address that is in no other address, and waits for
 * the one row.
 */
async function openByMiddle(address: string, all: string[]): Promise<void> {
  const piece = address.slice(1, -3);
  expect(all.filter((other) => other.includes(piece))).toHaveLength(1);
  await page.getByPlaceholder('Search addresses').fill(piece);
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.getByText(address, { exact: true }).first().waitFor();
}

async function chooseInRowMenu(address: string, item: string): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: address });
  await row.getByRole('button').last().click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}
