// `npm run screenshots`: takes the pictures in docs/screenshots. Runs the product on a fresh database, fills it with the
// demo workspace of `npm run seed`, and shows every screen to a browser: light, dark and on a phone.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright';
import { contactFile } from '#apps/seed/files.ts';
import { demoUser } from '#apps/seed/workspace.ts';
import { openBrowser } from '#test/support/browser.ts';
import { makeDataDir, removeDataDir, startProduct } from '#test/support/product.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'docs', 'screenshots');

/** How each screen is seen; the name goes behind that of the screen. */
const views = [
  { name: '', viewport: { width: 1440, height: 820 }, colorScheme: 'light' },
  { name: '-dark', viewport: { width: 1440, height: 820 }, colorScheme: 'dark' },
  { name: '-phone', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
] as const;

interface Screen {
  name: string;
  /** Without it nobody is signed in. */
  signedIn?: boolean;
  /** Brings the screen about, and waits until it is there. */
  show: (page: Page) => Promise<unknown>;
}

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();
/** The page draws what it fetches after its first heading. */
const settled = (page: Page) => page.waitForLoadState('networkidle');

const screens: Screen[] = [
  {
    name: 'welcome',
    show: async (page) => {
      await page.goto('/');
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  },
  {
    name: 'sign-in',
    show: async (page) => {
      await page.goto('/auth');
      await page.getByRole('textbox').first().waitFor();
    },
  },
  {
    name: 'dashboard',
    signedIn: true,
    show: async (page) => {
      await page.goto('/');
      await heading(page, 'Dashboard');
      await page.getByText('Last import', { exact: true }).waitFor();
    },
  },
  {
    name: 'email-database',
    signedIn: true,
    show: async (page) => {
      const { emails } = await fetched<{ emails: { id: number }[] }>(page, '/api/emails?limit=5');
      await page.goto(`/email-database?open=${emails[2]?.id}`);
      await page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').first().waitFor();
    },
  },
  {
    name: 'bin',
    signedIn: true,
    show: async (page) => {
      await page.goto('/bin');
      await heading(page, /Bin$/);
      await settled(page);
    },
  },
  {
    name: 'activities',
    signedIn: true,
    show: async (page) => {
      await page.goto('/activities');
      await heading(page, 'Activities');
      await settled(page);
    },
  },
  {
    name: 'email-database-selection',
    signedIn: true,
    show: async (page) => {
      await page.goto('/email-database');
      await heading(page, 'Email Database');
      const onPhone = (page.viewportSize()?.width ?? 0) < 768;
      if (onPhone) return pickOnPhone(page);
      for (const row of [1, 2, 4]) await page.getByRole('row').nth(row).getByRole('checkbox').check();
    },
  },
  {
    name: 'contact-verdict',
    signedIn: true,
    show: async (page) => {
      await verifyAll(page);
      const { emails } = await fetched<{ emails: { id: number }[] }>(page, '/api/emails?riskFrom=30&limit=1');
      if (!emails[0]) throw new Error('The demo workspace has no contact at risk.');
      await page.goto(`/email-database?open=${emails[0].id}`);
      await page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').first().waitFor();
    },
  },
  {
    name: 'review',
    signedIn: true,
    show: async (page) => {
      await verifyAll(page);
      await page.goto('/review');
      await heading(page, 'Review');
      await page
        .getByRole('button', { name: /^Correct / })
        .first()
        .waitFor();
    },
  },
  {
    name: 'import-data',
    signedIn: true,
    show: async (page) => {
      await page.goto('/imports');
      await heading(page, 'Import Data');
      await page.getByText('trade-show-2026.csv').first().waitFor();
    },
  },
  {
    name: 'import-check',
    signedIn: true,
    show: async (page) => {
      await chooseFile(page, 'spring-catalogue-2026.csv', 24_000);
      await page.getByRole('button', { name: /^Import [\d,]+ contacts$/ }).waitFor();
    },
  },
  {
    name: 'import-result',
    signedIn: true,
    show: async (page) => {
      const { items } = await fetched<{ items: { id: number; fileName: string }[] }>(page, '/api/imports');
      const show = items.find(({ fileName }) => fileName === 'trade-show-2026.csv');
      await page.goto(`/imports/${show?.id}`);
      await heading(page, 'trade-show-2026.csv');
    },
  },
  ...(
    [
      ['suppressions', '/suppressions', 'Suppressions'],
      ['team', '/team', 'Team'],
      ['account', '/account', 'Your account'],
      ['api-keys', '/api-keys', 'API Keys'],
      ['audit-log', '/audit', 'Audit Log'],
      ['outbox', '/outbox', 'Outbox'],
      ['settings', '/settings', 'Settings'],
    ] as const
  ).map(([name, path, title]) => ({
    name,
    signedIn: true,
    show: async (page: Page) => {
      await page.goto(path);
      await heading(page, title);
    },
  })),
  {
    name: 'not-found',
    signedIn: true,
    show: async (page) => {
      await page.goto('/no-such-page');
      await page.getByText('404 Page Not Found').waitFor();
    },
  },
];

let isVerified = false;

/** Verdicts on all contacts, without asking the domain name system; once is enough. */
async function verifyAll(page: Page): Promise<void> {
  if (isVerified) return;
  const answer = await page.request.post('/api/verifications', { data: { dns: false } });
  if (!answer.ok()) throw new Error(`verification: ${answer.status()} ${await answer.text()}`);
  isVerified = true;
}

/** On a phone the first row is picked through its menu; then all rows have their check boxes. */
async function pickOnPhone(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Actions for / })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Select' }).click();
  await page.getByText('1 selected').waitFor();
}

async function fetched<T>(page: Page, path: string): Promise<T> {
  return (await page.request.get(path)).json() as Promise<T>;
}

/** Chooses a file of so many rows to import, as a person would. */
async function chooseFile(page: Page, name: string, rows: number): Promise<void> {
  const shares = { duplicates: 0.06, invalid: 0.03, nonUk: 0.08, suppressed: 0.002 };
  const text = contactFile({
    seed: rows,
    rows,
    shares,
    known: [],
    suppressed: [],
    sources: ['catalogue', 'website'],
    years: [2025, 2026],
  });
  await page.goto('/imports');
  await heading(page, 'Import Data');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

async function take(page: Page, name: string): Promise<void> {
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  process.stdout.write(`${name}.png ${Math.round(statSync(path).size / 1000)} kB\n`);
}

async function open(browser: Browser, url: string, view: (typeof views)[number], signedIn: boolean) {
  const { viewport, colorScheme } = view;
  const context = await browser.newContext({ baseURL: url, viewport, colorScheme, reducedMotion: 'reduce' });
  if (signedIn) await signIn(context, url);
  return context;
}

async function signIn(context: BrowserContext, url: string): Promise<void> {
  const { email, password } = demoUser;
  const answer = await context.request.post('/api/auth/sign-in/email', {
    headers: { origin: url },
    data: { email, password },
  });
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
}

async function takeAll(browser: Browser, url: string): Promise<void> {
  for (const view of views) {
    const contexts = { in: await open(browser, url, view, true), out: await open(browser, url, view, false) };
    for (const { name, signedIn = false, show } of screens) {
      const page = await (signedIn ? contexts.in : contexts.out).newPage();
      await show(page);
      await settled(page);
      await take(page, `${name}${view.name}`);
      await page.close();
    }
    await Promise.all([contexts.in.close(), contexts.out.close()]);
  }
  await takeProgress(browser, url);
}

/** An import at work, of a file large enough to be caught. Last, because it changes every figure. */
async function takeProgress(browser: Browser, url: string): Promise<void> {
  const context = await open(browser, url, views[0], true);
  const page = await context.newPage();
  await chooseFile(page, 'national-mailing-list.csv', 250_000);
  await page.getByRole('button', { name: /^Import [\d,]+ contacts$/ }).click({ timeout: 120_000 });
  await page.getByText(/^[2-8]\d%$/).waitFor({ timeout: 60_000 });
  await take(page, 'import-progress');
  await context.close();
}

const dataDir = makeDataDir();
// A known port, because the seed looks for the running product there.
const port = process.env.PORT ?? '43210';
const product = await startProduct(dataDir, { PORT: port, LOG_LEVEL: 'info' });
const browser = await openBrowser();
try {
  const seeded = spawnSync(process.execPath, [join(root, 'src', 'apps', 'seed.ts')], {
    stdio: 'inherit',
    env: { ...process.env, PORT: port, DATA_DIR: dataDir },
  });
  if (seeded.status !== 0) throw new Error('The demo workspace could not be filled.');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await takeAll(browser, product.url);
} finally {
  await browser.close();
  await product.stop();
  removeDataDir(dataDir);
}
