import { type Browser, chromium } from 'playwright';
import { findChromium } from '../../scripts/chromium.mjs';

/**
 * The machine's own Chromium or Chrome; `npm test` sees to it that there is one. Close it in `afterAll`.
 * Throws a sentence for the operator when none is found.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath)
    throw new Error('No Chromium was found: run `npm run test:e2e`, or set CHROMIUM_PATH.');
  // Chromium's own sandbox needs rights that root in a container does not have.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}
