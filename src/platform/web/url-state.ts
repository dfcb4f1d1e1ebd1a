import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { z } from 'zod';

/**
 * The address bar holds the state of a screen: page, search, filters, tab and open record are in
 * the query string. In a screen's schema every field has a fallback, so any address opens.
 */
export type UrlSchema = z.ZodObject<z.ZodRawShape>;

/** Page number, starting at 1. */
export const pageField = z.coerce.number().int().min(1).catch(1);
/** Free text, such as a search. Empty when absent. */
export const textField = z.string().max(500).catch('');
/** The id of an open record. Undefined when absent or not a number. */
export const idField = z.coerce.number().int().positive().optional().catch(undefined);
/** A number within bounds. Undefined when absent, empty or no number: `Number('')` would be 0. */
export const numberField = (least: number, most: number) =>
  z
    .union([z.number(), z.string().regex(/\S/)])
    .transform(Number)
    .pipe(z.number().int().min(least).max(most))
    .optional()
    .catch(undefined);
/** One of the given words, otherwise the first. */
export const choiceField = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words).catch(words[0] as z.output<z.ZodEnum<{ [W in T[number]]: W }>>);
/** Any of the given words, each at most once: one chip per value. */
export const choicesField = <const T extends readonly [string, ...string[]]>(words: T) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) =>
      [...new Set([value].flat())].filter((word): word is T[number] => words.includes(word)),
    )
    .catch([]);

/** The state in a query string, with the fallback for anything missing or wrong. */
export const readUrlState = <S extends UrlSchema>(schema: S, raw: Record<string, unknown>): z.output<S> =>
  schema.parse(raw);

/**
 * A state as a query. It holds only what differs from the fallback, so that a plain screen has a
 * plain address.
 */
export function writeUrlState<S extends UrlSchema>(schema: S, state: z.output<S>): Record<string, unknown> {
  const fallback = schema.parse({}) as Record<string, unknown>;
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(state as Record<string, unknown>)) {
    if (value === undefined || JSON.stringify(value) === JSON.stringify(fallback[name])) continue;
    kept[name] = value;
  }
  return kept;
}

/** A query string as plain words: `?search=0123` stays text, a repeated name becomes a list. */
export function parseQuery(text: string): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  const search = new URLSearchParams(text);
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name);
    query[name] = values.length > 1 ? values : values[0];
  }
  return query;
}

/** The opposite of `parseQuery`. Begins with `?` unless empty. */
export function stringifyQuery(query: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

export interface UrlStateOptions {
  /**
   * Replaces the current entry of the history, for example while typing. Going back then skips it.
   */
  replace?: boolean;
}

/**
 * The current screen's state and a function that changes parts of it. Each change adds a step to
 * the history unless `replace` is set.
 */
export function useUrlState<S extends UrlSchema>(
  schema: S,
): [z.output<S>, (change: Partial<z.output<S>>, options?: UrlStateOptions) => void] {
  const raw = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const state = readUrlState(schema, raw);
  const change = useCallback(
    (patch: Partial<z.output<S>>, { replace = false }: UrlStateOptions = {}) => {
      void navigate({
        to: '.',
        replace,
        resetScroll: false,
        search: (previous: Record<string, unknown>) =>
          writeUrlState(schema, { ...readUrlState(schema, previous), ...patch }),
      });
    },
    [navigate, schema],
  );
  return [state, change];
}
