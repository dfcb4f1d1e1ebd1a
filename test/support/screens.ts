import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

/** Every screen that the features declare, as addresses to open. */

interface Page {
  path: string | readonly string[];
  access: 'signed-in' | 'public' | 'signed-out';
  search?: z.ZodObject<z.ZodRawShape>;
}

export interface Screen {
  /** With tab, record or dialog: `/review?tab=runs`. */
  address: string;
  access: Page['access'];
}

/**
 * What to put for a parameter of a path (`/imports/$id id`) or a record in a query
 * (`/bin removal`): one or several, each with more of the query where the record shows only then
 * (`4&tab=history`).
 */
export type Samples = Record<string, (string | number)[]>;

/** Throws when there is no sample for a new parameter or record. */
export async function allScreens(samples: Samples): Promise<Screen[]> {
  const screens: Screen[] = [];
  for (const { path, access, search } of await declaredPages()) {
    const first = [path].flat()[0] ?? '';
    const [parameter] = /\$\w+/.exec(first) ?? [];
    const bare = parameter
      ? samplesOf(`${first} ${parameter.slice(1)}`).map((value) => first.replace(parameter, String(value)))
      : [first];
    const queries = search
      ? Object.entries(search.shape).flatMap(([name, field]) => queriesOf(name, field))
      : [];
    const addresses = [...bare, ...queries.map((query) => `${bare[0]}?${query}`)];
    screens.push(...addresses.map((address) => ({ address, access })));

    function queriesOf(name: string, field: unknown): string[] {
      const inner = field instanceof z.ZodCatch ? field.def.innerType : field;
      const isWord = ['tab', 'open', 'dialog'].includes(name);
      const words = wordsOf(inner).slice(inner instanceof z.ZodOptional ? 0 : 1);
      if (isWord && words.length > 0) return words.map((word) => `${name}=${word}`);
      return isRecord(inner) ? samplesOf(`${first} ${name}`).map((value) => `${name}=${value}`) : [];
    }
  }
  return screens;

  function samplesOf(of: string): (string | number)[] {
    const found = samples[of];
    if (found === undefined) throw new Error(`Say in the samples what stands for “${of}”.`);
    return found;
  }
}

/** The values that a field with a choice of words can have. */
function wordsOf(field: unknown): string[] {
  if (field instanceof z.ZodOptional) return wordsOf(field.def.innerType);
  if (field instanceof z.ZodEnum) return field.options.map(String);
  return field instanceof z.ZodLiteral ? field.def.values.map(String) : [];
}

/** An id: any whole number, and no page, because it may be absent. */
function isRecord(field: unknown): boolean {
  if (!(field instanceof z.ZodOptional)) return false;
  const { innerType } = field.def;
  return innerType instanceof z.ZodNumber && (innerType.maxValue ?? Number.POSITIVE_INFINITY) > 1e6;
}

/** The screens' modules are for the browser, so the compiler of the tests does not look at them. */
async function declaredPages(): Promise<Page[]> {
  const pages: Page[] = [];
  for (const file of globSync('src/features/*/web/index.ts').toSorted()) {
    const declared: Record<string, unknown> = await import(resolve(file));
    for (const one of Object.values(declared))
      if (typeof one === 'object' && one !== null && 'pages' in one) pages.push(...(one.pages as Page[]));
  }
  return pages;
}
