import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The only files that may format numbers and days, and the one day format that is part of a file's
 * name and not text.
 */
const places = ['src/platform/shared/words.ts', 'src/platform/web/format.ts'];
const fileNames = /Intl\.DateTimeFormat\('en-CA'/;

/**
 * Everything that screens say. It includes contracts and rules, because both sides use their words.
 */
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

/** A percentage made by hand. That of a width in a layout is no text. */
const ownPercent = (line: string): boolean => /toFixed\([^)]*\)\)*\}%/.test(line) && !/width="/.test(line);

it('percentages are written by one formatter', () => {
  const own = spoken.filter((path) => readFileSync(`${root}/${path}`, 'utf8').split('\n').some(ownPercent));
  expect(own).toEqual([]);
  expect(['`${share.toFixed(1)}%`', '`${Number((share * 100).toFixed(1))}%`'].every(ownPercent)).toBe(true);
});
