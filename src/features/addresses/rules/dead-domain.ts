const deadWords = {
  no_such_domain: 'The domain does not exist',
  no_mail: 'The domain has no mail server',
  null_mx: 'The domain says that it takes no mail',
};

/** What the domain name system says of a domain that no mail can be sent to. */
export type DeadDomain = keyof typeof deadWords;

/**
 * The reason, when an answer about a domain's mail means that nobody there can be mailed. No answer
 * never means that.
 */
export function deadBy(state: string): DeadDomain | null {
  return state in deadWords ? (state as DeadDomain) : null;
}

/** Of a row or an address whose domain no mail can be sent to. */
export const describeDeadDomain = (reason: string): string =>
  deadWords[reason as DeadDomain] ?? 'The domain takes no mail';
