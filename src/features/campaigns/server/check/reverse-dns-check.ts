import { isIP } from 'node:net';
import type { Dns } from '#platform/server/dns.ts';
import { isPublicAddress } from '#platform/server/public-address.ts';
import type { CampaignCheck } from '../../contract.ts';

type Check = CampaignCheck['checks'][number];

/** Large providers have dozens of addresses, and their names follow one rule. */
const mostAddresses = 4;

/**
 * Whether the addresses of the mail servers have names that lead back to them, as receivers ask of
 * senders. Null where none is on the public internet: its way out cannot be seen from here.
 */
export async function reverseDnsCheck(dns: Dns, hosts: readonly string[]): Promise<Check | null> {
  const addresses = (await Promise.all(hosts.map((host) => addressesOf(dns, host)))).flat();
  const seen = [...new Set(addresses)].filter(isPublicAddress).slice(0, mostAddresses);
  if (seen.length === 0) return null;
  const found = await Promise.all(seen.map((address) => namesOf(dns, address)));
  const about = { key: 'reverse_dns', title: 'Reverse DNS' } as const;
  const faults = found.filter(({ fault }) => fault !== null);
  if (faults.length === 0)
    return {
      ...{ ...about, result: 'pass', fix: null },
      words: `${found.map(({ address, name }) => `${address} is ${name}`).join(', ')}, and back.`,
    };
  const isUnknown = faults.every(({ isUnanswered }) => isUnanswered);
  return {
    ...{ ...about, result: 'advice', words: faults.map(({ fault }) => fault).join(' ') },
    fix: isUnknown
      ? 'Open the check again in a while.'
      : 'Ask whoever runs the mail server to set a PTR record whose name leads back to the address.',
  };
}

interface Named {
  address: string;
  name: string | null;
  fault: string | null;
  isUnanswered: boolean;
}

async function namesOf(dns: Dns, address: string): Promise<Named> {
  const { state, values } = await dns.ptr(address);
  const judged = { address, name: null, isUnanswered: false };
  if (state === 'unknown')
    return { ...judged, isUnanswered: true, fault: `No name server has answered for ${address}.` };
  const [first] = values;
  if (first === undefined) return { ...judged, fault: `The mail server ${address} has no name in DNS.` };
  const back = await Promise.all(values.slice(0, mostAddresses).map((name) => leadsTo(dns, name, address)));
  const at = back.indexOf('yes');
  if (at !== -1) return { ...judged, name: values[at] ?? first, fault: null };
  return back.includes('unknown')
    ? { ...judged, isUnanswered: true, fault: `No name server has answered for ${first}.` }
    : { ...judged, fault: `The mail server ${address} calls itself ${first}, which is another address.` };
}

async function leadsTo(dns: Dns, name: string, address: string): Promise<'yes' | 'no' | 'unknown'> {
  const { state, values } = await (isIP(address) === 6 ? dns.aaaa(name) : dns.a(name));
  if (values.some((value) => canonical(value) === canonical(address))) return 'yes';
  return state === 'unknown' ? 'unknown' : 'no';
}

async function addressesOf(dns: Dns, host: string): Promise<string[]> {
  const bare = host.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) return [bare];
  const [four, six] = await Promise.all([dns.a(bare), dns.aaaa(bare)]);
  return [...four.values, ...six.values];
}

/** One way of writing each address: IPv6 has several. */
const canonical = (address: string): string =>
  isIP(address) === 6 ? new URL(`http://[${address}]`).hostname : address;
