import type { BounceKind } from '../kinds.ts';

/**
 * A kind, and what servers write when they mean it. A phrase reads the whole reply in lower case,
 * with addresses replaced by `@`: `550 5.1.1 <@>: user unknown`. In a table, the first row with a
 * phrase that fits decides: `550 sender rejected: no such user` is about the sender.
 *
 * No phrase repeats a repetition without a limit, so none takes long over a hostile text.
 */
export type Phrases = readonly [BounceKind, readonly RegExp[]];

export const firstOf = (table: readonly Phrases[], words: string): BounceKind | undefined =>
  table.find(([, phrases]) => phrases.some((phrase) => phrase.test(words)))?.[0];
