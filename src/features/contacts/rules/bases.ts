import type { Basis } from '../contract.ts';

/** Marketing bases by the number that is stored. */
export const basesByCode: readonly Basis[] = [
  'unknown',
  'consent',
  'soft_opt_in',
  'corporate_subscriber',
  'none',
];
