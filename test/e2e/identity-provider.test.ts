import { createServer } from 'node:net';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, seriousFindings } from '#test/support/browser.ts';
import { openTestProvider, type TestProvider } from '#test/support/identity-provider.ts';
import { makeDataDir, type Product, removeDataDir, startProduct } from '#test/support/product.ts';
import { testPassword } from '#test/support/sign-in.ts';

// Signing in through an identity provider on the real product: Ann comes through it alone, Tom with a password at first.

let browser: Browser;
let provider: TestProvider;
let product: Product;
let dataDir: string;
let ann: Page;
let tom: Page;
const complaints: string[] = [];

/** The provider sends browsers back to PUBLIC_URL, so the port has to be known before the start. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

async function visitor(baseURL = product.url): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // That nobody is signed in is told by a 401, which browsers write down.
    if (message.type() === 'error' && !message.text().includes('401')) complaints.push(message.text());
  });
  return page;
}

async function startWith(environment: Record<string, string>): Promise<Product> {
  const port = await freePort();
  const publicUrl = `http://localhost:${port}`;
  const started = await startProduct(dataDir, {
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    OIDC_NAME: 'Harrowgate ID',
    ...provider.env,
    ...environment,
  });
  return { ...started, url: publicUrl };
}

beforeAll(async () => {
  dataDir = makeDataDir();
  [provider, browser] = await Promise.all([openTestProvider(), openBrowser()]);
  provider.people.push(
    { sub: 'ann', name: 'Ann Reed', email: 'ann@harrowgatefoods.co.uk', email_verified: true },
    { sub: 'sly', name: 'Sly Fox', email: 'tom@millbanktools.co.uk', email_verified: false },
    { sub: 'tom', name: 'Tom Reed', email: 'tom.reed@harrowgatefoods.co.uk', email_verified: true },
  );
  product = await startWith({});
  [ann, tom] = await Promise.all([visitor(), visitor()]);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await provider?.close();
  removeDataDir(dataDir);
});

const heading = (at: Page, name: string) => at.getByRole('heading', { name, level: 1 }).waitFor();
const dialog = (at: Page) => at.getByRole('dialog');
const bothColours = async (page: Page) => [
  ...(await seriousFindings(page, 'dark')),
  ...(await seriousFindings(page, 'light')),
];
const goOn = (at: Page) => at.getByRole('link', { name: 'Continue with Harrowgate ID' });
/** On the provider's own page. */
const choose = (at: Page, name: string) => at.getByRole('link', { name }).click();

describe('the sign-in page', () => {
  it('leads through the provider to where a visitor was heading', async () => {
    await ann.goto('/suppressions?tab=domains&search=example');
    await heading(ann, 'Sign in');
    await goOn(ann).waitFor();
    expect(await bothColours(ann)).toEqual([]);
    await goOn(ann).click();
    await ann.getByRole('heading', { name: 'Test provider' }).waitFor();
    await choose(ann, 'Sign in as Ann Reed');
    await heading(ann, 'Suppressions');
    expect(new URL(ann.url()).searchParams.get('search')).toBe('example');
    await ann.getByRole('button', { name: 'Account: Ann Reed' }).waitFor();
  });

  it('says why somebody was not let in, and where they were heading is not forgotten', async () => {
    await tom.goto('/auth?next=/imports');
    await goOn(tom).click();
    await choose(tom, 'Sign in as Sly Fox');
    await tom.getByRole('alert').getByText('has not confirmed your email address').waitFor();
    expect(await bothColours(tom)).toEqual([]);
    await goOn(tom).click();
    await choose(tom, 'Cancel');
    await tom.getByText('You did not finish at Harrowgate ID.').waitFor();
    provider.setAway(true);
    await goOn(tom).click();
    await tom.getByRole('alert').getByText('cannot be reached at the moment').waitFor();
    provider.setAway(false);
    await tom.goto('/auth?mode=sign-up&next=/imports');
    await tom.getByLabel('Name').fill('Tom Reed');
    await tom.getByLabel('Email').fill('tom@millbanktools.co.uk');
    await tom.getByLabel('Password', { exact: true }).fill(testPassword);
    await tom.getByRole('button', { name: 'Create account' }).click();
    await heading(tom, 'Import Data');
  });

  it('fits a phone, with targets for a thumb', async () => {
    const page = await visitor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/auth');
    await goOn(page).waitFor();
    expect((await goOn(page).boundingBox())?.height).toBeGreaterThanOrEqual(40);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await bothColours(page)).toEqual([]);
    await page.context().close();
  });
});

describe('the account', () => {
  it('of somebody without a password says how they get in, and takes a new sign-in for it', async () => {
    await ann.goto('/account');
    await heading(ann, 'Your account');
    await ann.getByText('Your only way in.').waitFor();
    await ann.getByText('You have no password here.').waitFor();
    expect(await ann.getByRole('button', { name: 'Set up' }).count()).toBe(0);
    expect(await bothColours(ann)).toEqual([]);
    await ann.getByRole('button', { name: 'Change email' }).click();
    await dialog(ann).getByRole('link', { name: 'Sign in again' }).click();
    await choose(ann, 'Sign in as Ann Reed');
    await dialog(ann).getByLabel('New email address').fill('ann.reed@harrowgatefoods.co.uk');
    expect(await seriousFindings(ann)).toEqual([]);
    await dialog(ann).getByRole('button', { name: 'Send the link' }).click();
    await dialog(ann).getByText('No mail server is set up').waitFor();
    await ann.goto('/account');
    await ann.getByRole('button', { name: 'Set a password' }).click();
    await ann.getByText('Link Sent').waitFor();
  });

  it('of somebody with one is connected and disconnected', async () => {
    await tom.goto('/account');
    await tom.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog(tom).getByLabel('Your password').fill(testPassword);
    expect(await seriousFindings(tom)).toEqual([]);
    await dialog(tom).getByRole('button', { name: 'Continue' }).click();
    await choose(tom, 'Sign in as Ann Reed');
    await tom.getByRole('alert').getByText('is already connected to another account').waitFor();
    await expect.poll(() => new URL(tom.url()).search).toBe('');
    expect(await bothColours(tom)).toEqual([]);
    await tom.getByRole('alert').getByText('is already connected to another account').waitFor();
    await tom.reload();
    await tom.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    expect(await tom.getByRole('alert').count()).toBe(0);
    await tom.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog(tom).getByLabel('Your password').fill(testPassword);
    await dialog(tom).getByRole('button', { name: 'Continue' }).click();
    await choose(tom, 'Sign in as Tom Reed');
    await tom.getByText('You can sign in through Harrowgate ID from now on.').waitFor();
    await tom.getByRole('button', { name: 'Disconnect' }).click();
    await dialog(tom).getByLabel('Your password').fill(testPassword);
    await dialog(tom).getByRole('button', { name: 'Disconnect' }).click();
    await tom.getByRole('button', { name: 'Connect', exact: true }).waitFor();
  });
});

describe('with OIDC_ONLY', () => {
  it('there is one way in, and no field for a password', async () => {
    await Promise.all([ann, tom].map((page) => page.context().close()));
    await product.stop();
    product = await startWith({ OIDC_ONLY: 'on' });
    const page = await visitor();
    await page.goto('/auth?next=/account');
    await goOn(page).waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Forgot your password?' }).count()).toBe(0);
    expect(await bothColours(page)).toEqual([]);
    await goOn(page).click();
    await choose(page, 'Sign in as Ann Reed');
    await heading(page, 'Your account');
    await page.getByText('Your only way in.').waitFor();
    expect(await page.getByRole('button', { name: 'Set a password' }).count()).toBe(0);
    await page.context().close();
  });

  it.each(['/forgot-password', '/reset-password?token=one'])('%s leads to the provider', async (path) => {
    const page = await visitor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(path);
    await heading(page, 'Sign in through Harrowgate ID');
    await page.getByText('People sign in through Harrowgate ID.').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await bothColours(page)).toEqual([]);
    await goOn(page).click();
    await page.getByRole('heading', { name: 'Test provider' }).waitFor();
    await page.context().close();
  });
});

describe('these screens', () => {
  it('complained of nothing on the way', () => {
    expect(complaints).toEqual([]);
  });
});
