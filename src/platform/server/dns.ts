import type { MxRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/**
 * What a name server says. `no_name`: the name does not exist, and nothing below it does (RFC
 * 8020). `none`: it exists without such a record. `unknown`: nobody has answered.
 */
export type DnsAnswer<T> =
  | { state: 'found'; values: T[] }
  | { state: 'none' | 'no_name' | 'unknown'; values: never[] };

/** Questions to name servers. They never throw: a failed one is `unknown`. */
export interface Dns {
  mx(name: string): Promise<DnsAnswer<MxRecord>>;
  a(name: string): Promise<DnsAnswer<string>>;
  aaaa(name: string): Promise<DnsAnswer<string>>;
  cname(name: string): Promise<DnsAnswer<string>>;
  /** The names of an IP address. */
  ptr(address: string): Promise<DnsAnswer<string>>;
  /** The strings of each record are joined. */
  txt(name: string): Promise<DnsAnswer<string>>;
  /** Abandons all open questions. */
  close(): void;
}

export interface DnsOptions {
  /** IP addresses, each with or without a port. Empty means the machine's own servers. */
  servers: readonly string[];
  /** How long one question may take. It is asked twice. */
  deadlineMs?: number;
}

export function createDns({ servers, deadlineMs = 3000 }: DnsOptions): Dns {
  const resolver = new Resolver({ timeout: deadlineMs, tries: 2 });
  if (servers.length > 0) resolver.setServers([...servers]);
  const ask = async <T>(question: Promise<T[]>): Promise<DnsAnswer<T>> => {
    try {
      const values = await withDeadline(question, deadlineMs * 2 + 500);
      return values.length > 0 ? { state: 'found', values } : { state: 'none', values: [] };
    } catch (error) {
      return { state: stateOf(error), values: [] };
    }
  };
  return {
    mx: (name) => ask(resolver.resolveMx(name)),
    a: (name) => ask(resolver.resolve4(name)),
    aaaa: (name) => ask(resolver.resolve6(name)),
    cname: (name) => ask(resolver.resolveCname(name)),
    // `reverse` would call it unknown to DNS when no server has answered.
    ptr: (address) => ask(resolver.resolvePtr(reverseName(address))),
    txt: (name) => ask(resolver.resolveTxt(name).then((records) => records.map((parts) => parts.join('')))),
    close: () => resolver.cancel(),
  };
}

/** Where the names of an IP address stand (RFC 1035, section 3.5, and RFC 3596, section 2.5). */
function reverseName(address: string): string {
  if (isIP(address) !== 6) return `${address.split('.').reverse().join('.')}.in-addr.arpa`;
  // URLs write IPv6 in one way, without a mapped IPv4 address at its end.
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [head, tail] = [left, right ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const groups = [
    ...(head ?? []),
    ...Array(8 - (head?.length ?? 0) - (tail?.length ?? 0)).fill('0'),
    ...(tail ?? []),
  ];
  const digits = groups.map((group: string) => group.padStart(4, '0')).join('');
  return `${digits.split('').reverse().join('.')}.ip6.arpa`;
}

/**
 * The resolver restarts its own time-out with each try and server, so each question also has a
 * deadline here.
 */
async function withDeadline<T>(question: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), deadlineMs);
  });
  try {
    return await Promise.race([question, late]);
  } finally {
    clearTimeout(timer);
  }
}

function stateOf(error: unknown): 'none' | 'no_name' | 'unknown' {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'ENODATA') return 'none';
  return code === 'ENOTFOUND' ? 'no_name' : 'unknown';
}
