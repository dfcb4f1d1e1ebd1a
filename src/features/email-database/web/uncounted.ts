interface Figures {
  totalEmails: number;
  invalidEmails: number;
  duplicateEmails: number;
  suppressedEmails: number;
}

/**
 * How many contacts the UK view leaves uncounted: those that are invalid or further copies. Some of
 * them may stand among the suppressed. Undefined where the two sets of figures were taken at
 * different times and do not fit together.
 */
export function uncountedContacts(stats: Figures, counted: number): number | undefined {
  const uncounted = stats.totalEmails - counted;
  const least = stats.invalidEmails + stats.duplicateEmails;
  return uncounted < least || uncounted > least + stats.suppressedEmails ? undefined : uncounted;
}
