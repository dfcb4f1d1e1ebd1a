import { AxeBuilder } from '@axe-core/playwright';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright';
import { findChromium } from '../../scripts/chromium.mjs';
import { testPassword } from './sign-in.ts';

/**
 * The machine's own Chromium or Chrome; `npm test` sees to it that there is one. Close it in `afterAll`.
 * Throws a sentence for the operator when none is found.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath)
    throw new Error('No Chromium was found: run `npm run test:e2e`, or set CHROMIUM_PATH.');
  // Chromium's own sandbox needs rights that root in a container does not have.
  const args = [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    // Nothing but the product is called: no updates, no synchronisation, no field trials.
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  return chromium.launch({ executablePath, args });
}

export interface Person {
  name: string;
  email: string;
}

export interface SignedInPage {
  context: BrowserContext;
  page: Page;
  /** What the page has complained of so far: uncaught errors and `console.error`. */
  complaints: string[];
}

/** Somebody newly signed up, owner of a workspace of their own, with a window on the product at `url`. */
export async function openSignedIn(
  browser: Browser,
  url: string,
  { name = 'Priya Shah', email, ...options }: BrowserContextOptions & Partial<Person> = {},
): Promise<SignedInPage> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  const answer = await context.request.post('/api/auth/sign-up/email', {
    headers: { origin: url },
    data: { name, email: email ?? `priya-${Date.now()}@gmail.com`, password: testPassword },
  });
  if (!answer.ok()) throw new Error(`sign-up: ${answer.status()} ${await answer.text()}`);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { context, page, complaints };
}

/** What axe finds serious or critical on the page as it stands, one line a finding, in the given colours. */
export async function seriousFindings(page: Page, colours: 'light' | 'dark' = 'light'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: colours });
  await page.locator(`html[data-mantine-color-scheme=${colours}]`).waitFor();
  // Half-way from one scheme to the other a colour is neither's, and on a busy machine that lasts.
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter((one) => one instanceof CSSTransition)
    .map((one) => one.finished.catch(() => undefined)))`);
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** The same in both colours, ending in the light ones. */
export const seriousFindingsInBoth = async (page: Page): Promise<string[]> => [
  ...(await seriousFindings(page, 'dark')),
  ...(await seriousFindings(page, 'light')),
];
