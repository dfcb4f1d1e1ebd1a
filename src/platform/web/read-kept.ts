import type { z } from 'zod';

/** What a schema says of how much there may be, and of how words are written. */
const limits: readonly string[] = ['too_big', 'too_small', 'invalid_format', 'not_multiple_of', 'custom'];

/**
 * Reads what this browser has kept of a draft. It need not be within the limits of its schema: the
 * server may have refused it for that. Null: it has another shape, so an older or a newer program
 * wrote it.
 */
export function readKept<S extends z.ZodType>(schema: S, kept: unknown): z.output<S> | null {
  const { data, error } = schema.safeParse(kept);
  if (!error) return data;
  return error.issues.every(({ code }) => limits.includes(code)) ? (kept as z.output<S>) : null;
}
