// Tests of: sign-in, account
import { createServer } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  openWindow,
  seriousFindings,
  seriousFindingsInBoth,
  sharedBrowser,
  type Window,
} from '#test/support/browser.ts';
import { openTestProvider, type TestProvider } from '#test/support/identity-provider.ts';
import { makeDataDir, type Product, removeDataDir, startProduct } from '#test/support/product.ts';
import { testPassword } from '#test/support/sign-in.ts';

// Signing in through an identity provider in the real product. Ann uses only the provider. Tom
// starts with a password.

let provider: TestProvider;
let product: Product;
const windows: Window[] = [];

/** The provider sends browsers back to PUBLIC_URL, so the port must be known before the start. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

async function visitor(): Promise<Page> {
  const window = await openWindow(await sharedBrowser(), product.url);
  windows.push(window);
  return window.page;
}

/** Opens a separate product for the tests of one `describe`. */
function openProduct(environment: Record<string, string>): void {
  const dataDir = makeDataDir();
  beforeAll(async () => {
    const port = await freePort();
    const publicUrl = `http://localhost:${port}`;
    const started = await startProduct(dataDir, {
      PORT: String(port),
      PUBLIC_URL: publicUrl,
      OIDC_NAME: 'Harrowgate ID',
      ...provider.env,
      ...environment,
    });
    product = { ...started, url: publicUrl };
  });
  afterAll(async () => {
    await product?.stop();
    removeDataDir(dataDir);
  });
}

beforeAll(async () => {
  provider = await openTestProvider();
  provider.people.push(
    { sub: 'ann', name: 'Ann Reed', email: 'ann@harrowgatefoods.co.uk', email_verified: true },
    { sub: 'sly', name: 'Sly Fox', email: 'tom@millbanktools.co.uk', email_verified: false },
    { sub: 'tom', name: 'Tom Reed', email: 'tom.reed@harrowgatefoods.co.uk', email_verified: true },
  );
});
afterAll(() => provider?.close());
afterEach(async () => {
  const finished = windows.splice(0);
  await Promise.all(finished.map(({ context }) => context.close()));
  // A 401 says that nobody is signed in, and browsers log it.
  const complaints = finished.flatMap(({ complaints }) => complaints);
  expect(complaints.filter((line) => !line.includes('401'))).toEqual([]);
});

const heading = (at: Page, name: string) => at.getByRole('heading', { name, level: 1 }).waitFor();
const dialog = (at: Page) => at.getByRole('dialog');
const goOn = (at: Page) => at.getByRole('link', { name: 'Continue with Harrowgate ID' });
/** On the provider's own page. */
const choose = (at: Page, name: string) => at.getByRole('link', { name }).click();

/** Ann at `/account`, signed in through the provider. */
async function annAtHerAccount(): Promise<Page> {
  const ann = await visitor();
  await ann.goto('/auth?next=/account');
  await goOn(ann).click();
  await choose(ann, 'Sign in as Ann Reed');
  await heading(ann, 'Your account');
  return ann;
}
/** Creates an account with a password, on the open page. */
async function signUp(at: Page, email: string): Promise<void> {
  await at.getByLabel('Name').fill('Tom Reed');
  await at.getByLabel('Email').fill(email);
  await at.getByLabel('Password', { exact: true }).fill(testPassword);
  await at.getByRole('button', { name: 'Create account' }).click();
}

describe('where passwords are taken too', () => {
  openProduct({});

  describe('the sign-in page', () => {
    it('leads through the provider to where a visitor was heading', async () => {
      const ann = await visitor();
      await ann.goto('/suppressions?tab=domains&search=example');
      await heading(ann, 'Sign in');
      await goOn(ann).waitFor();
      expect(await seriousFindingsInBoth(ann)).toEqual([]);
      await goOn(ann).click();
      await ann.getByRole('heading', { name: 'Test provider' }).waitFor();
      await choose(ann, 'Sign in as Ann Reed');
      await heading(ann, 'Suppressions');
      expect(new URL(ann.url()).searchParams.get('search')).toBe('example');
      await ann.getByRole('button', { name: 'Account: Ann Reed' }).waitFor();
    });

    it('says why somebody was not let in, and where they were heading is not forgotten', async () => {
      const tom = await visitor();
      await tom.goto('/auth?next=/imports');
      await goOn(tom).click();
      await choose(tom, 'Sign in as Sly Fox');
      await tom.getByRole('alert').getByText('has not confirmed your email address').waitFor();
      expect(await seriousFindingsInBoth(tom)).toEqual([]);
      await goOn(tom).click();
      await choose(tom, 'Cancel');
      await tom.getByText('You did not finish at Harrowgate ID.').waitFor();
      provider.setAway(true);
      await goOn(tom).click();
      await tom.getByRole('alert').getByText('cannot be reached at the moment').waitFor();
      provider.setAway(false);
      await tom.goto('/auth?mode=sign-up&next=/imports');
      await signUp(tom, 'tom@millbanktools.co.uk');
      await heading(tom, 'Import Data');
    });

    it('fits a phone, with targets for a thumb', async () => {
      const page = await visitor();
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto('/auth');
      await goOn(page).waitFor();
      expect((await goOn(page).boundingBox())?.height).toBeGreaterThanOrEqual(40);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect(await seriousFindingsInBoth(page)).toEqual([]);
    });
  });

  describe('the account', () => {
    it('of somebody without a password says how they get in, and takes a new sign-in for it', async () => {
      const ann = await annAtHerAccount();
      await ann.getByText('Your only way in.').waitFor();
      await ann.getByText('You have no password here.').waitFor();
      await expect.poll(() => ann.getByRole('button', { name: 'Set up' }).count()).toBe(0);
      expect(await seriousFindingsInBoth(ann)).toEqual([]);
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
      await annAtHerAccount();
      const tom = await visitor();
      await tom.goto('/auth?mode=sign-up&next=/account');
      await signUp(tom, 'tom@coldbeck.co.uk');
      await heading(tom, 'Your account');
      await tom.getByRole('button', { name: 'Connect', exact: true }).click();
      await dialog(tom).getByLabel('Your password').fill(testPassword);
      expect(await seriousFindings(tom)).toEqual([]);
      await dialog(tom).getByRole('button', { name: 'Continue' }).click();
      await choose(tom, 'Sign in as Ann Reed');
      await tom.getByRole('alert').getByText('is already connected to another account').waitFor();
      await expect.poll(() => new URL(tom.url()).search).toBe('');
      expect(await seriousFindingsInBoth(tom)).toEqual([]);
      await tom.getByRole('alert').getByText('is already connected to another account').waitFor();
      await tom.reload();
      await tom.getByRole('button', { name: 'Connect', exact: true }).waitFor();
      await expect.poll(() => tom.getByRole('alert').count()).toBe(0);
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
});

describe('with OIDC_ONLY', () => {
  openProduct({ OIDC_ONLY: 'on' });

  it('there is one way in, and no field for a password', async () => {
    const page = await visitor();
    await page.goto('/auth?next=/account');
    await goOn(page).waitFor();
    await expect.poll(() => page.getByRole('textbox').count()).toBe(0);
    await expect.poll(() => page.getByRole('link', { name: 'Forgot your password?' }).count()).toBe(0);
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await goOn(page).click();
    await choose(page, 'Sign in as Ann Reed');
    await heading(page, 'Your account');
    await page.getByText('Your only way in.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Set a password' }).count()).toBe(0);
  });

  it.each(['/forgot-password', '/reset-password?token=one'])('%s leads to the provider', async (path) => {
    const page = await visitor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(path);
    await heading(page, 'Sign in through Harrowgate ID');
    await page.getByText('People sign in through Harrowgate ID.').waitFor();
    await expect.poll(() => page.getByRole('textbox').count()).toBe(0);
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await goOn(page).click();
    await page.getByRole('heading', { name: 'Test provider' }).waitFor();
  });
});
