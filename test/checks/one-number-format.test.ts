import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Where numbers and days may be written; and the one day that is no word but part of a file's name.
 */
const places = ['src/platform/shared/words.ts', 'src/platform/web/format.ts'];
const fileNames = /Intl\.DateTimeFormat\('en-CA'/;

/** What the screens say, contracts and rules included: the pure rooms speak on both sides. */
const spoken = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter(
  (path) =>
    !/\.test\.tsx?$/.test(path) &&
    /^src\/(features\/[^/]+\/(web|rules|contract)[./]|platform\/(web|shared)\/)/.test(path),
);

it('numbers, days and sizes are written in one way, by the formatters of the platform', () => {
  expect(spoken.length).toBeGreaterThan(300);
  const own = spoken.filter((path) =>
    readFileSync(`${root}/${path}`, 'utf8')
      .split('\n')
      .some(
        (line) =>
          /Intl\.(Number|DateTime)Format|toLocale(Date|Time)?String\(/.test(line) && !fileNames.test(line),
      ),
  );
  expect(own.sort()).toEqual(places);
});
