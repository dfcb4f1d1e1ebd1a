// Finds the browser for the browser tests. Imports no package, because it also runs before packages
// are installed.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// The headless shell first: the same browser without its windows, at half the processor time.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const fixedPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/snap/bin/chromium',
];

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The path of Chromium or Chrome: CHROMIUM_PATH, or else the first one found. Undefined when there
 * is none.
 */
export function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) return isProgram(env.CHROMIUM_PATH) ? env.CHROMIUM_PATH : undefined;
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...fixedPlaces].find(isProgram);
}

/**
 * Finds the browser, or installs Debian's package if possible. Otherwise `sentence` says what to
 * do.
 */
export function ensureChromium() {
  const found = findChromium();
  if (found) return { path: found };
  if (process.env.CHROMIUM_PATH) {
    return {
      sentence: `CHROMIUM_PATH names ${process.env.CHROMIUM_PATH}, which is not a program that can be run.`,
    };
  }
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log("The browser tests need Chromium: installing Debian's package…");
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-q'], { stdio: 'inherit', env });
    // Older releases have no package of the shell alone.
    for (const name of ['chromium-headless-shell', 'chromium']) {
      const install = ['install', '-y', '-q', '--no-install-recommends', name];
      if (spawnSync('apt-get', install, { stdio: 'inherit', env }).status === 0) break;
    }
    const installed = findChromium();
    if (installed) return { path: installed };
  }
  return {
    sentence:
      'The browser tests need Chromium or Google Chrome, and none was found. Install one ' +
      '(Debian: sudo apt-get install chromium-headless-shell; macOS: brew install --cask chromium), or set CHROMIUM_PATH to it.',
  };
}
