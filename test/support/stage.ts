import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { openBrowser, openSignedIn, type Person, type SignedInPage } from './browser.ts';
import { makeDataDir, type Product, removeDataDir, startProduct } from './product.ts';

interface WindowOptions extends BrowserContextOptions, Partial<Person> {
  /** For whatever the window waits for. Milliseconds. */
  timeout?: number;
}

/** What a test file in a browser plays on: the whole product with an empty database, and a browser. */
export interface Stage {
  product: Product;
  browser: Browser;
  /** Signs somebody new up, owner of a workspace of their own, and opens a window on the product for them. */
  signUp: (options?: WindowOptions) => Promise<SignedInPage>;
}

export interface SignedInStage extends Stage {
  somebody: SignedInPage;
  /** Their window. */
  page: Page;
}

/** Environment variables of the product, or what makes them. */
type Environment = Record<string, string> | (() => Promise<Record<string, string>>);

/** Opens a stage for the tests of this file, hands it to `setUp`, and takes it down after the last of them. */
export function openStage(
  setUp: (stage: Stage) => Promise<void> | void,
  environment: Environment = {},
): void {
  let dataDir: string | undefined;
  let product: Product | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    dataDir = makeDataDir();
    const variables = typeof environment === 'function' ? await environment() : environment;
    // One after the other: what is open must be known should the other fail.
    product = await startProduct(dataDir, variables);
    browser = await openBrowser();
    await setUp(stageOf(product, browser));
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    if (dataDir !== undefined) removeDataDir(dataDir);
  });
}

const stageOf = (product: Product, browser: Browser): Stage => ({
  product,
  browser,
  signUp: async ({ timeout, ...options } = {}) => {
    const somebody = await openSignedIn(browser, product.url, options);
    if (timeout !== undefined) somebody.page.setDefaultTimeout(timeout);
    return somebody;
  },
});

/** The same with one person signed up from the start. */
export function openStageSignedIn(
  setUp: (stage: SignedInStage) => Promise<void> | void,
  { environment = {}, ...options }: WindowOptions & { environment?: Environment } = {},
): void {
  openStage(async (stage) => {
    const somebody = await stage.signUp(options);
    await setUp({ ...stage, somebody, page: somebody.page });
  }, environment);
}
