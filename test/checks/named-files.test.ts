import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

/** Where a path in a document may begin: at the root, or where the code of features does. */
const roots = ['', 'src/', 'src/features/'];
const named = /`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|tsx|mjs|cjs|sql|md))(?: [›][^`]*)?`/g;

const missingIn = (file: string, text: string): string[] =>
  [...text.matchAll(named)]
    .map(([, path = '']) => path)
    .filter((path) => ![...roots, `${dirname(file)}/`].some((root) => existsSync(join(root, path))));

/** Files of the example feature of docs/architecture.md, written as in its folder. */
const inAFeature = /^(?:server|rules|contract|web)\//;

it('files that documents name are there', () => {
  const files = ['README.md', ...globSync('docs/*.md')];
  expect(files.length).toBeGreaterThan(8);
  const found = files.flatMap((file) =>
    missingIn(file, readFileSync(file, 'utf8'))
      .filter((path) => !inAFeature.test(path))
      .map((path) => `${file}: ${path}`),
  );
  expect(found).toEqual([]);
});

it('sees a name that leads nowhere', () => {
  const text = 'See `src/gone.ts › says so` and `platform/server/pools.ts`.';
  expect(missingIn('docs/a.md', text)).toEqual(['src/gone.ts']);
});
