import { z } from 'zod';

/** A JSON object, as OpenAPI 3.1 and JSON Schema 2020-12 describe it. */
// biome-ignore lint/suspicious/noExplicitAny: the document is read by other programs, not by ours
export type Json = { [key: string]: any };

/** `input`: what a caller may send. `output`: what a caller gets. */
type Direction = 'input' | 'output';

/** How a reference to a named schema begins. */
export const schemasPlace = '#/components/schemas/';
/** Stands for the place of a named schema until it is known whether both directions are alike. */
const pending = (direction: Direction, id: string): string => `${direction}:${id}`;

/**
 * The schemas of an API document. One with an id, `schema.meta({ id: 'Campaign' })`, is written
 * once, and all others refer to it. Where what a caller may send differs from what it is given,
 * because of defaults or of further fields that are refused, that form is called `CampaignInput`.
 */
export class DocumentSchemas {
  readonly #named = { input: new Map<string, Json>(), output: new Map<string, Json>() };

  /**
   * Describes a schema. Throws where two schemas share an id, or one that contains itself has none.
   */
  of(schema: z.ZodType, direction: Direction): Json {
    const made = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: 'any',
      target: 'draft-2020-12',
    });
    const { $defs = {}, ...own } = simplify(made, direction) as Json;
    for (const [id, one] of Object.entries<Json>($defs)) this.#name(direction, id, one);
    return own;
  }

  /** A described schema itself, where `of` has answered a reference to a named one. */
  resolve(described: Json): Json {
    const [direction, id] = String(described.$ref).split(':') as [Direction, string];
    return this.#named[direction]?.get(id) ?? described;
  }

  /**
   * Takes what was described with `of` together: its references lead to the named schemas then,
   * which come along by name.
   */
  join(described: Json): { described: Json; schemas: Json } {
    const differing = this.#differing();
    const nameOf = (direction: Direction, id: string) =>
      direction === 'input' && differing.has(id) ? `${id}Input` : id;
    const joined = (value: Json) =>
      mapRefs(value, (direction, id) => `${schemasPlace}${nameOf(direction, id)}`) as Json;
    const schemas = new Map<string, Json>();
    for (const direction of ['output', 'input'] as const) {
      for (const [id, one] of this.#named[direction]) {
        const name = nameOf(direction, id);
        const written = joined(one);
        if (schemas.has(name) && !isSame(schemas.get(name), written))
          throw new Error(`two schemas of the API document are called ${name}`);
        schemas.set(name, written);
      }
    }
    const sorted = [...schemas].sort(([one], [other]) => (one < other ? -1 : 1));
    return { described: joined(described), schemas: Object.fromEntries(sorted) };
  }

  #name(direction: Direction, id: string, one: Json): void {
    if (id.startsWith('__')) throw new Error('a schema that contains itself needs an id');
    const known = this.#named[direction].get(id);
    if (known && !isSame(known, one)) throw new Error(`two schemas of the API document have the id ${id}`);
    this.#named[direction].set(id, one);
  }

  /** The ids whose two directions differ, by themselves or in what they refer to. */
  #differing(): Set<string> {
    const ids = [...this.#named.input.keys()].filter((id) => this.#named.output.has(id));
    const differing = new Set<string>();
    const nameOf = (direction: Direction, id: string) => (differing.has(id) ? pending(direction, id) : id);
    const isAlike = (id: string) =>
      isSame(mapRefs(this.#named.input.get(id), nameOf), mapRefs(this.#named.output.get(id), nameOf));
    for (let before = -1; before < differing.size; ) {
      before = differing.size;
      for (const id of ids) if (!isAlike(id)) differing.add(id);
    }
    return differing;
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function mapRefs(value: unknown, nameOf: (direction: Direction, id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => mapRefs(item, nameOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const [, direction, id] =
        key === '$ref' && typeof inner === 'string' ? (/^(input|output):(.+)$/.exec(inner) ?? []) : [];
      return [key, id ? nameOf(direction as Direction, id) : mapRefs(inner, nameOf)];
    }),
  );
}

/**
 * Leaves out what tells a reader nothing: the dialect, the limits of JavaScript's numbers, a known
 * format's pattern.
 */
function simplify(value: unknown, direction: Direction): unknown {
  if (Array.isArray(value)) return value.map((item) => simplify(item, direction));
  if (typeof value !== 'object' || value === null) return value;
  const given = value as Json;
  const kept: Json = {};
  for (const [key, inner] of Object.entries(given)) {
    if (key === '$schema') continue;
    if (key === 'maximum' && inner === Number.MAX_SAFE_INTEGER) continue;
    if (key === 'minimum' && inner === Number.MIN_SAFE_INTEGER) continue;
    if (key === 'pattern' && typeof given.format === 'string') continue;
    if (key === 'propertyNames' && isSame(inner, { type: 'string' })) continue;
    // A later version may add fields, and programs that read the answer must accept that.
    if (key === 'additionalProperties' && inner === false && direction === 'output') continue;
    const [, id] = key === '$ref' ? (/^#\/\$defs\/(.+)$/.exec(String(inner)) ?? []) : [];
    kept[key] = id ? pending(direction, id) : simplify(inner, direction);
  }
  return kept;
}
