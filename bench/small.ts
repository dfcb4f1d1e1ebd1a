import { parseArgs } from 'node:util';
import { openBrowser, openSignedIn } from '#test/support/browser.ts';
import { dirtyRows } from '#test/support/dirty-data.ts';
import { makeDataDir, removeDataDir } from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';
import { percentile, startProduct } from './product.ts';
import { report } from './report.ts';

/**
 * Small things, which people wait for: a file of a thousand rows by API and in a browser, its dry
 * run, the dashboard of a fresh window, and the panel of a contact. Each time is the median of the
 * rounds, against what is promised. Files are measured from outside, panels within the page, from
 * the press until the picture with the verdict stands.
 */
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '15' } },
});
const rows = Number(values.rows);
const rounds = Number(values.rounds);
const number = new Intl.NumberFormat('en-GB');
const fileOf = (seed: number) => Buffer.concat([...dirtyRows({ rows, seed })]);

function reportTimes(promise: string, times: number[], allowedMs: number): void {
  const median = percentile(times, 50);
  report({
    promise,
    figure: `${median.toFixed(0)} ms (p95 ${percentile(times, 95).toFixed(0)})`,
    against: `${allowedMs} ms`,
    ratio: median / allowedMs,
  });
}

async function timesOf(work: (round: number) => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  // The first one warms up what a running product has warm.
  for (let round = 0; round <= rounds; round++) times.push(await work(round));
  return times.slice(1);
}

/**
 * Runs in the page: the milliseconds from the next press until the verdict is drawn. Written as
 * text, because a page knows other types than a program.
 */
const panelTime = `new Promise((resolve) => {
  let pressed;
  addEventListener('click', ({ timeStamp }) => { pressed = timeStamp; }, { once: true, capture: true });
  const seen = new MutationObserver(() => {
    if (!document.querySelector('section[aria-label=Verdict]')) return;
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressed)));
  });
  seen.observe(document.body, { childList: true, subtree: true });
})`;

const folder = makeDataDir();
const product = await startProduct(folder, { LIMIT_IMPORTS: '1000' });
const browser = await openBrowser();
try {
  const { cookie } = await signUpAt(product.url);
  const byApi = (dryRun: boolean) => async (round: number) => {
    const form = new FormData();
    form.set('dryRun', String(dryRun));
    form.set('file', new Blob([fileOf(round + 1)]), 'small.csv');
    const started = performance.now();
    const answer = await fetch(`${product.url}/api/emails/import`, {
      method: 'POST',
      headers: { cookie },
      body: form,
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`the import answered ${answer.status}: ${text}`);
    return performance.now() - started;
  };
  const what = `${number.format(rows)} rows`;
  reportTimes(`dry run of ${what} by API`, await timesOf(byApi(true)), 250);
  reportTimes(`import of ${what} by API`, await timesOf(byApi(false)), 250);

  const { page, context } = await openSignedIn(browser, product.url);
  const checks: number[] = [];
  const imports = await timesOf(async (round) => {
    await page.goto('/imports');
    await page.getByText('Up to 100 MB.').waitFor();
    const started = performance.now();
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'small.csv', mimeType: 'text/csv', buffer: fileOf(round + 101) });
    const press = page.getByRole('button', { name: /^Import [\d,]+ contacts$/ });
    await press.waitFor();
    if (round > 0) checks.push(performance.now() - started);
    const pressed = performance.now();
    await press.click();
    await page.getByText('Contacts imported').waitFor();
    return performance.now() - pressed;
  });
  reportTimes(`check of ${what} in a browser, from choosing the file`, checks, 600);
  reportTimes(`import of ${what} in a browser, from press to result`, imports, 600);

  const state = await context.storageState();
  const dashboards = await timesOf(async () => {
    const fresh = await browser.newContext({ baseURL: product.url, storageState: state });
    const tab = await fresh.newPage();
    const started = performance.now();
    await tab.goto('/dashboard', { waitUntil: 'commit' });
    await tab
      .getByRole('region', { name: 'Figures' })
      .getByText(/^[1-9][\d,]+$/)
      .first()
      .waitFor();
    const took = performance.now() - started;
    await fresh.close();
    return took;
  });
  reportTimes('dashboard in a fresh window, to its figures', dashboards, 800);

  await page.goto('/email-database');
  await page.getByRole('row').nth(3).waitFor();
  const panels = await timesOf(async (round) => {
    const row = page.getByRole('row').nth(2 + (round % 8));
    const measured = page.evaluate<number>(panelTime);
    await row.getByText(/@/).first().click();
    const took = await measured;
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Verdict' }).waitFor({ state: 'hidden' });
    return took;
  });
  reportTimes('panel of a contact, from press to verdict', panels, 150);
} finally {
  await browser.close();
  await product.stop();
  removeDataDir(folder);
}
