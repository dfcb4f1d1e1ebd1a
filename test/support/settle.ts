import type { Locator, Page } from 'playwright';

/**
 * Waits until the page has its final look. Call it before measuring colours or taking a picture, so
 * that a busy machine makes no difference. In this order:
 *
 * 1. The document has the requested colour scheme (`colours`).
 * 2. Every font that the page uses has loaded.
 * 3. No transition and no animation is running. One that ends may start another, because an
 *    inherited colour passes through the transitions of every element on its way. A spinner never
 *    ends, so it is ignored.
 * 4. Two frames in a row show every element in the same colours, with the same opacity, in the same
 *    place.
 */
export async function settle(page: Page, colours?: 'light' | 'dark'): Promise<void> {
  if (colours) await changeColours(page, colours);
  const stillMoving = await page.evaluate<string | null>(untilSettled);
  if (stillMoving !== null) throw new Error(`The page did not settle: ${stillMoving}`);
}

/**
 * Holds that nothing such is on the page, once it has settled. A poll would wait until a toast has
 * gone by itself.
 */
export async function holdsNone(some: Locator): Promise<void> {
  await settle(some.page());
  const shown = await some.allInnerTexts();
  if (shown.length > 0) throw new Error(`The page shows what it should not: ${shown.join('; ')}`);
}

/**
 * Every element would pass through its transition from one scheme to the other, frame by frame,
 * which takes a second of processor time. Without transitions the page is there at once.
 */
async function changeColours(page: Page, colours: 'light' | 'dark'): Promise<void> {
  const isThere = await page.locator(`html[data-mantine-color-scheme=${colours}]`).count();
  if (isThere) {
    await page.emulateMedia({ colorScheme: colours });
    return;
  }
  await page.evaluate(`{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, *::before, *::after { transition: none !important }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    window.withoutTransitions = sheet;
  }`);
  await page.emulateMedia({ colorScheme: colours });
  await page.locator(`html[data-mantine-color-scheme=${colours}]`).waitFor();
  await page.evaluate(`{
    document.body.offsetHeight;
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== window.withoutTransitions);
  }`);
}

/**
 * Runs in the page, once per frame, until it has settled. Returns what has not settled after 30
 * seconds. It is text because functions of the tests are compiled for Node.
 */
const untilSettled = `(async () => {
  const isEndless = (one) => one.effect.getComputedTiming().endTime === Infinity;
  const lookOf = (element) => {
    const { color, backgroundColor, opacity } = getComputedStyle(element);
    const { x, y, width, height } = element.getBoundingClientRect();
    return [element.tagName, element.className, color, backgroundColor, opacity, x, y, width, height].join();
  };
  let before = [];
  for (const began = performance.now(); ; await new Promise(requestAnimationFrame)) {
    const running = document.getAnimations().filter((one) => one.playState === 'running' && one.effect);
    const spinners = running.filter(isEndless).map((one) => one.effect.target);
    const changing = [
      ...(document.fonts.status === 'loaded' ? [] : ['fonts']),
      ...running.filter((one) => !isEndless(one)).map((one) => 'animation of ' + one.effect.target.className),
    ];
    // To look at every element takes longer than a frame, and is no use while something runs.
    const look = changing.length > 0 ? [] : [...document.body.querySelectorAll('*')]
      .filter((element) => !spinners.some((one) => one.contains(element)))
      .map(lookOf);
    const moving = [
      ...changing,
      ...look.filter((one, place) => one !== before[place]),
      ...(look.length === before.length ? [] : [look.length + ' elements, were ' + before.length]),
    ];
    if (moving.length === 0) return null;
    if (performance.now() - began > 30_000) return moving.slice(0, 3).join('; ');
    before = look;
  }
})()`;
