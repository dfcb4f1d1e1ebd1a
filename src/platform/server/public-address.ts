import { lookup as dnsLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/*
 * Which addresses the product may call because a user named them. Everything that is not on the
 * public internet is refused: the machine itself, the network around it, and the addresses at which
 * clouds tell machines their secrets (IANA special-purpose registries, RFC 6890).
 */

const refused = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  refused.addSubnet(network, bits, 'ipv4');
// Within 2000::/3, these hold an IPv4 address, or are for examples and for tunnels.
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  refused.addSubnet(network, bits, 'ipv6');

const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');
const mapped = new BlockList();
mapped.addSubnet('::ffff:0:0', 96, 'ipv6');

/** Whether this IP address, as text, is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !refused.check(address, 'ipv4');
  // A zone (`%eth0`) only makes sense on a link of one's own.
  if (version !== 6 || address.includes('%')) return false;
  // BlockList checks mapped addresses against the IPv4 networks.
  if (mapped.check(address, 'ipv6')) return !refused.check(address, 'ipv6');
  return unicast.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}

/** A user named a host that is not on the public internet. The message can be shown to them. */
export class NotPublic extends Error {
  readonly code = 'ENOTPUBLIC';
  constructor(host: string) {
    super(`${host} is not on the public internet.`);
  }
}

/**
 * A `lookup` for sockets that refuses hosts with any address off the public internet. The socket
 * then connects to the very address that was checked, so that a name server which answers
 * differently the next time gains nothing. Node looks up no host that is an IP address already: ask
 * `isPublicAddress` about those first (`refuseLiteral`).
 */
export const publicLookup: LookupFunction = (host, options, answer) => {
  dnsLookup(host, { ...options, all: true }, (error, found) => {
    if (error) return answer(error, '', 0);
    const [first] = found;
    if (!first || found.some(({ address }) => !isPublicAddress(address)))
      return answer(new NotPublic(host), '', 0);
    if (options.all) return answer(null, found);
    answer(null, first.address, first.family);
  });
};

/**
 * An address of this host to connect to, checked. For whoever opens sockets by address. Throws
 * `NotPublic`, or what the lookup throws.
 */
export async function publicAddressOf(host: string): Promise<string> {
  refuseLiteral(host);
  return new Promise((resolve, reject) => {
    publicLookup(host, { order: 'ipv4first' }, (error, address) =>
      error ? reject(error) : resolve(String(address)),
    );
  });
}

/** Throws `NotPublic` for an IP address that is not public. IPv6 may have its brackets of URLs. */
export function refuseLiteral(host: string): void {
  const bare = host.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0 && !isPublicAddress(bare)) throw new NotPublic(bare);
}
