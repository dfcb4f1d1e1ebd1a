/** Why somebody was not let in or connected; the page says it in words. */
export const providerFailures = [
  'cancelled',
  'unreachable',
  'refused',
  'expired',
  'too_many',
  'no_address',
  'unproven_address',
  'unconfirmed_account',
  'two_factor_account',
  'other_identity',
  'taken_identity',
  'uninvited',
  'suspended',
] as const;
export type ProviderFailure = (typeof providerFailures)[number];

/** How long after signing in through the provider its word stands in for a password. */
export const freshMinutes = 10;
