import { type PublicKey, type Selector, selectors } from './facts.ts';

/** After another key has taken over, mail on its way can still be checked for so long. */
export const keptDays = 7;

/** Newest first. */
const byAge = <K extends PublicKey>(keys: readonly K[]): K[] =>
  [...keys].sort((one, other) => other.madeAt.getTime() - one.madeAt.getTime());

/**
 * The key that signs: the newest one whose record has been seen, or the first key of a domain. A
 * signature whose record is missing does no harm: receivers treat it as absent.
 */
export function signingKey<K extends PublicKey>(keys: readonly K[]): K | undefined {
  const sorted = byAge(keys.filter(({ retiredAt }) => retiredAt === null));
  return sorted.find(({ seenAt }) => seenAt !== null) ?? sorted.at(-1);
}

/** The key that waits for its record to be seen before it takes over. */
export function waitingKey<K extends PublicKey>(keys: readonly K[]): K | undefined {
  const signing = signingKey(keys);
  return keys.find((key) => key !== signing && key.retiredAt === null);
}

/** The selector that is free for a new key. */
export const freeSelector = (keys: readonly PublicKey[]): Selector | undefined =>
  selectors.find((selector) => keys.every((key) => key.selector !== selector));

/** When a retired key goes. */
export const keptUntil = (retiredAt: Date): Date => new Date(retiredAt.getTime() + keptDays * 86_400_000);
