import { narrowestPolicy, type WiderPolicy } from '#features/addresses/rules.ts';

/** What an import chose for itself: a UK policy of its own, or no non-UK filter at all. */
export type OwnChoice = WiderPolicy | 'off';

/**
 * The narrowest choice of an import that keeps the domain. Every domain is kept without the filter.
 */
export const narrowestChoice = (domain: string): OwnChoice => narrowestPolicy(domain) ?? 'off';

/** The choices that keep a domain for which this is the narrowest that does. */
export const keeping: Record<OwnChoice, readonly OwnChoice[]> = {
  likely: ['likely', 'any_but_foreign_cctld', 'off'],
  any_but_foreign_cctld: ['any_but_foreign_cctld', 'off'],
  off: ['off'],
};
