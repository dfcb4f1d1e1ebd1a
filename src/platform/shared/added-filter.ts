import type { z } from 'zod';

/** A filter of contacts that a feature adds to every call that takes the filter. */
export interface AddedFilter {
  /** Checks its value. In a query string, every value is text. An absent one is accepted. */
  schema: z.ZodType;
  /** The key of the condition it stands for. */
  condition: string;
  /** Absent: its value is the condition's. Otherwise, one end of it: `{from: 7}`. */
  end?: 'from' | 'to';
}

/** By their names in the query string. */
export type AddedFilters = Readonly<Record<string, AddedFilter>>;
