import type { NavEntry } from '#platform/web/feature.ts';

/** Whether an entry stands for this path: its own, one below it, or an alternative one. */
export function isCurrent({ to, also = [] }: Pick<NavEntry, 'to' | 'also'>, path: string): boolean {
  return [to, ...also].some((one) => path === one || (one !== '/' && path.startsWith(`${one}/`)));
}
