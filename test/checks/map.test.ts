import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { structureOf } from '../../scripts/structure.ts';

// The map in docs/architecture.md shows the imports between features, without those that are also
// reached through another feature.

const drawn = mapIn(readFileSync('docs/architecture.md', 'utf8'));

/** The arrows of a Mermaid drawing: `a --> b & c`. */
function mapIn(text: string): Map<string, string[]> {
  const drawing = /```mermaid\n(.*?)```/s.exec(text)?.[1] ?? '';
  const arrows = new Map<string, string[]>();
  for (const [, from = '', to = ''] of drawing.matchAll(/^ *([a-z-]+) --> (.+)$/gm)) {
    arrows.set(from, to.split(' & '));
  }
  return arrows;
}

type Arrows = ReadonlyMap<string, Iterable<string>>;

/** Everything that arrows lead to from a feature, in any number of steps. */
function reached(arrows: Arrows, from: string, seen = new Set<string>()): Set<string> {
  for (const to of arrows.get(from) ?? []) {
    if (seen.has(to)) continue;
    seen.add(to);
    reached(arrows, to, seen);
  }
  return seen;
}

function differences(map: Arrows, imports: Arrows): string[] {
  const missing = [...imports].flatMap(([from, targets]) =>
    [...targets].filter((to) => !reached(map, from).has(to)).map((to) => `missing: ${from} --> ${to}`),
  );
  const wrong = [...map].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...(imports.get(from) ?? [])].includes(to))
      .map((to) => `not imported: ${from} --> ${to}`),
  );
  const needless = [...map].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => [...targets].some((other) => other !== to && reached(map, other).has(to)))
      .map((to) => `reached another way: ${from} --> ${to}`),
  );
  return [...missing, ...wrong, ...needless];
}

it('the map shows every import between features, and no other', () => {
  expect(drawn.size).toBeGreaterThan(10);
  expect(differences(drawn, structureOf('.').imports)).toEqual([]);
});

it('an arrow that is missing, wrong or needless is told', () => {
  const imports = new Map([
    ['a', ['b', 'c']],
    ['b', ['c']],
  ]);
  expect(
    differences(
      new Map([
        ['a', ['b']],
        ['b', ['c']],
      ]),
      imports,
    ),
  ).toEqual([]);
  expect(differences(new Map([['a', ['b']]]), imports)).toEqual(['missing: a --> c', 'missing: b --> c']);
  expect(
    differences(
      new Map([
        ['a', ['b']],
        ['b', ['c', 'd']],
      ]),
      imports,
    ),
  ).toEqual(['not imported: b --> d']);
  expect(
    differences(
      new Map([
        ['a', ['b', 'c']],
        ['b', ['c']],
      ]),
      imports,
    ),
  ).toEqual(['reached another way: a --> c']);
});
