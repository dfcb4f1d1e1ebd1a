import { mkdirSync, writeFileSync } from 'node:fs';
import type { Window } from './browser.ts';

const folder = '.tmp/failed';
/**
 * Characters of what the page showed that are printed. The rest is in the file beside the picture.
 */
const printed = 1500;

/**
 * Keeps what the windows of a failed test showed: a picture and the page's source in a file each,
 * its address and its words in the output, after `why` it failed. A failure that comes once in a
 * hundred runs can then be understood, also where the run is broken off before its end.
 */
export async function keepPictures(
  test: string,
  why: string,
  windows: readonly Pick<Window, 'page'>[],
): Promise<void> {
  console.error(`${test}: ${why}`);
  mkdirSync(folder, { recursive: true });
  for (const [index, { page }] of windows.entries()) {
    const path = `${folder}/${test.replaceAll(/[^\w]+/g, '-').slice(0, 80)}-${index + 1}`;
    try {
      await page.screenshot({ path: `${path}.png`, timeout: 10_000 });
      writeFileSync(`${path}.html`, await page.content());
      const words = await page.locator('body').ariaSnapshot({ timeout: 10_000 });
      console.error(`${test}: ${page.url()} showed (${path}.png)\n${words.slice(0, printed)}`);
    } catch (error) {
      console.error(`${test}: ${page.url()} could not be pictured: ${String(error)}`);
    }
  }
}
