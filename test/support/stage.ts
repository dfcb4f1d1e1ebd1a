import pg from 'pg';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
import { findRunningPostgres } from '#platform/server/embedded-postgres.ts';
import { startWhole, type Whole } from '#test/cluster/whole.ts';
import {
  openSignedIn,
  openWindow,
  type Person,
  type SignedInPage,
  sharedBrowser,
  type Window,
} from './browser.ts';
import { keepPictures } from './failure-pictures.ts';
import { makeDataDir, removeDataDir } from './product.ts';
import type { RunningProduct } from './shared-product.ts';

/** What a browser test works with. It is new for each test, so that no test depends on another. */
export interface Stage {
  product: RunningProduct;
  browser: Browser;
  /** Signs up a new person who owns a workspace, and opens a window on the product for them. */
  signUp: (options?: BrowserContextOptions & Partial<Person>) => Promise<SignedInPage>;
  /** A window with nobody signed in. */
  visit: (options?: BrowserContextOptions) => Promise<Window>;
}

export interface SignedInStage extends Stage {
  somebody: SignedInPage;
  /** Their window. */
  page: Page;
}

interface StageOptions {
  /**
   * Environment variables of the product, or a function that makes them. With these, the file gets
   * its own product.
   */
  environment?: Record<string, string> | (() => Promise<Record<string, string>>);
  /** Complaints that the windows may make. Any other fails the test at its end. */
  mayComplain?: RegExp;
}

/**
 * Opens a stage for each test of this file, passes it to `setUp`, and closes its windows after the
 * test. Files share one product and one browser unless they set an environment.
 */
export function openStage(
  setUp: (stage: Stage) => Promise<void> | void,
  { environment, mayComplain }: StageOptions = {},
): void {
  let own: Whole | undefined;
  const windows: Window[] = [];
  const kept = <W extends Window>(window: W): W => {
    windows.push(window);
    return window;
  };
  if (environment) {
    const dataDir = makeDataDir();
    beforeAll(async () => {
      own = await startWhole(dataDir, typeof environment === 'function' ? await environment() : environment);
    });
    afterAll(async () => {
      await own?.stop();
      removeDataDir(dataDir);
    });
  }
  beforeEach(async () => {
    const browser = await sharedBrowser();
    const product = own ?? inject('sharedProduct');
    await setUp({
      product,
      browser,
      signUp: async (options) => kept(await openSignedIn(browser, product.url, options)),
      visit: async (options) => kept(await openWindow(browser, product.url, options)),
    });
  });
  afterEach(async ({ task }) => {
    const finished = windows.splice(0);
    if (task.result?.state === 'fail') {
      const why = task.result.errors?.map(({ message }) => message).join('\n') ?? '';
      await keepPictures(task.name, why, finished);
    }
    await Promise.all(finished.map(({ context }) => context.close()));
    const complaints = finished.flatMap(({ complaints }) => complaints);
    expect(complaints.filter((line) => !mayComplain?.test(line))).toEqual([]);
  });
}

/** The same, with one person signed up from the start. */
export function openStageSignedIn(
  setUp: (stage: SignedInStage) => Promise<void> | void,
  { environment, mayComplain, ...options }: BrowserContextOptions & Partial<Person> & StageOptions = {},
): void {
  openStage(
    async (stage) => {
      const somebody = await stage.signUp(options);
      await setUp({ ...stage, somebody, page: somebody.page });
    },
    { ...(environment ? { environment } : {}), ...(mayComplain ? { mayComplain } : {}) },
  );
}

/** A direct call by the window's person. Returns the body. */
export async function call(
  { request }: Pick<Page, 'request'>,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  data?: object,
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what its call answers
): Promise<any> {
  const answer = await request.fetch(path, { method, ...(data ? { data } : {}) });
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

/** Imports a file by a direct call, as a program would. Returns the body. */
export async function bring(
  { request }: Pick<Page, 'request'>,
  csv: string | Buffer,
  { name = 'list.csv', options, reading }: { name?: string; options?: object; reading?: object } = {},
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it reads of it
): Promise<any> {
  const answer = await request.post('/api/emails/import', {
    multipart: {
      ...(options ? { options: JSON.stringify(options) } : {}),
      ...(reading ? { reading: JSON.stringify(reading) } : {}),
      file: { name, mimeType: 'text/csv', buffer: Buffer.from(csv) },
    },
  });
  if (!answer.ok()) throw new Error(`import ${name}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

/**
 * Runs a statement as the tables' owner, for what the product itself would not do, and returns its
 * rows.
 */
export async function inDatabaseOf(
  product: RunningProduct,
  statement: string,
  values: unknown[],
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it reads
): Promise<any[]> {
  const running = await findRunningPostgres(product.dataDir);
  if (!running) throw new Error('the product runs no database');
  const client = new pg.Client({ connectionString: running.ownerUrl });
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}

/** Makes everybody in a person's workspace a viewer there. */
export const makeViewers = (product: RunningProduct, { workspaceId }: SignedInPage): Promise<unknown> =>
  inDatabaseOf(product, `update members set role = 'viewer' where workspace_id = $1`, [workspaceId]);

/** The window of another person in the same workspace, who is an editor there. */
export async function signUpEditor(stage: SignedInStage, name: string): Promise<Page> {
  const { workspaceId } = stage.somebody;
  const other = await stage.signUp({ name });
  await inDatabaseOf(
    stage.product,
    `insert into members (workspace_id, user_id, role) select $1, id, 'editor' from users where email = $2`,
    [workspaceId, other.email],
  );
  await call(other.page, 'POST', '/api/workspaces/current', { id: workspaceId });
  return other.page;
}
