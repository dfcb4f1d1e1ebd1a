import type { UkClass } from '../contract.ts';
import { type Idna, judgeDomain } from './domain.ts';
import { suggestSecondLevel, withoutStrayCom } from './ending.ts';
import { domainFact, factsOf, type PublicBody, publicBodyIn } from './lists.ts';
import { isFiller } from './local-profile.ts';
import { suggestProvider, typoTargetOf } from './typo.ts';
import { ukClass } from './uk.ts';

/** What is known about a domain without asking anybody. */
export interface DomainProfile {
  uk: UkClass;
  publicBody: PublicBody | null;
  isFree: boolean;
  isDisposable: boolean;
  isPlaceholder: boolean;
  /** Forwards mail for made-up names, which say nothing about the person. */
  isForwarder: boolean;
  isGmail: boolean;
  /** The domain that was probably meant. */
  suggestion: string | null;
  /** The first label: `acme` of `acme.co.uk`. */
  name: string;
  /** `name` is what people type to get past a form. */
  isFillerName: boolean;
}

/**
 * Second levels that other countries use for schools and ministries: `ac.nz`, `edu.au`, `gov.ie`.
 */
const secondLevels = new Map<string, PublicBody>([
  ['ac', 'academic'],
  ['edu', 'academic'],
  ['gov', 'government'],
]);

function publicBodyOf(domain: string, found: number): PublicBody | null {
  const listed = publicBodyIn(found);
  if (listed !== null) return listed;
  const last = domain.lastIndexOf('.');
  if (domain.length - last !== 3) return null;
  return secondLevels.get(domain.slice(domain.lastIndexOf('.', last - 1) + 1, last)) ?? null;
}

/** The profile of a domain (ASCII, lower case, as the parser gives it). */
export function profileDomain(domain: string, idna: Idna): DomainProfile {
  const found = factsOf(domain);
  const has = (fact: number): boolean => (found & fact) !== 0;
  const publicBody = publicBodyOf(domain, found);
  const isProvider = has(domainFact.provider | domainFact.mailbox);
  const isPlaceholder = has(domainFact.placeholder);
  const suggestion = isKnown(domain, found) ? null : suggestDomain(domain, idna);
  const dot = domain.indexOf('.');
  const name = dot > 0 ? domain.slice(0, dot) : '';
  return {
    uk: ukClass(domain),
    publicBody,
    isFree: isProvider && publicBody === null && !has(domainFact.work),
    // Lists of throwaway domains also contain common misspellings. Whoever wrote gmial.com did not
    // mean a throwaway mailbox.
    isDisposable: suggestion === null && has(domainFact.disposable),
    isPlaceholder,
    isForwarder: has(domainFact.forwarder),
    isGmail: domain === 'gmail.com' || domain === 'googlemail.com',
    suggestion,
    name,
    isFillerName: isFiller(name),
  };
}

/**
 * The domain (ASCII, lower case) that was probably meant; null when this one is as good as any. The
 * suggestion of `profileDomain`. A million domains are asked about in an import and next to none
 * resembles another, so the lists come last.
 */
export function meantDomain(domain: string, idna: Idna): string | null {
  const meant = suggestDomain(domain, idna);
  return meant === null || isKnown(domain, factsOf(domain)) ? null : meant;
}

/** Whether the lists know a domain as real, so that it is no slip for another. */
function isKnown(domain: string, found: number): boolean {
  if (domain.startsWith('www.') || domain.endsWith('.uk.com')) return false;
  return (found & realFacts) !== 0 || publicBodyOf(domain, found) !== null;
}

const realFacts =
  domainFact.provider |
  domainFact.mailbox |
  domainFact.placeholder |
  domainFact.neighbour |
  domainFact.organisation;

/** Below uk.com there are real firms, so only what nobody else would have is a slip. */
function suggestForUkCom(domain: string): string | null {
  const british = withoutStrayCom(domain);
  if (british !== null) return british;
  const meant = `${domain.slice(0, -'.uk.com'.length)}.co.uk`;
  return typoTargetOf(meant)?.isExact === false ? meant : null;
}

function suggestDomain(domain: string, idna: Idna): string | null {
  if (domain.startsWith('www.')) {
    const bare = domain.slice(4);
    return judgeDomain(bare, true, idna).ok ? (profileDomain(bare, idna).suggestion ?? bare) : null;
  }
  if (domain.endsWith('.uk.com')) return suggestForUkCom(domain);
  return suggestProvider(domain) ?? suggestSecondLevel(domain);
}
