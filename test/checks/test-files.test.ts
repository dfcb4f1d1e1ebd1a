import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { areas, areasOf, testFiles } from '../../scripts/test-files.mjs';

/** What `npm test -- <feature>` searches for, see docs/testing.md. */

const acrossFeatures = testFiles().filter((file) => file.startsWith('test/') && areasOf(file).length > 0);

describe('a test in test/', () => {
  it('names features that there are', () => {
    const unknown = acrossFeatures.flatMap((file) =>
      areasOf(file)
        .filter((area) => !areas.includes(area))
        .map((area) => `${file}: there is no feature ${area}; mend its line “Tests of:”`),
    );
    expect(unknown).toEqual([]);
  });

  it('of one screen says whose it is, in its first line', () => {
    const forAll = [
      'test/e2e/hostile-text.test.ts',
      'test/e2e/settle.test.ts',
      'test/e2e/specified-words.test.ts',
      'test/e2e/web-build.test.ts',
    ];
    const unsaid = testFiles().filter((file) => file.startsWith('test/e2e/') && areasOf(file).length === 0);
    expect(unsaid).toEqual(forAll);
    for (const file of acrossFeatures)
      expect([file, readFileSync(file, 'utf8').startsWith('// Tests of: ')]).toEqual([file, true]);
  });
});

describe('no test is tried twice', () => {
  it('by its own options or those of all', () => {
    // As an option of a test or of vitest. The web part's queries have an unrelated option of that
    // name.
    const asOption = /\bretry: [1-9]|\bretry: process|\{ retry/;
    const sources = [
      'vitest.config.ts',
      ...testFiles().filter((file) => !file.endsWith('test-files.test.ts')),
    ];
    expect(sources.filter((file) => asOption.test(readFileSync(file, 'utf8')))).toEqual([]);
  });
});
