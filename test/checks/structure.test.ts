import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits, structureOf, wordsOf } from '../../scripts/structure.ts';

/**
 * A limit that catches nothing looks like one that nobody exceeds, so this test exceeds each on
 * purpose.
 */
const lines = (count: number) => Array.from({ length: count }, (_, at) => `  void ${at};`).join('\n');
const functionOf = (count: number, name = 'work') => `export function ${name}() {\n${lines(count - 2)}\n}`;
const names = (count: number) => Array.from({ length: count }, (_, at) => `export const name${at} = ${at};`);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'structure-'));
  plant('src/apps/compose.ts', functionOf(limits.composeLines - 1, 'compose'));
  // Many short functions, so that a single long one does not affect the 90th percentile.
  const short = Array.from({ length: 20 }, (_, at) => functionOf(3, `short${at}`));
  plant('src/platform/server/short.ts', short.join('\n'));
  plant('src/features/cats/contract.ts', 'export type Cat = string;');
  plant('src/features/cats/server/index.ts', names(limits.exportsOfDoor).join('\n'));
  plant(
    'src/features/dogs/server/index.ts',
    "import type { Cat } from '#features/cats/contract.ts';\nexport type Dog = Cat;",
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

function plant(path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `${content}\n`);
}
const breaches = () => structureOf(folder).breaches;

describe('the structure', () => {
  it('is sound where nothing exceeds a limit', () => {
    expect(breaches()).toEqual([]);
    expect(wordsOf(structureOf(folder))[0]).toBe('2 features, 0 cycles among them');
  });

  it.each([
    ['a type', "import type { Dog } from '#features/dogs/contract.ts';"],
    ['an export', "export * from '#features/dogs/contract.ts';"],
    ['what is fetched later', "const dogs = () => import('#features/dogs/web/index.ts');"],
  ])('counts features that import each other, by %s', (_, line) => {
    plant('src/features/cats/web/list.ts', line);
    expect(breaches()).toEqual(['features import each other: cats → dogs → cats']);
  });

  it('counts a way round through others, and no test', () => {
    plant('src/features/cats/server/cats.test.ts', "import '#features/dogs/server/index.ts';");
    plant('src/features/cats/sample-calls.ts', "import '#features/dogs/server/index.ts';");
    expect(breaches()).toEqual([]);
    plant('src/features/birds/rules.ts', "import type { Dog } from '#features/dogs/contract.ts';");
    plant('src/features/cats/rules.ts', "import type { Bird } from '#features/birds/contract.ts';");
    expect(breaches()).toEqual([expect.stringMatching(/: (cats → birds → dogs → cats|birds → .*)$/)]);
  });

  it('counts what a door exports', () => {
    plant('src/features/dogs/web/index.ts', names(limits.exportsOfDoor + 1).join('\n'));
    plant('src/features/dogs/server/index.ts', "export * from './everything.ts';");
    expect(breaches()).toEqual([
      expect.stringContaining('src/features/dogs/server/index.ts exports 1000 names'),
      expect.stringContaining('src/features/dogs/web/index.ts exports 21 names'),
    ]);
  });

  it('counts the files of a server folder', () => {
    for (let at = 0; at < limits.filesInServerFolder; at += 1)
      plant(`src/features/cats/server/file-${at}.ts`, 'export {};');
    expect(breaches()).toEqual([expect.stringContaining('src/features/cats/server has 21 files')]);
  });

  it('counts the files of a web folder and the lines of a page', () => {
    for (let at = 0; at < limits.filesInWebFolder; at += 1)
      plant(`src/features/cats/web/file-${at}.ts`, 'export {};');
    plant('src/features/dogs/web/dogs-page.tsx', names(limits.linesOfPage).join('\n'));
    expect(breaches()).toEqual([]);
    plant('src/features/cats/web/one-more.ts', 'export {};');
    plant('src/features/dogs/web/dogs-page.tsx', names(limits.linesOfPage + 1).join('\n'));
    expect(breaches()).toEqual([
      expect.stringContaining('src/features/cats/web has 41 files'),
      expect.stringContaining('src/features/dogs/web/dogs-page.tsx has 101 lines'),
    ]);
  });

  it('counts the lines of functions, one by one and together', () => {
    plant('src/platform/server/long.ts', functionOf(limits.functionLines + 1));
    const many = Array.from({ length: 3 }, (_, at) => functionOf(limits.functionLinesP90 + 1, `much${at}`));
    plant('src/platform/web/much.ts', many.join('\n'));
    expect(breaches()).toEqual([
      expect.stringContaining('work (src/platform/server/long.ts:1) has 91 lines'),
      expect.stringContaining('one of ten functions is longer than'),
    ]);
  });

  it('counts the lines of the composition', () => {
    plant('src/apps/compose.ts', functionOf(limits.composeLines, 'compose'));
    expect(breaches()).toContainEqual(
      expect.stringContaining('compose (src/apps/compose.ts:1) has 40 lines'),
    );
  });
});
