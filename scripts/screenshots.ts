// `npm run screenshots` takes the pictures in docs/screenshots. It runs the product on a fresh
// database, fills it with the demo workspace of `npm run seed`, and opens every screen in a
// browser: light, dark and on a phone.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Browser, BrowserContext, Page } from 'playwright';
import { demoUser } from '#apps/seed/workspace.ts';
import { findRunningPostgres } from '#platform/server/embedded-postgres.ts';
import { openBrowser } from '#test/support/browser.ts';
import { makeDataDir, removeDataDir, startProduct } from '#test/support/product.ts';
import { chooseFile, screens, settled, type Viewer } from './screens.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'docs', 'screenshots');

/** The views of each screen. The name is added to the screen's name. */
const views = [
  { name: '', viewport: { width: 1440, height: 820 }, colorScheme: 'light' },
  { name: '-dark', viewport: { width: 1440, height: 820 }, colorScheme: 'dark' },
  { name: '-phone', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
] as const;

async function take(page: Page, name: string): Promise<void> {
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  process.stdout.write(`${name}.png ${Math.round(statSync(path).size / 1000)} kB\n`);
}

async function open(browser: Browser, url: string, view: (typeof views)[number], viewer?: Viewer) {
  const { viewport, colorScheme } = view;
  const context = await browser.newContext({ baseURL: url, viewport, colorScheme, reducedMotion: 'reduce' });
  if (viewer) await call(context, url, 'sign-in', people[viewer]);
  return context;
}

async function call(context: BrowserContext, url: string, what: 'sign-in' | 'sign-up', data: object) {
  const answer = await context.request.post(`/api/auth/${what}/email`, { headers: { origin: url }, data });
  if (!answer.ok()) throw new Error(`${what}: ${answer.status()} ${await answer.text()}`);
}

const { password } = demoUser;
const people: Record<Viewer, { name: string; email: string; password: string }> = {
  owner: demoUser,
  administrator: { name: 'Ruth Norcross', email: 'ruth@harbourandpine.co.uk', password },
  'held-up': { name: 'Tom Reed', email: 'tom@millbanktools.co.uk', password },
};

/**
 * Signs up the viewers other than the owner, and requires two-factor sign-in of the one who has
 * none.
 */
async function signUpTheOthers(browser: Browser, url: string): Promise<void> {
  for (const viewer of ['administrator', 'held-up'] as const) {
    const context = await browser.newContext({ baseURL: url });
    await call(context, url, 'sign-up', people[viewer]);
    await context.close();
  }
  const running = await findRunningPostgres(dataDir);
  if (!running) throw new Error('The product runs no database.');
  const client = new pg.Client({ connectionString: running.ownerUrl });
  await client.connect();
  try {
    await client.query(
      `update workspaces set requires_two_factor = true
       where id = (select m.workspace_id from members m join users u on u.id = m.user_id where u.email = $1)`,
      [people['held-up'].email],
    );
  } finally {
    await client.end();
  }
}

async function takeAll(browser: Browser, url: string): Promise<void> {
  for (const view of views) {
    const contexts = new Map<Viewer | undefined, BrowserContext>();
    for (const viewer of [undefined, 'owner', 'administrator', 'held-up'] as const)
      contexts.set(viewer, await open(browser, url, view, viewer));
    for (const { name, as, notOnPhone = false, show } of screens) {
      if (notOnPhone && view.name === '-phone') continue;
      const page = await contexts.get(as)?.newPage();
      if (!page) throw new Error(`Nobody is there to look at ${name}.`);
      await show(page);
      await settled(page);
      await take(page, `${name}${view.name}`);
      await page.close();
    }
    for (const context of contexts.values()) await context.close();
  }
  await takeProgress(browser, url);
}

/**
 * A running import of a file large enough to be caught. It comes last because it changes every
 * figure.
 */
async function takeProgress(browser: Browser, url: string): Promise<void> {
  const context = await open(browser, url, views[0], 'owner');
  const page = await context.newPage();
  await chooseFile(page, 'national-mailing-list.csv', 250_000);
  await page.getByRole('button', { name: /^Import [\d,]+ contacts$/ }).click({ timeout: 120_000 });
  await page.getByText(/^[2-8]\d%$/).waitFor({ timeout: 60_000 });
  await take(page, 'import-progress');
  await context.close();
}

const dataDir = makeDataDir();
// A fixed port, because the seed looks for the running product there.
const port = process.env.PORT ?? '43210';
const product = await startProduct(dataDir, {
  PORT: port,
  LOG_LEVEL: 'info',
  ADMIN_EMAIL: people.administrator.email,
});
const browser = await openBrowser();
try {
  const seeded = spawnSync(process.execPath, [join(root, 'src', 'apps', 'seed.ts')], {
    stdio: 'inherit',
    env: { ...process.env, PORT: port, DATA_DIR: dataDir },
  });
  if (seeded.status !== 0) throw new Error('The demo workspace could not be filled.');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await signUpTheOthers(browser, product.url);
  await takeAll(browser, product.url);
} finally {
  await browser.close();
  await product.stop();
  removeDataDir(dataDir);
}
