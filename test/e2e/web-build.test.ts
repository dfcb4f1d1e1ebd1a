import { readdirSync, readFileSync } from 'node:fs';
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
