import * as data from './list-data.ts';
import { globalProviders, ukProviders } from './providers.ts';

/**
 * Makes a value when it is first needed, so that importing one rule does not cost every list. The
 * mark tells the bundler that it may leave unused lists out of a page.
 */
/* @__NO_SIDE_EFFECTS__ */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const words = (text: string): string[] => text.split('\n').filter((word) => word !== '');
const asSet = /* @__NO_SIDE_EFFECTS__ */ (text: string) =>
  once((): ReadonlySet<string> => new Set(words(text)));

export const generalRoles = asSet(data.generalRoles);
export const technicalRoles = asSet(data.technicalRoles);
export const roleWords = asSet(data.roleWords);
export const placeholderLocals = asSet(data.placeholderLocals);
export const fillers = asSet(data.fillers);
export const disposableDomains = asSet(data.disposableDomains);
export const britishOrganisations = asSet(data.britishOrganisations);

/**
 * What the lists say about a domain, as bits of one number, so that each of its parents needs one
 * look-up.
 */
export const domainFact = {
  mailbox: 1,
  provider: 2,
  work: 4,
  disposable: 8,
  placeholder: 16,
  forwarder: 32,
  government: 64,
  nhs: 128,
  police: 256,
  academic: 512,
  /** Applies to the domain itself, not to the domains below it. */
  neighbour: 1024,
  organisation: 2048,
} as const;

const bodies = ['government', 'nhs', 'police', 'academic'] as const;
export type PublicBody = (typeof bodies)[number];

const facts = once((): ReadonlyMap<string, number> => {
  const all = new Map<string, number>();
  const mark = (domains: Iterable<string>, fact: number) => {
    for (const domain of domains) all.set(domain, (all.get(domain) ?? 0) | fact);
  };
  mark(words(data.mailboxDomains), domainFact.mailbox);
  mark(ukProviders, domainFact.provider);
  mark(globalProviders, domainFact.provider);
  mark(britishOrganisations(), domainFact.organisation);
  mark(words(data.workDomains), domainFact.work);
  mark(disposableDomains(), domainFact.disposable);
  mark(words(data.placeholderDomains), domainFact.placeholder);
  mark(words(data.forwarders), domainFact.forwarder);
  mark(words(data.neighbourDomains), domainFact.neighbour);
  for (const line of words(data.publicBodies)) {
    const [kind = '', domain = ''] = line.split(' ');
    mark([domain], domainFact[kind as PublicBody]);
  }
  return all;
});

/** The facts of a domain and of its parents together. */
export function factsOf(domain: string): number {
  const all = facts();
  let found = all.get(domain) ?? 0;
  for (let dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1)) {
    found |= (all.get(domain.slice(dot + 1)) ?? 0) & ~domainFact.neighbour;
  }
  return found;
}

/** The domains that are listed with any of these facts. */
export const domainsWith = (wanted: number): string[] =>
  [...facts()].filter(([, found]) => (found & wanted) !== 0).map(([domain]) => domain);

export function publicBodyIn(found: number): PublicBody | null {
  for (const body of bodies) if ((found & domainFact[body]) !== 0) return body;
  return null;
}

export interface TypoTarget {
  name: string;
  /** Only slips in the ending are corrected: the name itself is too similar to other words. */
  isExact: boolean;
  /** The endings to correct a slip to, most common first. */
  endings: readonly string[];
  /** Other real domains with this name. */
  otherEndings: readonly string[];
  /** See `letterMask`. */
  mask: number;
}

/**
 * Which letters from a to z a text contains before `end`, one bit each. Texts one or two slips
 * apart differ in few bits.
 */
export function letterMask(text: string, end = text.length): number {
  let mask = 0;
  for (let at = 0; at < end; at++) {
    const letter = text.charCodeAt(at) - 97;
    if (letter >= 0 && letter < 26) mask |= 1 << letter;
  }
  return mask;
}

/** Most common first. */
export const typoTargets = once((): readonly TypoTarget[] =>
  words(data.typoTargets).map((line) => {
    const [usual = '', others = ''] = line.split(' | ');
    const [mark = '', ...endings] = usual.split(' ');
    const isExact = mark.startsWith('=');
    const name = isExact ? mark.slice(1) : mark;
    return {
      name,
      isExact,
      mask: letterMask(name),
      endings,
      otherEndings: others === '' ? [] : others.split(' '),
    };
  }),
);
