import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** People read comments and documents next to each other and to code. This fits everywhere. */
const most = 100;

/** Drawings, tables, addresses and lines for tools may be wider. */
const isExempt = (line: string): boolean =>
  /--+>|→|\S {3,}\S|^[\s/*]*(biome-ignore|Tests of:)|^\s*(\||<|!\[|#)|https?:\/\/\S+/.test(line);

/** Written by `npm run lists:refresh`. */
const written = 'src/features/addresses/rules/list-data.ts';

const isComment = (line: string): boolean => /^\s*(\/\/|\/?\*|--|#)/.test(line);

/** Migrations before this one were applied with wider comments, and none is changed afterwards. */
const firstNarrow = 91;
const isOld = (path: string): boolean =>
  Number(/migrations\/(\d+)_/.exec(path)?.[1] ?? firstNarrow) < firstNarrow;

function tooWide(path: string, text: string): string[] {
  const isDocument = path.endsWith('.md');
  let isCode = false;
  return text.split('\n').flatMap((line, at) => {
    if (isDocument && line.trimStart().startsWith('```')) isCode = !isCode;
    const counts = isDocument ? !isCode : isComment(line);
    return counts && [...line].length > most && !isExempt(line) ? [`${path}:${at + 1}`] : [];
  });
}

it('keeps comments and documents within 100 columns', () => {
  const files = execFileSync(
    'git',
    ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.cjs', '*.md', '*.css', '*.sh', '.ci/run', 'db/*.sql'],
    {
      encoding: 'utf8',
    },
  );
  const found = files
    .trim()
    .split('\n')
    .filter((path) => path !== written && path !== 'db/schema.sql' && !isOld(path))
    .flatMap((path) => tooWide(path, readFileSync(path, 'utf8')));
  expect(found).toEqual([]);
});

it('sees what is too wide, and nothing else', () => {
  const long = 'word '.repeat(21).trim();
  expect(tooWide('a.ts', `// ${long}\nconst x = '${long}';\n/** ${long} */\n * a --> b ${long}`)).toEqual([
    'a.ts:1',
    'a.ts:3',
  ]);
  expect(tooWide('a.md', `${long}\n| ${long} |\n\`\`\`\n${long}\n\`\`\`\n${long}`)).toEqual([
    'a.md:1',
    'a.md:6',
  ]);
});
