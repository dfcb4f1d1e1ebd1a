/**
 * Which addresses reach the same mailbox, by the providers' published rules. Use it to find people
 * who are in the list twice, never to decide that two contacts are one (the identity key does
 * that).
 */

interface MailboxRule {
  /** The domain under which the provider keeps the mailbox. */
  domain: string;
  /** Characters that the provider ignores. */
  ignored: RegExp | null;
}

const google: MailboxRule = { domain: 'gmail.com', ignored: /\./g };
const apple: MailboxRule = { domain: 'icloud.com', ignored: null };
const proton: MailboxRule = { domain: 'proton.me', ignored: /[._-]/g };

const mailboxRules = new Map<string, MailboxRule>([
  ['gmail.com', google],
  ['googlemail.com', google],
  ['icloud.com', apple],
  ['me.com', apple],
  ['mac.com', apple],
  ['proton.me', proton],
  ['protonmail.com', proton],
  ['protonmail.ch', proton],
  ['pm.me', proton],
]);

/** Fastmail delivers `anything@jo.fastmail.com` to `jo@fastmail.com`. */
const subdomainHosts = ['fastmail.com', 'fastmail.fm', 'fastmail.co.uk'];

/**
 * The key of a mailbox, from `local` and `domain` as the parser gives them. Always drops the text
 * after a plus sign. Also evens out Google's dots, Proton's separators and the providers' other
 * names.
 */
export function mailboxKey(local: string, domain: string): string {
  for (const host of subdomainHosts) {
    if (domain.length > host.length && domain.endsWith(`.${host}`)) {
      const name = domain.slice(0, -host.length - 1);
      if (!name.includes('.')) return `${name}@${host}`;
    }
  }
  const rule = mailboxRules.get(domain);
  const plus = local.indexOf('+');
  // A local part that starts with a plus sign or is quoted has no tag.
  let name = plus > 0 && local.charCodeAt(0) !== 34 ? local.slice(0, plus) : local;
  if (rule?.ignored) name = name.replace(rule.ignored, '') || name;
  return `${name}@${rule?.domain ?? domain}`;
}
