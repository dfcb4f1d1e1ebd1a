import type { SenderRecord } from '../contract.ts';
import { organisationalDomain } from './domain-name.ts';
import type { DnsFacts, PublicKey, Said } from './facts.ts';
import { keptUntil, signingKey, waitingKey } from './keys.ts';
import { withSpfParts } from './spf.ts';
import { dkimRecord, publishes, stringsOf, tagsOf } from './tags.ts';

/** What the installation brings along. */
export interface Place {
  /** Null where nobody outside can reach it. */
  publicHost: string | null;
  /** Where readers reach the installation, without a slash at the end. */
  publicUrl: string;
  /** Where bounces go. Null when there is no such domain. */
  bounceDomain: string | null;
  /** The parts that let the SMTP servers send: `include:spf.example.net`. */
  spfParts: readonly string[];
}

export const dkimHost = (selector: string, domain: string): string => `${selector}._domainkey.${domain}`;

/** The host that links in mails may begin with. */
export const trackingHost = (domain: string): string => `links.${domain}`;

/** What links would begin with by that host: by the same scheme and port as the installation. */
export function ownLinkBase(domain: string, { publicUrl }: Place): string {
  const url = new URL(publicUrl);
  url.hostname = trackingHost(domain);
  return url.href.replace(/\/$/, '');
}

/** The same when the host leads here and answers; null otherwise. */
export const linkBase = (domain: string, facts: DnsFacts, place: Place): string | null =>
  place.publicHost !== null && facts.tracking?.values.includes(place.publicHost) && facts.linkProblem === null
    ? ownLinkBase(domain, place)
    : null;

/** Whether whoever keeps this domain's DNS keeps that of the bounces too. */
export const ownsReturnPath = (domain: string, { bounceDomain, publicHost }: Place): boolean =>
  bounceDomain !== null &&
  publicHost !== null &&
  organisationalDomain(bounceDomain) === organisationalDomain(domain);

type Draft = Omit<SenderRecord, 'shortHost' | 'strings'>;

/** The records to publish for a sender domain, the most important first. */
export function recordsOf(
  domain: string,
  keys: readonly PublicKey[],
  facts: DnsFacts | null,
  place: Place,
): SenderRecord[] {
  const drafts: Draft[] = [
    ...dkimRecords(domain, keys, facts),
    spfRecord(domain, facts, place),
    dmarcRecord(domain, facts),
  ];
  if (ownsReturnPath(domain, place)) {
    drafts.push({
      purpose: 'return_path',
      selector: null,
      host: place.bounceDomain ?? '',
      type: 'MX',
      value: `10 ${place.publicHost}`,
      isOptional: false,
      state: stateOf(facts?.returnPath, (value) => value.split(' ').at(-1) === place.publicHost),
      words: 'Bounces come back by it.',
    });
  }
  if (place.publicHost !== null) {
    drafts.push({
      purpose: 'tracking',
      selector: null,
      host: trackingHost(domain),
      type: 'CNAME',
      value: place.publicHost,
      isOptional: true,
      state: stateOf(facts?.tracking, (value) => value === place.publicHost),
      words:
        'Lets links in mails begin with your own domain. Keep it for as long as people read mails with such links.',
    });
  }
  const below = organisationalDomain(domain);
  return drafts.map((draft) => ({
    ...draft,
    shortHost: shortened(draft.host, below),
    strings: draft.type === 'TXT' ? stringsOf(draft.value) : [],
  }));
}

function dkimRecords(domain: string, keys: readonly PublicKey[], facts: DnsFacts | null): Draft[] {
  const [signing, waiting] = [signingKey(keys), waitingKey(keys)];
  const wordsFor = (key: PublicKey) => {
    if (key === waiting) return 'The new key. It signs as soon as this record is seen.';
    if (key === signing) return 'Shows receivers that mail is yours and unchanged.';
    const until = key.retiredAt ? keptUntil(key.retiredAt).toISOString().slice(0, 10) : '';
    return `The old key. Keep its record until ${until}, for mail on its way.`;
  };
  return keys.map((key) => ({
    purpose: 'dkim',
    selector: key.selector,
    host: dkimHost(key.selector, domain),
    type: 'TXT',
    value: dkimRecord(key.publicKey),
    isOptional: key.retiredAt !== null,
    state: stateOf(facts?.dkim[key.selector], (value) => publishes(value, key.publicKey)),
    words: wordsFor(key),
  }));
}

function spfRecord(domain: string, facts: DnsFacts | null, { spfParts }: Place): Draft {
  const there = facts?.spf.values.length === 1 ? (facts.spf.values[0] ?? null) : null;
  const value = withSpfParts(there, spfParts);
  return {
    purpose: 'spf',
    selector: null,
    host: domain,
    type: 'TXT',
    value,
    isOptional: false,
    state: stateOf(facts?.spf, (text) => text === value && facts?.spf.values.length === 1),
    words:
      there !== null && there !== value
        ? `Replaces the SPF record that is there: a domain has one. It is yours, with ${spfParts.length === 1 ? 'the server that sends' : 'the servers that send'} for you added.`
        : 'Says which servers send for this domain. A domain has one SPF record.',
  };
}

function dmarcRecord(domain: string, facts: DnsFacts | null): Draft {
  const [there] = facts?.dmarc.values ?? [];
  return {
    purpose: 'dmarc',
    selector: null,
    host: `_dmarc.${facts?.dmarc.state === 'found' ? facts.dmarcDomain : domain}`,
    type: 'TXT',
    // A policy that is there is stricter or more exact than the one to begin with.
    value: there ?? 'v=DMARC1; p=none',
    isOptional: false,
    state: stateOf(facts?.dmarc, (value) => tagsOf(value).has('p') && facts?.dmarc.values.length === 1),
    words: 'Says what receivers do with mail that only claims to be yours. Begin with p=none.',
  };
}

function stateOf(said: Said | null | undefined, isRight: (value: string) => boolean): SenderRecord['state'] {
  if (!said || said.state === 'unknown') return 'unknown';
  if (said.state === 'none') return 'missing';
  return said.values.some(isRight) ? 'found' : 'differs';
}

function shortened(host: string, below: string): string {
  if (host === below) return '@';
  return host.endsWith(`.${below}`) ? host.slice(0, -below.length - 1) : host;
}
