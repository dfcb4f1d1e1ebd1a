import { isIPv6 } from 'node:net';

/**
 * Where a call comes from, for counting: an IPv4 address, or the first 64 bits of an IPv6 address
 * in four groups. Somebody with one IPv6 address has all others of its network too (RFC 6177).
 */
export function networkOf(ip: string): string {
  if (!isIPv6(ip) || ip.includes('.')) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = groupsOf(head);
  if (tail !== undefined) {
    const after = groupsOf(tail);
    const zeros = Array.from({ length: 8 - groups.length - after.length }, () => '0');
    groups.push(...zeros, ...after);
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'));
