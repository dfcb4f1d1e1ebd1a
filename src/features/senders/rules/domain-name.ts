import { getDomain } from 'tldts';

/**
 * The domain that was registered, above which DMARC does not look (RFC 7489, section 3.2): of
 * `news.acme.co.uk`, `acme.co.uk`.
 */
export const organisationalDomain = (domain: string): string =>
  getDomain(domain, { allowPrivateDomains: true }) ?? domain;

/** Whether two domains belong together in the relaxed sense of DMARC (section 3.1). */
export const belongsWith = (one: string, other: string): boolean =>
  organisationalDomain(one) === organisationalDomain(other);

/** The domain and those above it, down to the organisational domain. */
export function upToOrganisation(domain: string): string[] {
  const last = organisationalDomain(domain);
  const names = [domain];
  for (let name = domain; name !== last && name.includes('.'); ) {
    name = name.slice(name.indexOf('.') + 1);
    names.push(name);
  }
  return names;
}
