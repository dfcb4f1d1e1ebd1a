import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/*
 * What threads and processes of the product load. Each keeps its modules in memory and loads them
 * while somebody waits, so none of them may load the web server and all the features behind it.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The files that `new Worker`, `fork` and the like are given. */
function entries(): string[] {
  const found = globSync('src/**/*.ts', { cwd: root }).flatMap((path) => {
    if (path.endsWith('.test.ts')) return [];
    const text = readFileSync(join(root, path), 'utf8');
    const starts = text.matchAll(
      /(?:new Worker|new WarmThreads|fork)\(\s*new URL\('([^']+)', import\.meta\.url\)/g,
    );
    return [...starts].map((start) => join(dirname(path), start[1] as string));
  });
  return found.sort();
}

/** Notes each module that is loaded, and prints them when the entry is. */
const hooks = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
await import(process.argv[1]);
console.log(JSON.stringify(loaded));
process.exit();
`;

function loadedBy(entry: string): string[] {
  const node = join(root, 'node_modules', '.bin', 'node');
  const printed = execFileSync(node, ['--input-type=module', '-e', hooks, join(root, entry)], { cwd: root });
  return (JSON.parse(printed.toString()) as string[])
    .filter((url) => url.startsWith('file:'))
    .map((url) => relative(root, fileURLToPath(url)));
}

it('there are as many entries as are known', () => {
  expect(entries()).toEqual([
    'src/features/imports/server/engine/worker.ts',
    'src/features/sending/server/engine/writer-worker.ts',
    'src/features/templates/server/rendering/render-entry.ts',
    'src/features/verification/server/judging/judge-worker.ts',
  ]);
});

it.each(entries())('%s loads no web server', (entry) => {
  const loaded = loadedBy(entry);
  expect(loaded).toContain(entry);
  const tooMuch = /^(src\/platform\/server\/http\.ts|.*node_modules\/(fastify|better-auth|nodemailer)\/)/;
  expect(loaded.filter((path) => tooMuch.test(path))).toEqual([]);
});
