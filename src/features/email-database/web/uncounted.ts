interface Figures {
  totalEmails: number;
  invalidEmails: number;
  duplicateEmails: number;
  suppressedEmails: number;
}

/**
 * How many contacts the UK view does not count: those that are invalid or further copies. Some of
 * them may be among the suppressed. Undefined when the two sets of figures were taken at different
 * times and do not match.
 */
export function uncountedContacts(stats: Figures, counted: number): number | undefined {
  const uncounted = stats.totalEmails - counted;
  const least = stats.invalidEmails + stats.duplicateEmails;
  return uncounted < least || uncounted > least + stats.suppressedEmails ? undefined : uncounted;
}
