import type { Page } from 'playwright';

/**
 * Waits until the page looks as it will look: what measures colours or takes a picture calls this
 * first, so that a busy machine changes nothing. In this order:
 *
 * 1. the colour scheme that was asked for stands on the document (`colours`);
 * 2. every font that the page uses is there;
 * 3. no transition and no animation runs. One that ends may begin another, since a colour that is
 *    inherited passes through the transitions of every element on its way. A spinner never ends and
 *    is left out;
 * 4. two frames in a row show every element in the same colours, at the same opacity, in the same
 *    place.
 */
export async function settle(page: Page, colours?: 'light' | 'dark'): Promise<void> {
  if (colours) {
    await page.emulateMedia({ colorScheme: colours });
    await page.locator(`html[data-mantine-color-scheme=${colours}]`).waitFor();
  }
  const stillMoving = await page.evaluate<string | null>(untilSettled);
  if (stillMoving !== null) throw new Error(`The page did not settle: ${stillMoving}`);
}

/**
 * Runs in the page, once a frame until it has settled; answers what has not after 30 seconds. It is
 * text, because functions of the tests are compiled for Node.
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
    const look = [...document.body.querySelectorAll('*')]
      .filter((element) => !spinners.some((one) => one.contains(element)))
      .map(lookOf);
    const moving = [
      ...(document.fonts.status === 'loaded' ? [] : ['fonts']),
      ...running.filter((one) => !isEndless(one)).map((one) => 'animation of ' + one.effect.target.className),
      ...look.filter((one, place) => one !== before[place]),
      ...(look.length === before.length ? [] : [look.length + ' elements, were ' + before.length]),
    ];
    if (moving.length === 0) return null;
    if (performance.now() - began > 30_000) return moving.slice(0, 3).join('; ');
    before = look;
  }
})()`;
