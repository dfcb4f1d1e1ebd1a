import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The paths that stand in mails belong to tracking. A page there would never be shown. */
it('no page of the web application has a path of a mail', () => {
  const files = globSync('src/features/*/web/index.{ts,tsx}');
  const paths = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/['"`](\/[\w$/-]*)['"`]/g)].map(([, path = '']) => path),
  );
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => /^\/[aciopuv](\/|$)/.test(path))).toEqual([]);
});
