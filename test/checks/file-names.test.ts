import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** Names that fit everything, so that nothing can be found there again. */
const drawers = new Set(['service', 'utils', 'util', 'helpers', 'helper', 'misc', 'common']);

/** What is wrong with a path of the repository. Undefined if nothing is. */
function problemWith(path: string): string | undefined {
  const parts = path.split('/');
  const drawer = parts.find((part) => drawers.has(part.replace(/[.].*$/, '').toLowerCase()));
  if (drawer) return `${path}: "${drawer}" says nothing about what is inside`;
  if (!/^(src|test|bench|scripts)\//.test(path)) return undefined;
  const odd = parts.find((part) => !/^[a-z0-9]+(-[a-z0-9]+)*([.][a-z0-9]+)*$/.test(part));
  return odd ? `${path}: "${odd}" is not in kebab-case` : undefined;
}

function filesOfTheRepository(): string[] {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
  });
  return listed.toString().split('\0').filter(Boolean);
}

describe('names of files and folders', () => {
  it('are kebab-case and say what is inside', () => {
    const files = filesOfTheRepository().filter((file) => !file.startsWith('test/fixtures/'));
    expect(files.length).toBeGreaterThan(20);
    expect(files.map(problemWith).filter(Boolean)).toEqual([]);
  });

  it.each([
    'src/features/cats/utils.ts',
    'src/helpers/cat.ts',
    'docs/misc/x.md',
    'src/platform/web/common.test.tsx',
  ])('refuse the drawer %s', (path) => expect(problemWith(path)).toMatch(/says nothing/));

  it.each([
    'src/features/cats/CatList.tsx',
    'src/features/cats/cat_list.ts',
    'src/features/bigCats/rules.ts',
  ])('refuse %s, which is not kebab-case', (path) => expect(problemWith(path)).toMatch(/kebab-case/));
});
