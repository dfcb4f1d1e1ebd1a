import type { Dns, DnsAnswer } from '#platform/server/dns.ts';
import { storableText } from '#platform/server/storable-text.ts';
import { organisationalDomain } from '../rules/domain-name.ts';
import type { DnsFacts, Said, Selector } from '../rules/facts.ts';
import { dkimHost, ownLinkBase, ownsReturnPath, type Place, trackingHost } from '../rules/records.ts';
import { isSpf } from '../rules/spf.ts';
import { isDmarc } from '../rules/tags.ts';
import { spfCostOf } from './spf-cost.ts';
import { tryLinks } from './try-links.ts';

/** Nobody writes more records with one name. What is beyond is somebody's joke. */
const mostValues = 20;
const longestValue = 2000;

const saidOf = <T>({ state, values }: DnsAnswer<T>, write: (value: T) => string): Said => ({
  state: state === 'no_name' ? 'none' : state,
  values: values.slice(0, mostValues).map((value) => storableText(write(value).slice(0, longestValue))),
});
const plain = (value: string): string => value;
const host = (value: string): string => value.toLowerCase().replace(/\.$/, '');

/** Those of the records that a test picks. */
function only(said: Said, test: (value: string) => boolean): Said {
  const values = said.values.filter(test);
  return said.state === 'found' && values.length === 0 ? { state: 'none', values } : { ...said, values };
}

/**
 * Reads all that DNS says about a sender domain, and tries its host for links when that leads here.
 * Never throws.
 */
export async function readDns(
  dns: Dns,
  domain: string,
  selectors: readonly Selector[],
  place: Place,
): Promise<DnsFacts> {
  const text = async (name: string) => saidOf(await dns.txt(name), plain);
  const mailHosts = async (name: string) =>
    saidOf(await dns.mx(name), ({ priority, exchange }) => `${priority} ${host(exchange)}`);
  const { publicHost, bounceDomain } = place;
  const returns = bounceDomain !== null && ownsReturnPath(domain, place) ? bounceDomain : null;
  const [dkim, sender, dmarc, mx, tracking, returnPath] = await Promise.all([
    Promise.all(selectors.map(async (one) => [one, await text(dkimHost(one, domain))] as const)),
    readSpf(dns, domain),
    readDmarc(text, domain),
    mailHosts(domain),
    publicHost === null ? null : dns.cname(trackingHost(domain)).then((answer) => saidOf(answer, host)),
    returns === null ? null : mailHosts(returns),
  ]);
  const facts = { dkim: Object.fromEntries(dkim), ...sender, ...dmarc, mx, tracking, returnPath };
  const leadsHere = publicHost !== null && tracking?.values.includes(publicHost);
  return leadsHere ? { ...facts, linkProblem: await tryLinks(ownLinkBase(domain, place)) } : facts;
}

/** The SPF records and, where there is one, what it takes to evaluate it. */
async function readSpf(dns: Dns, domain: string): Promise<Pick<DnsFacts, 'spf' | 'spfCost'>> {
  const spf = only(saidOf(await dns.txt(domain), plain), isSpf);
  const [record] = spf.values;
  const isOne = record !== undefined && spf.values.length === 1;
  return { spf, spfCost: isOne ? await spfCostOf(dns, domain, record) : null };
}

/** The record of the domain or, without any, that of the organisational domain (section 6.6.3). */
async function readDmarc(
  text: (name: string) => Promise<Said>,
  domain: string,
): Promise<Pick<DnsFacts, 'dmarc' | 'dmarcDomain'>> {
  const dmarc = only(await text(`_dmarc.${domain}`), isDmarc);
  const above = organisationalDomain(domain);
  if (dmarc.state !== 'none' || above === domain) return { dmarc, dmarcDomain: domain };
  return { dmarc: only(await text(`_dmarc.${above}`), isDmarc), dmarcDomain: above };
}
