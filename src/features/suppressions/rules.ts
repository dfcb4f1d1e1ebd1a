import {
  createAddressParser,
  describeReason,
  type Idna,
  normaliseDomain,
} from '#features/addresses/rules.ts';
import { formatCount } from '#platform/shared/words.ts';

export type ReadAddress = { ok: true; local: string; domain: string } | { ok: false; message: string };
export type ReadDomain = { ok: true; domain: string } | { ok: false; message: string };

/**
 * Reads addresses for the suppression list, without strict rules: people who must not be mailed can
 * be on the list even if the database would not accept their address. Returns the identity key.
 */
export function createAddressReader(idna: Idna, cacheSlots = 64): (text: string) => ReadAddress {
  const parser = createAddressParser({ ...idna, strict: false, cacheSlots });
  return (text) => {
    const parsed = parser.parse(text);
    if (parsed.ok) return { ok: true, local: parsed.local, domain: parsed.domain };
    return { ok: false, message: `That is not an email address: ${sentence(parsed.reason, parsed.detail)}` };
  };
}

/**
 * Reads a domain as people type or paste it, and says in plain words what is wrong with one that is
 * refused.
 */
export function readDomain(text: string, idna: Required<Idna>): ReadDomain {
  const read = normaliseDomain(text, idna.toAscii, idna.toUnicode);
  if (read.ok) return { ok: true, domain: read.domain };
  if (read.reason === 'public_suffix') {
    const ending = read.detail || text.trim();
    return {
      ok: false,
      message: `${ending} is an ending that many organisations share. Give one organisation's domain, such as example.${ending}.`,
    };
  }
  if (read.reason === 'several_at') {
    return {
      ok: false,
      message:
        'That is an email address. Suppress it as an address, or give only what stands after the @ sign.',
    };
  }
  const meant = read.suggestion ? ` Did you mean ${read.suggestion}?` : '';
  return { ok: false, message: `That is not a domain: ${sentence(read.reason, read.detail)}${meant}` };
}

function sentence(...reason: Parameters<typeof describeReason>): string {
  const words = describeReason(...reason);
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}.`;
}

/**
 * An identity key as people write it. An import may have accepted text without an @ sign, which has
 * no domain.
 */
export function writtenAddress({ local, domain }: { local: string; domain: string }): string {
  return domain === '' ? local : `${local}@${domain}`;
}

/** How long a lifting can be undone. */
export const liftingDays = 30;

const nouns = { email: ['address', 'addresses'], domain: ['domain', 'domains'] } as const;

/** A number of entries in words: "1,204 addresses". */
export function entriesInWords(list: keyof typeof nouns, count: number): string {
  const [one, many] = nouns[list];
  return formatCount(count, one, many);
}
