import type { UkClass } from '../contract.ts';
import { type Idna, judgeDomain } from './domain.ts';
import {
  disposableDomains,
  isListed,
  mailboxDomains,
  neighbourDomains,
  type PublicBody,
  placeholderDomains,
  publicBodies,
  workDomains,
} from './lists.ts';
import { globalProviders, ukProviders } from './providers.ts';
import { suggestProvider } from './typo.ts';
import { ukClass } from './uk.ts';

/** What is known of a domain without asking anybody. */
export interface DomainProfile {
  uk: UkClass;
  publicBody: PublicBody | null;
  isFree: boolean;
  isDisposable: boolean;
  isPlaceholder: boolean;
  /** The domain that was probably meant. */
  suggestion: string | null;
  /** The part before the public suffix, as long as nothing stands before it: `acme` of `acme.co.uk`; else ''. */
  name: string;
}

/** Second levels by which other countries mark schools and ministries: `ac.nz`, `edu.au`, `gov.ie`. */
const secondLevels = new Map<string, PublicBody>([
  ['ac', 'academic'],
  ['edu', 'academic'],
  ['gov', 'government'],
]);

function publicBodyOf(domain: string): PublicBody | null {
  const bodies = publicBodies();
  for (let start = 0; start >= 0; start = domain.indexOf('.', start) + 1 || -1) {
    const found = bodies.get(start === 0 ? domain : domain.slice(start));
    if (found !== undefined) return found;
  }
  const labels = domain.split('.');
  if (labels.length < 2 || labels.at(-1)?.length !== 2) return null;
  return secondLevels.get(labels.at(-2) as string) ?? null;
}

/** Profile of a domain (ASCII, lower case, as the parser gives it). */
export function profileDomain(domain: string, idna: Idna): DomainProfile {
  const publicBody = publicBodyOf(domain);
  const isProvider =
    isListed(ukProviders, domain) || isListed(globalProviders, domain) || isListed(mailboxDomains(), domain);
  const isPlaceholder = isListed(placeholderDomains(), domain);
  const isKnown = publicBody !== null || isProvider || isPlaceholder || neighbourDomains().has(domain);
  const suggestion = isKnown ? null : suggestDomain(domain, idna);
  const dot = domain.indexOf('.');
  return {
    uk: ukClass(domain),
    publicBody,
    isFree: isProvider && publicBody === null && !isListed(workDomains(), domain),
    // Lists of throwaway domains also hold caught misspellings; whoever wrote gmial.com meant no throwaway mailbox.
    isDisposable: suggestion === null && isListed(disposableDomains(), domain),
    isPlaceholder,
    suggestion,
    name: dot > 0 ? domain.slice(0, dot) : '',
  };
}

function suggestDomain(domain: string, idna: Idna): string | null {
  if (domain.startsWith('www.')) {
    const bare = domain.slice(4);
    return judgeDomain(bare, true, idna).ok ? (profileDomain(bare, idna).suggestion ?? bare) : null;
  }
  return suggestProvider(domain);
}
