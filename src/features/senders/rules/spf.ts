/** At most so many questions may follow from an SPF record (RFC 7208, section 4.6.4). */
export const mostLookups = 10;

export interface SpfTerm {
  qualifier: '+' | '-' | '~' | '?';
  /** `include`, `ip4`, `all`, or the modifier `redirect`. */
  name: string;
  /** What follows it: a domain or an address. Empty when absent. */
  value: string;
}

/** Whether a TXT record is meant as an SPF record (section 4.5). */
export const isSpf = (record: string): boolean => /^v=spf1(?: |$)/i.test(record);

/** The parts of an SPF record after its version. Null for a part that is none. */
export function spfTerms(record: string): (SpfTerm | null)[] {
  return record
    .trim()
    .split(/ +/)
    .slice(1)
    .map((part) => {
      const modifier = /^([a-z][a-z0-9._-]*)=(.*)$/i.exec(part);
      if (modifier)
        return { qualifier: '+', name: (modifier[1] ?? '').toLowerCase(), value: modifier[2] ?? '' };
      const found = /^([+~?-]?)(all|include|a|mx|ptr|ip4|ip6|exists)(?::([^ ]+))?(\/[0-9/]+)?$/i.exec(part);
      if (!found) return null;
      return {
        qualifier: (found[1] || '+') as SpfTerm['qualifier'],
        name: (found[2] ?? '').toLowerCase(),
        value: found[3] ?? '',
      };
    });
}

/** Whether a receiver asks name servers because of this part. */
export const takesLookup = ({ name }: SpfTerm): boolean =>
  ['include', 'a', 'mx', 'ptr', 'exists', 'redirect'].includes(name);

/** Whether the record lets every server in the world send. */
export const letsEveryoneSend = (record: string): boolean =>
  spfTerms(record).some((term) => term?.name === 'all' && term.qualifier === '+');

/**
 * The record with one more part before its end, or a new one. `part`: `include:spf.example.net`.
 */
export function withSpfPart(record: string | null, part: string | null): string {
  if (record === null) return ['v=spf1', part ?? 'mx', '~all'].join(' ');
  const parts = record.trim().split(/ +/);
  if (part === null || parts.some((one) => one.replace(/^\+/, '').toLowerCase() === part)) return record;
  const end = parts.findIndex((one) => /^(?:[+~?-]?all|redirect=.*)$/i.test(one));
  parts.splice(end === -1 ? parts.length : end, 0, part);
  return parts.join(' ');
}

/** What large providers ask their customers to put into SPF, by the end of their SMTP host. */
const providers: Record<string, string> = {
  'amazonaws.com': 'include:amazonses.com',
  'sendgrid.net': 'include:sendgrid.net',
  'mailgun.org': 'include:mailgun.org',
  'postmarkapp.com': 'include:spf.mtasv.net',
  'brevo.com': 'include:spf.brevo.com',
  'sendinblue.com': 'include:spf.brevo.com',
  'gmail.com': 'include:_spf.google.com',
  'google.com': 'include:_spf.google.com',
  'office365.com': 'include:spf.protection.outlook.com',
  'outlook.com': 'include:spf.protection.outlook.com',
};

/** What lets a server send in SPF. Null for a server that has no public name. */
export function spfPartOf(smtpHost: string | null): string | null {
  const host = smtpHost?.toLowerCase() ?? '';
  const known = Object.keys(providers).find((end) => host === end || host.endsWith(`.${end}`));
  if (known) return providers[known] ?? null;
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host))
    return /^(?:127|10|192\.168)\./.test(host) ? null : `ip4:${host}`;
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(host) ? `a:${host}` : null;
}
