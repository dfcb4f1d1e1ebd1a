import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

// A file that is part of a circle runs before some of what it imports, and no screen opens.

const folder = 'dist/web/assets/';

function importsOfFiles(): Map<string, string[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  return new Map(
    files.map((name) => {
      const text = readFileSync(folder + name, 'utf8');
      return [name, [...text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map(([, to]) => to ?? '')];
    }),
  );
}

/** The files left when those that import no other are taken away, again and again. */
function inCircles(imports: Map<string, string[]>): string[] {
  const left = new Map(imports);
  for (;;) {
    const free = [...left].filter(([, to]) => !to.some((one) => left.has(one)));
    if (free.length === 0) return [...left.keys()];
    for (const [name] of free) left.delete(name);
  }
}

it('no file of the web build imports another in a circle', () => {
  const imports = importsOfFiles();
  expect([...imports.values()].flat().length).toBeGreaterThan(20);
  expect(inCircles(imports)).toEqual([]);
});

/** The files that the page loads at once: its scripts and what they import. */
function firstFiles(imports: Map<string, string[]>): Set<string> {
  const page = readFileSync('dist/web/index.html', 'utf8');
  const files = new Set(
    [...page.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(([, name]) => name ?? ''),
  );
  for (const file of files) for (const next of imports.get(file) ?? []) files.add(next);
  return files;
}

it('the first page loads at most 250 kB of compressed JavaScript', () => {
  const files = firstFiles(importsOfFiles());
  expect(files.size).toBeGreaterThan(1);
  let bytes = 0;
  for (const name of files) bytes += gzipSync(readFileSync(folder + name)).length;
  expect(bytes).toBeLessThanOrEqual(250_000);
});

it('what contracts say for the API document is not in the web build', () => {
  const { paths, components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  const said = new Set<string>();
  JSON.stringify([paths, components.schemas], (key, value) => {
    const isWords = typeof value === 'string' && value.length > 60;
    if ((key === 'description' || key === 'summary') && isWords) said.add(value);
    return value;
  });
  expect(said.size).toBeGreaterThan(100);
  const built = [...importsOfFiles().keys()].map((name) => readFileSync(folder + name, 'utf8')).join('\n');
  const left = [...said].filter((words) => built.includes(words));
  // What is passed as an argument stays: the fields of forms, and what lists and tags share.
  expect(left.length).toBeLessThan(20);
});
