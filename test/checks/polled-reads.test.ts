import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const reads =
  'count|allTextContents|allInnerTexts|textContent|innerText|inputValue|isVisible|isHidden|isEnabled|isDisabled|isChecked|getAttribute';
const readAtOnce = new RegExp(`\\bexpect\\(\\s*await [^;]*?\\.(${reads})\\([^()]*\\),?\\s*\\)`, 'g');

/** It looks at moments on purpose: nothing may jump. */
const moments = 'test/e2e/steady.test.ts';

it('what a page shows is waited for, because another part of it may still be coming', () => {
  const files = globSync('test/e2e/*.test.ts', { cwd: root }).filter((file) => file !== moments);
  expect(files.length).toBeGreaterThan(20);
  const found = files.flatMap((file) =>
    [...readFileSync(`${root}/${file}`, 'utf8').matchAll(readAtOnce)].map(([text]) => `${file}: ${text}`),
  );
  // Write `await expect.poll(() => locator.count()).toBe(2)`.
  expect(found).toEqual([]);
  expect('expect(await page.getByRole("row").count()).toBe(6)').toMatch(readAtOnce);
});
