import { unescaped } from '#features/templates/rules/addresses.ts';
import { joinedAddress, type Target, targetOf } from '../rules/targets.ts';
import type { LinkKeys } from './link-keys.ts';

/** A link of a template, in the order of its part. */
export interface LinkOfTemplate {
  part: string;
  index: number;
  /** As the template writes it, with its Liquid. */
  url: string;
}

/** A link whose clicks are counted. Its number names it in the mail. */
export interface CountedLink extends Target {
  number: number;
  part: string;
  index: number;
}

/**
 * The links whose clicks are counted, with their numbers, which follow on `base`. The others stay
 * as they are written.
 */
export function countedLinks(links: readonly LinkOfTemplate[], base = 0): CountedLink[] {
  const found: CountedLink[] = [];
  for (const { part, index, url } of links) {
    if (part !== 'html' && part !== 'text') continue;
    const target = targetOf(part === 'html' ? unescaped(url) : url);
    if (target) found.push({ number: base + found.length + 1, part, index, ...target });
  }
  return found;
}

/** The addresses in one message. */
export interface MessageLinks {
  /** Also the address of RFC 8058. */
  unsubscribe: string;
  preferences: string;
  view: string;
  pixel: string;
  /**
   * What stands in the message in place of an address. `url` is the address for this recipient,
   * `index` the link's place in its part. What is not counted stays as it is.
   */
  link(part: string, url: string, index: number): string;
}

export interface LinkSite {
  /** Where readers reach the product, without a slash at the end. */
  publicUrl: string;
  keys: LinkKeys;
}

/**
 * Writes the addresses in the messages of a mailing. Cheap, a signature for each, and pure: it
 * needs nothing but the keys.
 */
export function messageLinks(
  { publicUrl, keys }: LinkSite,
  {
    workspaceId,
    mailingId,
    links,
  }: { workspaceId: number; mailingId: number; links: readonly CountedLink[] },
): (sendId: number) => MessageLinks {
  const { references } = keys;
  const counted = new Map(links.map((link) => [`${link.part} ${link.index}`, link]));
  return (sendId) => {
    const own = { workspaceId, mailingId, sendId, part: 0 };
    return {
      unsubscribe: `${publicUrl}/u/${references.url('unsubscribe', own)}`,
      preferences: `${publicUrl}/p/${references.url('preferences', own)}`,
      view: `${publicUrl}/v/${references.url('view', own)}`,
      pixel: `${publicUrl}/o/${references.url('open', own)}`,
      link(part, url, index) {
        const link = counted.get(`${part} ${index}`);
        if (!link) return url;
        const name = references.url('click', { ...own, part: link.number });
        const at = `${publicUrl}/c/${name}`;
        if (link.prefix === null) return at;
        const address = url.trim();
        const rest = address.slice(link.prefix.length);
        const leadsThere = address.startsWith(link.prefix) && joinedAddress(link.prefix, rest) !== null;
        return leadsThere ? `${at}?t=${keys.seal(name, rest)}` : url;
      },
    };
  };
}
