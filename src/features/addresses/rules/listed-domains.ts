import type { Idna } from './domain.ts';
import { profileDomain } from './domain-profile.ts';
import { britishOrganisations, domainFact, domainsWith } from './lists.ts';
import { globalProviders, ukProviders } from './providers.ts';
import { ukEndings } from './uk.ts';

/**
 * The lists behind `ukClass` and the kind of an address, for a test of many stored domains where
 * the rules themselves cannot run, as in a database. A domain has what is listed for it or for a
 * domain above it.
 */
export interface ListedDomains {
  ukEndings: readonly string[];
  likelyUk: readonly string[];
  global: readonly string[];
  disposable: readonly string[];
  government: readonly string[];
  nhs: readonly string[];
  police: readonly string[];
  academic: readonly string[];
  /** Mail providers. Those for work are not free. */
  provider: readonly string[];
  work: readonly string[];
  /** Addresses there belong to nobody, so they are no posts. */
  placeholder: readonly string[];
}

export const listedDomains = (idna: Idna): ListedDomains => ({
  ukEndings: [...ukEndings],
  likelyUk: [...ukProviders, ...britishOrganisations()],
  global: [...globalProviders],
  // Those that are common misspellings are slips.
  disposable: domainsWith(domainFact.disposable).filter((domain) => profileDomain(domain, idna).isDisposable),
  government: domainsWith(domainFact.government),
  nhs: domainsWith(domainFact.nhs),
  police: domainsWith(domainFact.police),
  academic: domainsWith(domainFact.academic),
  provider: domainsWith(domainFact.provider | domainFact.mailbox),
  work: domainsWith(domainFact.work),
  placeholder: domainsWith(domainFact.placeholder),
});
