/** Why somebody was not let in or connected. The page has the wording. */
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

/** For this long after signing in through the provider, nobody has to confirm with a password. */
export const freshMinutes = 10;
