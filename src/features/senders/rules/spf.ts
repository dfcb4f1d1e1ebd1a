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

/** Whether an SPF record has this part: `include:spf.example.net`. */
export const hasSpfPart = (record: string, part: string): boolean =>
  record
    .toLowerCase()
    .split(/ +/)
    .some((one) => one.replace(/^\+/, '') === part);

/** The record with the parts that it lacks before its end, or a new one. */
export function withSpfParts(record: string | null, wanted: readonly string[]): string {
  if (record === null) return ['v=spf1', ...(wanted.length > 0 ? wanted : ['mx']), '~all'].join(' ');
  const missing = wanted.filter((part) => !hasSpfPart(record, part));
  if (missing.length === 0) return record;
  const parts = record.trim().split(/ +/);
  const end = parts.findIndex((one) => /^(?:[+~?-]?all|redirect=.*)$/i.test(one));
  parts.splice(end === -1 ? parts.length : end, 0, ...missing);
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

/** What lets these servers send in SPF, each part once. Servers without a public name have none. */
export const spfPartsOf = (smtpHosts: readonly string[]): string[] => [
  ...new Set(smtpHosts.map(spfPartOf).filter((part) => part !== null)),
];

function spfPartOf(smtpHost: string): string | null {
  const host = smtpHost.toLowerCase();
  const known = Object.keys(providers).find((end) => host === end || host.endsWith(`.${end}`));
  if (known) return providers[known] ?? null;
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host))
    return /^(?:127|10|192\.168)\./.test(host) ? null : `ip4:${host}`;
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(host) ? `a:${host}` : null;
}
