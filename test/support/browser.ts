import { AxeBuilder } from '@axe-core/playwright';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright';
import { findChromium } from '../../scripts/chromium.mjs';
import { settle } from './settle.ts';
import { testPassword } from './sign-in.ts';

/**
 * The machine's own Chromium or Chrome. `npm test` makes sure that there is one. The caller closes
 * it. Throws a sentence for the operator when none is found.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath)
    throw new Error('No Chromium was found: run `npm run test:e2e`, or set CHROMIUM_PATH.');
  // Chromium's own sandbox needs rights that root in a container does not have.
  const args = [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    // The browser must call nothing but the product: no updates, no synchronisation, no field
    // trials.
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  return chromium.launch({ executablePath, args });
}

let oneForAll: Promise<Browser> | undefined;

/** The browser that all test files of this process share. It ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  oneForAll ??= openBrowser();
  return oneForAll;
}

export interface Person {
  name: string;
  email: string;
}

export interface Window {
  context: BrowserContext;
  page: Page;
  /** The page's complaints so far: uncaught errors and `console.error`. */
  complaints: string[];
}

export interface SignedInPage extends Window {
  email: string;
  workspaceId: number;
}

let windows = 0;

/** A number that no other window of this run has. */
function nextWindow(): number {
  windows += 1;
  return process.pid * 1000 + windows;
}

/**
 * Gives each window its own network address, as a proxy would report it, so that tests do not use
 * up each other's limits per address. The block is reserved for tests (RFC 2544).
 */
const addressOf = (window: number) => `198.18.${(window >> 8) & 255}.${window & 255}`;

/** A window on the product at `url`, with nobody signed in. */
export async function openWindow(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Window> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'x-forwarded-for': addressOf(nextWindow()) },
    ...options,
  });
  // Long, because the machine may be busy. What is already there is found at once.
  context.setDefaultTimeout(45_000);
  if (mostLateMs > 0) await comeLate(context);
  const page = await context.newPage();
  routeAtOnce(page);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { context, page, complaints };
}

/** The longest that an answer is held back, for all windows. By hand only: it finds races. */
const mostLateMs = Number(process.env.TEST_LATE_MS ?? 0);

/** Holds back every answer of the product and every file of its code, most of them for little. */
async function comeLate(context: BrowserContext): Promise<void> {
  await context.route(/\/api\/|\/assets\/.*\.js$/, async (route) => {
    const isStream = route.request().resourceType() === 'eventsource';
    if (!isStream) await new Promise((done) => setTimeout(done, Math.random() ** 2 * mostLateMs));
    // The window may have closed meanwhile.
    await route.continue().catch(() => undefined);
  });
}

const probe = '/?is-intercepted';

/**
 * Lets `page.route` resolve only when it holds for the document that is open. Chromium hands the
 * open document its interceptor a moment later than it says, and on a busy machine the next press
 * would reach the server. A document that opens later has it from the start.
 */
function routeAtOnce(page: Page): void {
  const route = page.route.bind(page);
  page.route = async (...given) => {
    const routed = await route(...given);
    if (!page.url().startsWith('http')) return routed;
    await route(`**${probe}`, (one) => one.fulfill({ status: 204 }));
    await page.waitForFunction(async (url) => (await fetch(url)).status === 204, probe);
    await page.unroute(`**${probe}`);
    return routed;
  };
}

/** A person who has just signed up and owns a workspace, with a window on the product at `url`. */
export async function openSignedIn(
  browser: Browser,
  url: string,
  { name = 'Priya Shah', email, ...options }: BrowserContextOptions & Partial<Person> = {},
): Promise<SignedInPage> {
  const window = await openWindow(browser, url, options);
  const { request } = window.context;
  const person = { name, email: email ?? `priya-${nextWindow()}@gmail.com`, password: testPassword };
  const answer = await request.post('/api/auth/sign-up/email', { headers: { origin: url }, data: person });
  if (!answer.ok()) throw new Error(`sign-up: ${answer.status()} ${await answer.text()}`);
  const user = await (await request.get('/api/auth/user')).json();
  return { ...window, email: person.email, workspaceId: user.workspace.id };
}

/**
 * The serious and critical findings of axe on the current page, one line each, in the given
 * colours.
 */
export const seriousFindings = (page: Page, colours: 'light' | 'dark' = 'light'): Promise<string[]> =>
  findingsOf(page, colours, axeOn(page));

/** The same in both colours, ending in the light ones. All but contrast is the same in both. */
export const seriousFindingsInBoth = async (page: Page): Promise<string[]> => [
  ...(await findingsOf(page, 'dark', axeOn(page).withRules('color-contrast'))),
  ...(await seriousFindings(page, 'light')),
];

// What passes is not wanted, and to name every such element takes longer than to look at it.
const axeOn = (page: Page) => new AxeBuilder({ page }).options({ resultTypes: ['violations'] });

async function findingsOf(page: Page, colours: 'light' | 'dark', axe: AxeBuilder): Promise<string[]> {
  await settle(page, colours);
  // Without it, axe opens a second page for each run, for frames of other origins. There are none.
  const { violations } = await axe.setLegacyMode().analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
