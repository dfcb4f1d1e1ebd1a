import type { Page, Request } from 'playwright';
import { expect } from 'vitest';
import { keepPictures } from './failure-pictures.ts';
import type { Screen } from './screens.ts';

/** Opens screens while some of their calls fail, and looks at what becomes of them. */

/**
 * A call as a screen knows it, whatever its query, and the numbers and keys in its path. The page
 * runs it too, so it is text: functions of the tests are compiled for Node.
 */
const nameOfCall = String.raw`return method + ' ' + new URL(url, 'http://any').pathname
  .replaceAll(/\/\d+(?=\/|$)/g, '/:id')
  .replaceAll(/\/[0-9a-z]{16}(?=\/|$)/g, '/:key')`;

const nameOf = (request: Request): string =>
  new Function('method', 'url', nameOfCall)(request.method(), request.url());

/** Calls that tell the server something. They repeat by themselves, and nobody waits for them. */
const unawaited = ['PUT /api/templates/:id/presence/:key'];

interface Watched {
  page: Page;
  /** The calls since it was last cleared, without those that an earlier address still made. */
  seen: Set<string>;
  /** The addresses that were left without loading the page again. */
  left: Set<string>;
  /** What is being fetched. */
  open: Set<Request>;
}

/** Watches a window's calls, so that some of them can fail. */
async function watch(page: Page): Promise<Watched> {
  const watched: Watched = { page, seen: new Set(), left: new Set(), open: new Set() };
  const { seen, left, open } = watched;
  page.on('request', (request) => {
    const name = nameOf(request);
    if (isCall(request) && !left.has(addressOf(request)) && !unawaited.includes(name)) seen.add(name);
    if (request.resourceType() !== 'eventsource') open.add(request);
  });
  page.on('requestfinished', (request) => void open.delete(request));
  page.on('requestfailed', (request) => void open.delete(request));
  await page.addInitScript(failing);
  return watched;
}

const isCall = (request: Request): boolean =>
  ['fetch', 'xhr'].includes(request.resourceType()) && request.url().includes('/api/');

/** Where the page was when it made the call. */
function addressOf(request: Request): string {
  const { pathname, search } = new URL(request.headers().referer ?? request.frame().url());
  return pathname + search;
}

const excuse = 'The answer was cut short on purpose.';

/**
 * Runs in each document before the product. Calls that are named in the tab's storage fail there,
 * and are remembered. They fail at once, as they do without a network. `page.route` would take a
 * while, and a screen that only stands slow failures would pass.
 */
const failing = `{
  const nameOf = (method, url) => { ${nameOfCall} };
  const known = window.fetch;
  window.failed = [];
  window.fetch = async (address, init) => {
    const name = nameOf(init?.method ?? 'GET', address);
    const { calls, by } = JSON.parse(sessionStorage.getItem('failing') ?? '{"calls":[]}');
    if (!calls.includes(name)) return known(address, init);
    window.failed.push(name);
    if (by === 'no answer') throw new TypeError('Failed to fetch');
    return Response.json({ message: '${excuse}', code: 'internal' }, { status: 500 });
  };
}`;

/** Lets these calls fail from now on, and these alone. */
async function letFail(
  { page }: Watched,
  calls: readonly string[],
  by: 'an error' | 'no answer' = 'an error',
): Promise<void> {
  const text = JSON.stringify(JSON.stringify({ calls, by }));
  await page.evaluate(`sessionStorage.setItem('failing', ${text}); window.failed = []`);
}

/** The calls that have failed since. */
const failed = ({ page }: Watched) => page.evaluate<string[]>('window.failed');

const waiting = '.mantine-Skeleton-root, [aria-busy=true], .mantine-Loader-root';

/** Until the page has nothing to do, such as showing a dialog whose code has just arrived. */
const untilIdle =
  'new Promise((done) => requestIdleCallback(() => requestIdleCallback(done, { timeout: 3000 }), { timeout: 3000 }))';

/** Waits until nothing is being fetched and nothing stands for something to come. */
async function calm({ page, open }: Watched): Promise<void> {
  const placeholders = page.locator(waiting);
  const began = Date.now();
  for (let quiet = 0; quiet < 2; ) {
    await page.waitForTimeout(30);
    await page.evaluate(untilIdle);
    const isThere = (await page.locator('h1, [role=alert]').count()) > 0;
    const isQuiet = isThere && open.size === 0 && (await placeholders.count()) === 0;
    quiet = isQuiet ? quiet + 1 : 0;
    // As long as everywhere else: the first list of presets is rendered when it is asked for.
    if (Date.now() - began < 45_000) continue;
    const fetched = [...open].map(nameOf).join(', ');
    throw new Error(`It waits for ever: ${await placeholders.count()} placeholders; fetching ${fetched}`);
  }
}

/**
 * What a screen says, line by line. Figures and times are left out, because some change by
 * themselves: “After 1 hour” becomes “After 2 hours” while the screen is tried.
 */
async function said({ page }: Watched): Promise<string[]> {
  const text = await page.evaluate<string>('document.body.innerText');
  const lines = text
    .replaceAll(/\d[\d:.,]*|–/g, '#')
    .replaceAll(/(?<=# (?:second|minute|hour|day))s\b/g, '')
    .split('\n')
    .map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

const tryAgain = ({ page }: Watched) => page.getByRole('button', { name: 'Try again', exact: true });

/** The names of the groups that offer to try again: their labels or headings. */
const groupsOf = (watched: Watched): Promise<string[]> => tryAgain(watched).evaluateAll(namesOfGroups);

/** Runs in the page. It is text because functions of the tests are compiled for Node. */
const namesOfGroups = new Function(
  'buttons',
  `return buttons.map((button) => {
    for (let one = button.parentElement; one; one = one.parentElement) {
      const by = one.getAttribute('aria-labelledby');
      const name = one.getAttribute('aria-label') ?? (by && document.getElementById(by)?.textContent);
      if (name) return name;
    }
    return '';
  });`,
) as () => string[];

/** A screen, some of its calls, and what it says when none fails. */
interface Trial {
  screen: Screen;
  calls: readonly string[];
  usual: readonly string[];
}

/**
 * Opens a screen while calls fail, once with an error and once without an answer, and tries again.
 * Returns the groups that showed the failure. Throws what is wrong with the screen.
 */
async function tryOut(watched: Watched, { screen, calls, usual }: Trial): Promise<string[]> {
  const { page } = watched;
  // Without its answer the frame around every screen is not drawn.
  const needsLoad = screen.access !== 'signed-in' || calls.includes(whoIsThere);
  if (!needsLoad) await leave(watched);
  await letFail(watched, calls);
  await (needsLoad ? page.goto(screen.address) : goWithin(watched, screen.address));
  const missing = async () => {
    const there = await failed(watched);
    return calls.filter((one) => !there.includes(one));
  };
  await expect.poll(missing, { timeout: 15_000 }).toEqual([]);
  await calm(watched);
  const isForm = screen.access !== 'signed-in' && (await page.getByRole('textbox').count()) > 0;
  if (isForm && (await tryAgain(watched).count()) === 0) return ['the form, which works without it'];
  const soon = { timeout: 15_000, message: 'buttons to try again' };
  await expect.poll(() => tryAgain(watched).count(), soon).toBeGreaterThan(0);
  await expect.poll(async () => (await said(watched)).join(' '), { timeout: 15_000 }).toContain(excuse);
  const groups = await groupsOf(watched);
  await letFail(watched, calls, 'no answer');
  await tryAgain(watched).first().click({ timeout: 10_000 });
  await page.getByText('The server could not be reached').first().waitFor({ timeout: 15_000 });
  await letFail(watched, []);
  for (let presses = 0; presses < 9 && (await tryAgain(watched).count()) > 0; presses++) {
    await tryAgain(watched).first().click({ timeout: 10_000 });
    await calm(watched);
  }
  const changed = async () => {
    const now = await said(watched);
    return [
      ...now.filter((line) => !usual.includes(line)).map((line) => `+ ${line}`),
      ...usual.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ].join('; ');
  };
  const broughtBack = { timeout: 10_000, message: 'Trying again does not bring it back' };
  await expect.poll(changed, broughtBack).toBe('');
  return groups;
}

/** Goes to another address without loading the page again, as a link does. */
async function goWithin({ page }: Watched, address: string): Promise<void> {
  const go = `history.pushState({}, '', ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent('popstate'))`;
  await page.evaluate(go);
}

/** A screen without the menu. Its own call may be seen only after it was left. */
const aside = '/forgot-password';

/**
 * Leaves the screen for another, and forgets every answer, so that the next one asks for all it
 * needs. To load the page again would do the same, at twice the processor time.
 */
async function leave(watched: Watched): Promise<void> {
  const { page, left } = watched;
  left.add(aside);
  await goWithin(watched, aside);
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  await page.evaluate(forgetAnswers);
}

/** Runs in the page: empties the cache of answers, which it finds through React's own tree. */
const forgetAnswers = `{
  const root = document.getElementById('root');
  const fibers = [root[Object.keys(root).find((key) => key.startsWith('__reactContainer$'))]];
  let client;
  while (!client) {
    const { memoizedProps, child, sibling } = fibers.pop();
    client = memoizedProps?.client?.getQueryCache && memoizedProps.client;
    fibers.push(...[sibling, child].filter(Boolean));
  }
  client.clear();
}`;

/** Without its answer there is no screen, and no other call. */
const whoIsThere = 'GET /api/auth/user';

/**
 * The calls of the menu, which every screen makes for who is signed in: those that the first plain
 * screens share. Its watchers are fetched last, so a page that looks calm may still make them.
 */
async function callsOfMenu(watched: Watched, screens: readonly Screen[]): Promise<string[]> {
  const plain = screens.filter(
    ({ access, address }) => access === 'signed-in' && !/[?/]\S/.test(address.slice(1)),
  );
  const ofEach: string[][] = [];
  for (const { address } of plain.slice(0, 4)) {
    watched.seen.clear();
    await watched.page.goto(address);
    await calm(watched);
    await watched.page.waitForTimeout(2_000);
    await calm(watched);
    ofEach.push([...watched.seen]);
  }
  return (ofEach[0] ?? []).filter((name) => ofEach.every((calls) => calls.includes(name)));
}

interface Found extends Trial {
  /** Calls that most screens make, such as those of the menu. Empty for tabs and records. */
  shared: readonly string[];
}

/**
 * What each screen calls and says when all is well. Tabs, records and dialogs open within the
 * loaded page, so that they only make the calls that the plain screen has not made.
 */
async function lookAround(watched: Watched, screens: readonly Screen[]): Promise<Found[]> {
  const { page, seen, left } = watched;
  const found: Trial[] = [];
  const ofMenu = await callsOfMenu(watched, screens);
  let plain = '';
  let before = '';
  for (const screen of screens) {
    const [path = ''] = screen.address.split('?');
    seen.clear();
    left.clear();
    if (path === plain) {
      left.add(before);
      await goWithin(watched, screen.address);
      // The code of a dialog is asked for a little later.
      await page.waitForTimeout(150);
    } else {
      // Only a load asks who is there.
      const isLoad = plain === '' || screen.access !== 'signed-in';
      if (!isLoad) await leave(watched);
      seen.clear();
      await (isLoad ? page.goto(screen.address) : goWithin(watched, screen.address));
      const missing = () => ofMenu.filter((name) => !seen.has(name) && (isLoad || name !== whoIsThere));
      await expect.poll(missing, { timeout: 15_000, message: screen.address }).toEqual([]);
    }
    await calm(watched);
    const known =
      path === plain ? found.filter(({ screen: { address } }) => address.split('?')[0] === path) : [];
    const calls = [...seen].filter((one) => !known.some((other) => other.calls.includes(one)));
    // An address that leads on to another screen shows nothing of its own.
    if (new URL(page.url()).pathname === path) found.push({ screen, calls, usual: await said(watched) });
    plain = path;
    before = screen.address;
  }
  left.clear();
  const loaded = found.filter(({ screen }) => !screen.address.includes('?'));
  const isShared = (name: string) =>
    ofMenu.includes(name) || loaded.filter(({ calls }) => calls.includes(name)).length > loaded.length / 2;
  return found.map((one) => ({
    ...one,
    calls: one.calls.filter((name) => !isShared(name)),
    shared: loaded.includes(one) ? one.calls.filter(isShared) : [],
  }));
}

/**
 * Tries every call of every screen, one by one; those that most screens make one by one on the
 * first screen, and together on the others. Returns the groups that showed failures, by screen and
 * call, and what is wrong.
 */
export async function tryAll(page: Page, screens: readonly Screen[]) {
  const watched = await watch(page);
  const groups: Record<string, string[]> = {};
  const problems: string[] = [];
  for (const { screen, calls, shared, usual } of await lookAround(watched, screens)) {
    const isFirst = screen === screens[0];
    const together = shared.filter((one) => one !== whoIsThere);
    const ofMenu = isFirst ? shared.map((one) => [one]) : [together].filter(({ length }) => length > 0);
    for (const failing of [...calls.map((one) => [one]), ...ofMenu]) {
      const address = screen.address.replaceAll(/\d+/g, '#');
      const name = `${address} ${failing.length > 1 ? 'what most screens call' : failing}`;
      try {
        groups[name] = await tryOut(watched, { screen, calls: failing, usual });
      } catch (error) {
        const why = String(error).slice(0, 900);
        problems.push(`${name}: ${why}`);
        // Others follow for minutes, and the test's own picture shows the last of them.
        await keepPictures(name, why, [{ page }]);
      }
    }
  }
  return { groups, problems };
}
