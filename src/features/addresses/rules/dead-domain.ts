const deadWords = {
  no_such_domain: 'The domain does not exist',
  no_mail: 'The domain has no mail server',
  null_mx: 'The domain says that it takes no mail',
};

/** What the domain name system says about a domain that cannot receive mail. */
export type DeadDomain = keyof typeof deadWords;

/**
 * The reason, when an answer about a domain's mail means that nobody there can be mailed. No answer
 * is never such a reason.
 */
export function deadBy(state: string): DeadDomain | null {
  return state in deadWords ? (state as DeadDomain) : null;
}

/** For a row or an address whose domain cannot receive mail. */
export const describeDeadDomain = (reason: string): string =>
  deadWords[reason as DeadDomain] ?? 'The domain takes no mail';
