import type { Figures } from '#platform/server/feature.ts';

/** The counts of one figure, one from each feature that counts it. */
export const counts = <F extends keyof Figures>(figures: readonly Figures[], name: F) =>
  figures.flatMap((one) => one[name] ?? []) as NonNullable<Figures[F]>[];

export const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
