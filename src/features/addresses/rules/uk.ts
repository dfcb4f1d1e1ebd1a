import { defaultAllowedDomains, type UkClass, type UkPolicy } from '../contract.ts';
import { coversDomain } from './domain.ts';
import { britishOrganisations } from './lists.ts';
import { globalProviders, internationalCountryEndings, ukProviders } from './providers.ts';

const countryEndings = new Set(['uk', 'gb']);
/** The class `uk`, wherever it is asked for: here, in the filter of imports, and in Clean. */
export const ukEndings: ReadonlySet<string> = new Set([
  ...countryEndings,
  'scot',
  'wales',
  'cymru',
  'london',
]);

const endingOf = (domain: string): string => domain.slice(domain.lastIndexOf('.') + 1);

/**
 * What a domain (ASCII, lower case) says about its owner's country. Subdomains count like their
 * parent.
 */
export function ukClass(domain: string): UkClass {
  if (ukEndings.has(endingOf(domain))) return 'uk';
  if (isListed(ukProviders, domain) || isListed(britishOrganisations(), domain)) return 'likely_uk';
  if (isListed(globalProviders, domain)) return 'global';
  return 'not_uk';
}

function isListed(list: ReadonlySet<string>, domain: string): boolean {
  if (list.has(domain)) return true;
  for (let dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1)) {
    if (list.has(domain.slice(dot + 1))) return true;
  }
  return false;
}

function isForeignEnding(ending: string): boolean {
  if (ending.length === 2) return !countryEndings.has(ending);
  return ending.startsWith('xn--') && internationalCountryEndings.has(ending);
}

export interface UkFilterOptions {
  /** With or without a leading dot, in any case. An empty list allows nothing. */
  allowedDomains?: readonly string[];
  ukPolicy?: UkPolicy;
  /** Only needed for allowed endings beyond ASCII. */
  toAscii?: (domain: string) => string;
}

/** Domains that the filter remembers before it starts afresh: two generations of this many. */
const remembered = 2 ** 17;

/**
 * Returns a function that says whether the import keeps a domain (ASCII, lower case, as the parser
 * gives it). Endings match at a dot: `.uk` does not match `notuk`. Whoever allows `.uk` allows the
 * whole class `uk`: `gov.scot` is as British as `gov.uk`.
 */
export function createUkFilter(options: UkFilterOptions = {}): (domain: string) => boolean {
  const endings = normaliseEndings(options.allowedDomains ?? defaultAllowedDomains, options.toAscii);
  const policy = options.ukPolicy ?? 'suffix';
  const allowsUk = endings.includes('uk');
  const decide = (domain: string): boolean =>
    endings.some((ending) => coversDomain(ending, domain)) ||
    (allowsUk && ukEndings.has(endingOf(domain))) ||
    keptByPolicy(domain, policy);
  // With few endings and no list look-ups, deciding costs less than remembering.
  if (policy === 'suffix' && endings.length <= 4) return decide;
  let young = new Map<string, boolean>();
  let old = new Map<string, boolean>();
  return (domain) => {
    let keep = young.get(domain);
    if (keep !== undefined) return keep;
    keep = old.get(domain) ?? decide(domain);
    if (young.size >= remembered) {
      old = young;
      young = new Map();
    }
    young.set(domain, keep);
    return keep;
  };
}

/** The policies that keep domains beyond the allowed endings. */
export type WiderPolicy = Exclude<UkPolicy, 'suffix'>;

/**
 * The narrowest policy that keeps a domain (ASCII, lower case), whatever endings are allowed; a
 * wider one keeps it too. Null when no policy does.
 */
export function narrowestPolicy(domain: string): WiderPolicy | null {
  const found = ukClass(domain);
  if (found === 'uk' || found === 'likely_uk') return 'likely';
  return isForeignEnding(endingOf(domain)) ? null : 'any_but_foreign_cctld';
}

function keptByPolicy(domain: string, policy: UkPolicy): boolean {
  if (policy === 'suffix') return false;
  const narrowest = narrowestPolicy(domain);
  return narrowest === policy || narrowest === 'likely';
}

/**
 * Lower case, without leading dots, without repeats, and without endings that a shorter one covers.
 */
function normaliseEndings(entries: readonly string[], toAscii?: (domain: string) => string): string[] {
  const given = new Set<string>();
  for (const entry of entries) {
    const name = entry
      .trim()
      .toLowerCase()
      .replace(/^\*?\.+/, '')
      .replace(/\.$/, '');
    const ascii = toAscii && /[^\x00-\x7f]/.test(name) ? toAscii(name) : name;
    if (ascii !== '') given.add(ascii);
  }
  const all = [...given];
  return all.filter((name) => !all.some((other) => other !== name && coversDomain(other, name)));
}
