import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/**
 * For each specified feature, `docs/specification.md` names the code that does it and the test that
 * shows it. This test checks that those files and tests exist, and that no line lacks them.
 */

interface Line {
  section: string;
  what: string;
  files: string[];
  /** `file › name of a test`. */
  tests: [file: string, name: string][];
}

/** The rows of the tables: what | made in | shown by. */
function linesOf(document: string): Line[] {
  const lines: Line[] = [];
  let section = '';
  for (const text of document.split('\n')) {
    section = /^## (\d+|Marketing: \w+)/.exec(text)?.[1] ?? section;
    if (!text.startsWith('| ') || text.startsWith('| what |')) continue;
    const [, what = '', files = '', tests = ''] = text.split(/(?<!\\)\|/).map((cell) => cell.trim());
    lines.push({
      section,
      what,
      files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
      tests: [...tests.matchAll(/`([^`›]+) › ([^`]+)`/g)].map(([, file = '', name = '']) => [
        file.trim(),
        name.trim().replaceAll('\\|', '|'),
      ]),
    });
  }
  return lines;
}

/** Whether a test file holds a test with that name, or a name pattern used for many tests. */
function hasTest(source: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "\\\\?'");
  // `it.each(rows)('…')` has its name in the second pair of brackets.
  const begins = '(?:\\b(?:it|test|describe|inEffect)(?:\\.\\w+)*|\\))\\(\\s*';
  return ["'", '"', '`'].some((quote) => new RegExp(`${begins}${quote}${escaped}${quote}`).test(source));
}

/** Sentences about what the document gets wrong. */
function faults(lines: Line[], read: (file: string) => string | undefined): string[] {
  return lines.flatMap(({ section, what, files, tests }) => {
    const line = `${section}: ${what}`;
    const found: string[] = [];
    if (files.length === 0) found.push(`${line}: says not where it is made`);
    if (tests.length === 0) found.push(`${line}: names no test`);
    for (const file of files) if (read(file) === undefined) found.push(`${line}: there is no ${file}`);
    for (const [file, name] of tests) {
      const source = read(file);
      if (source === undefined) found.push(`${line}: there is no ${file}`);
      else if (!hasTest(source, name)) found.push(`${line}: ${file} has no test “${name}”`);
    }
    return found;
  });
}

const read = (file: string) => {
  if (!existsSync(file)) return undefined;
  return globSync(file).length === 1 && /\.\w+$/.test(file) ? readFileSync(file, 'utf8') : '';
};

describe('the specification', () => {
  const document = readFileSync('docs/specification.md', 'utf8');

  it('has a file and a test for each of its lines, and they exist', () => {
    expect(faults(linesOf(document), read)).toEqual([]);
  });

  it('keeps its lines', () => {
    const counts: Record<string, number> = {};
    for (const { section } of linesOf(document)) counts[section] = (counts[section] ?? 0) + 1;
    expect(counts).toEqual({
      ...{ 2: 26, 3: 14, 4: 12, 5: 15, 6: 2, 7: 29, 8: 29, 9: 11 },
      'Marketing: basis': 7,
      'Marketing: servers': 5,
      'Marketing: pace': 6,
      'Marketing: bounces': 9,
      'Marketing: lists': 23,
      'Marketing: campaigns': 35,
      'Marketing: sender': 6,
      'Marketing: templates': 46,
      'Marketing: transactional': 7,
      'Marketing: segments': 13,
    });
  });

  it.each([
    ['| A toast | | `a.test.ts › says so` |', 'says not where it is made'],
    ['| A toast | `a.ts` | |', 'names no test'],
    ['| A toast | `gone.ts` | `a.test.ts › says so` |', 'there is no gone.ts'],
    ['| A toast | `a.ts` | `a.test.ts › says nothing` |', 'has no test “says nothing”'],
    ['| A toast | `a.ts` | `gone.test.ts › says so` |', 'there is no gone.test.ts'],
  ])('notices %s', (row, fault) => {
    const files: Record<string, string> = { 'a.ts': '', 'a.test.ts': "it('says so', () => {});" };
    expect(faults(linesOf(`## 8. Toasts\n${row}`), (file) => files[file])).toEqual([
      expect.stringContaining(fault),
    ]);
  });

  it('knows tests by their names, in all the ways they are written', () => {
    const source = `it('plain', x); it.each([['a', 1]])('of %s', x); inEffect("it's on", x); describe('all', y);`;
    for (const name of ['plain', 'of %s', "it's on", 'all'])
      expect([name, hasTest(source, name)]).toEqual([name, true]);
    for (const name of ['plai', 'a', 'x']) expect([name, hasTest(source, name)]).toEqual([name, false]);
  });
});
