// Tests of: email-database
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { seriousFindingsInBoth } from '#test/support/browser.ts';
import { settle } from '#test/support/settle.ts';
import { bring, call, openStageSignedIn } from '#test/support/stage.ts';

// Nothing jumps, and no distinguishing text is cut off. What is on screen stays in place while the
// rest loads, also beside an open record.

const longDomain = 'a-very-long-name-of-a-company-in-the-north-of-england-limited.co.uk';
const longAddress = `alexandra.featherstonehaugh-cholmondeley@${longDomain}`;

let page: Page;

openStageSignedIn(async (stage) => {
  ({ page } = stage);
  const people = Array.from({ length: 30 }, (_, n) => `person${n}@${n % 3 ? 'shop.co.uk' : 'firma.de'}`);
  const allow = (...allowedDomains: string[]) =>
    call(page, 'PATCH', '/api/settings', { emailValidation: { allowedDomains } });
  await allow('.uk', '.de');
  await bring(page, `email\n${people.join('\n')}\n${longAddress}\n`);
  await allow('.uk');
  await page.addInitScript(`
    window.places = [];
    const look = () => {
      const top = document.querySelector('main thead')?.getBoundingClientRect().top;
      if (top !== undefined && window.places.at(-1) !== top) window.places.push(top);
      window.sawBar ||= document.querySelector('[aria-label="UK view"]') !== null;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);`);
});

/** Holds back a call's answer until the returned function is called. */
async function hold(call: string | RegExp): Promise<() => void> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(call, async (route) => {
    await held;
    await route.continue();
  });
  return () => {
    letGo();
  };
}

const rows = () => page.locator('tbody tr').filter({ hasText: '@' });
const headTop = async () => (await page.locator('thead').first().boundingBox())?.y;
const searchField = () => page.getByRole('searchbox', { name: 'Search addresses' });

it('leaves the table in its place while the UK bar is counted', async () => {
  const views = await hold('**/api/views?*');
  const figures = await hold('**/api/emails/uk');
  await page.goto('/email-database');
  await searchField().waitFor();
  views();
  await rows().first().waitFor();
  await page.locator('[aria-label="UK view"][aria-busy=true]').waitFor();
  figures();
  await page.getByText('would leave out', { exact: false }).waitFor();
  expect(await page.evaluate('window.places.length')).toBe(1);
});

it('shows no place for the UK bar where a view opens first that has none', async () => {
  await call(page, 'POST', '/api/views', {
    name: 'Abroad',
    state: { domain: 'firma.de' },
    isDefault: true,
  });
  const views = await hold('**/api/views?*');
  await page.goto('/email-database');
  await searchField().waitFor();
  views();
  await page.waitForURL(/view=\d+/);
  await rows().first().waitFor();
  expect(await rows().count()).toBe(10);
  expect(await page.evaluate('[window.places.length, window.sawBar]')).toEqual([1, false]);
});

it('leaves the table in its place when a record opens beside it, and keeps the purpose whole', async () => {
  for (const width of [1440, 1200]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/email-database');
    await page.getByText('would leave out', { exact: false }).waitFor();
    await settle(page);
    const before = await headTop();
    await rows().first().click();
    await page.getByRole('button', { name: 'Close the record' }).waitFor();
    await settle(page);
    expect([width, await headTop()]).toEqual([width, before]);
    const purpose = await page.evaluate(`(() => {
      const words = 'Every address you hold, and what is known about it.';
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.querySelector(\`[title="\${words}"]\`);
      return scrollWidth <= clientWidth && scrollHeight <= clientHeight ? 'whole' : 'cut';
    })()`);
    expect([width, purpose]).toEqual([width, 'whole']);
    for (const name of ['Verify', 'Clean', 'Columns'])
      await page.getByRole('main').getByRole('button', { name, exact: true }).waitFor();
    await page.getByRole('link', { name: 'Bin', exact: true }).waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
  }
});

it('keeps the end of a long domain in view, in the table and on a phone', async () => {
  /**
   * Whether the last letters of the address fit inside its container, and whether any part had to
   * shrink.
   */
  const edges = (holder: string) =>
    page.evaluate(`(() => {
      const address = document.querySelector('[title="${longAddress}"]');
      const range = document.createRange();
      range.selectNodeContents(address.lastChild);
      const room = address.closest('${holder}').getBoundingClientRect().right - range.getBoundingClientRect().right;
      const parts = [...address.children];
      return [room >= 0, parts.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)];
    })()`);
  for (const [width, holder, cut] of [
    [1440, 'td', true],
    [390, '[class*=title]', true],
    [2400, 'td', false],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/email-database?search=alexandra');
    await page.getByTitle(longAddress).waitFor();
    await settle(page);
    expect(await page.getByTitle(longAddress).textContent()).toBe(longAddress);
    expect([width, await edges(holder)]).toEqual([width, [true, cut]]);
  }
});

it('says what a clean looks at while it counts, at the height of what comes', async () => {
  for (const path of ['/email-database?dialog=clean', '/dashboard?open=clean']) {
    const counts = await hold(/\/api\/emails\/clean\?/);
    await page.goto(path);
    const dialog = page.getByRole('dialog', { name: 'Clean the database' });
    await dialog.getByText('Looking at 31 contacts. Nothing is removed yet.').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    const before = await dialog.boundingBox();
    counts();
    await dialog.getByRole('button', { name: 'Remove 10 contacts' }).waitFor();
    expect(await dialog.boundingBox()).toEqual(before);
    await page.unrouteAll({ behavior: 'wait' });
  }
});

it('puts the fields of a row of the settings on one line', async () => {
  for (const width of [1440, 1100]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Save retention' }).waitFor();
    await settle(page);
    const field = async (label: string) =>
      (await page.getByLabel(label, { exact: true }).first().boundingBox())?.y;
    for (const [left, right] of [
      ['Batch size', 'Maximum file size'],
      ['Default format', 'Maximum records per file'],
      ['Reply-to address', 'Company'],
      ['Uploaded files', 'Activities'],
    ] as const)
      expect([left, await field(left)]).toEqual([left, await field(right)]);
  }
});
