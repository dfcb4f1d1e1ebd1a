import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { importOptions, readingChoice } from '#features/imports/contract.ts';
import { allEndpoints } from './openapi.ts';

/**
 * A mistyped key that is dropped does the opposite of what was meant: a list with `segmentRule` for
 * its rules is a list of everybody. So every JSON body refuses a key that it does not know, at any
 * depth. Write `z.strictObject`.
 */

/** Bodies that take unknown keys, with the reason: `'POST /api/example': 'why'`. There are none. */
const lenient: Record<string, string> = {};

/** Forms whose fields are JSON. Their endpoints only describe them. */
const inForms: [string, z.ZodType][] = [
  ['POST /api/emails/import, options', importOptions],
  ['POST /api/emails/import, reading', readingChoice],
];

const bodies = allEndpoints().flatMap(({ definition: { method, path, body } }): [string, z.ZodType][] =>
  body instanceof z.ZodType ? [[`${method} ${path}`, body]] : [],
);

type Definition = z.core.$ZodTypes['_zod']['def'];

/** The places in a schema that take keys which it does not know. */
function openPlaces(schema: z.core.$ZodType, at = 'body', seen = new Set<z.core.$ZodType>()): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const inside = (inner: z.core.$ZodType, name = '') => openPlaces(inner, `${at}${name}`, seen);
  const definition = schema._zod.def as Definition;
  switch (definition.type) {
    case 'object': {
      const refusesOthers = definition.catchall?._zod.def.type === 'never';
      const fields = Object.entries(definition.shape);
      return [
        ...(refusesOthers ? [] : [at]),
        ...fields.flatMap(([name, field]) => inside(field, `.${name}`)),
      ];
    }
    case 'array':
      return inside(definition.element, '[]');
    case 'record':
      return inside(definition.valueType, '{}');
    case 'tuple':
      return [...definition.items, ...(definition.rest ? [definition.rest] : [])].flatMap((item) =>
        inside(item, '[]'),
      );
    case 'union':
      return definition.options.flatMap((option) => inside(option));
    case 'pipe':
      return inside(definition.in);
    case 'lazy':
      return inside(definition.getter());
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return inside(definition.innerType);
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'enum':
    case 'literal':
      return [];
    default:
      return [`${at} (${definition.type})`];
  }
}

describe('an unknown key is refused', () => {
  it.each([...bodies, ...inForms].filter(([name]) => !(name in lenient)))('by %s', (_, body) => {
    expect(openPlaces(body)).toEqual([]);
  });

  it('by as many calls as there are', () => {
    expect(bodies.length).toBeGreaterThan(90);
    const names = bodies.map(([name]) => name);
    expect(Object.keys(lenient).filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('this test', () => {
  const open = z.object({ a: z.string() });
  it.each([
    ['what drops keys', open, ['body']],
    ['what keeps them', z.looseObject({}), ['body']],
    ['what takes them of a kind', z.object({}).catchall(z.string()), ['body']],
    ['a field', z.strictObject({ b: open.nullish().default(null) }), ['body.b']],
    ['an item', z.strictObject({ b: z.array(open.refine(() => true)) }), ['body.b[]']],
    ['a value of a record', z.record(z.string(), open), ['body{}']],
    ['one form of several', z.union([z.strictObject({}), open]), ['body']],
    ['what is changed afterwards', open.transform(() => 1), ['body']],
    ['what it cannot look into', z.strictObject({ b: z.any() }), ['body.b (any)']],
    ['nothing else', z.strictObject({ b: z.strictObject({}).partial().optional() }), []],
  ])('finds %s', (_, schema, places) => {
    expect(openPlaces(schema)).toEqual(places);
  });
});
