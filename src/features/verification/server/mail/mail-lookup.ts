import { domainAndParents, isPublicSuffix } from '#features/addresses/rules/domain.ts';
import type { DomainEvidence } from '#features/addresses/rules.ts';
import { createDns, type DnsOptions } from '#platform/server/dns.ts';

/** What the DNS says now about a domain's mail. */
export interface MailAnswer extends Pick<DomainEvidence, 'state' | 'via'> {
  /** The organisation whose servers take the mail: `google.com`. Absent: there is no MX record. */
  provider?: string;
}

export interface MailLookup {
  /** Never throws: a failed lookup is `unknown`. The domain is ASCII and lower case. */
  ask(domain: string): Promise<MailAnswer>;
  /** Abandons all open questions. */
  close(): void;
}

/**
 * Where mail for a domain goes, by RFC 5321 section 5.1: to its MX records or, without any, to the
 * domain's own address. A single MX record with an empty name means that it takes none (RFC 7505).
 * That takes three questions at most.
 */
export function createMailLookup(options: DnsOptions): MailLookup {
  const dns = createDns(options);
  const byAddress = async (domain: string): Promise<MailAnswer> => {
    const four = await dns.a(domain);
    if (four.state === 'found') return { state: 'mail', via: 'address' };
    const six = await dns.aaaa(domain);
    if (six.state === 'found') return { state: 'mail', via: 'address' };
    const isUnknown = four.state === 'unknown' || six.state === 'unknown';
    return { state: isUnknown ? 'unknown' : 'no_mail', via: null };
  };
  return {
    async ask(domain) {
      const { state, values } = await dns.mx(domain);
      if (state === 'no_name') return { state: 'no_such_domain', via: null };
      if (state === 'unknown') return { state: 'unknown', via: null };
      if (state === 'none') return byAddress(domain);
      const [first] = values
        .filter(({ exchange }) => exchange !== '' && exchange !== '.')
        .sort((one, other) => one.priority - other.priority);
      if (!first) return { state: 'null_mx', via: null };
      return { state: 'mail', via: 'mx', provider: organisationOf(first.exchange) };
    },
    close: () => dns.close(),
  };
}

/** The organisation that a host belongs to: the domain below a public suffix. */
function organisationOf(host: string): string {
  const name = host.toLowerCase().replace(/\.$/, '');
  return domainAndParents(name).findLast((domain) => !isPublicSuffix(domain)) ?? name;
}
