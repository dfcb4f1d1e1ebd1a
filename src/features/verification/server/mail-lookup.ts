import { Resolver } from 'node:dns/promises';
import type { DomainEvidence } from '#features/addresses/rules.ts';

/** What the DNS says now about a domain's mail. */
export type MailAnswer = Pick<DomainEvidence, 'state' | 'via'>;

export interface MailLookup {
  /** Never throws: a failed lookup is `unknown`. The domain is ASCII and lower case. */
  ask(domain: string): Promise<MailAnswer>;
  /** Abandons all open questions. */
  close(): void;
}

export interface MailLookupOptions {
  /** IP addresses, each with or without a port. Empty means the machine's own servers. */
  servers: readonly string[];
  /** How long one question may take. It is asked twice. A domain takes three questions at most. */
  deadlineMs?: number;
}

/**
 * The resolver's code for a name that does not exist at all (RFC 8020: then nothing below it exists
 * either).
 */
const noSuchName = 'ENOTFOUND';
/** …or one that exists without records of the requested type. */
const noSuchRecord = 'ENODATA';

/**
 * Where mail for a domain goes, by RFC 5321 section 5.1: to its MX records or, without any, to the
 * domain's own address. A single MX record with an empty name means that it takes none (RFC 7505).
 */
export function createMailLookup({ servers, deadlineMs = 3000 }: MailLookupOptions): MailLookup {
  const resolver = new Resolver({ timeout: deadlineMs, tries: 2 });
  if (servers.length > 0) resolver.setServers([...servers]);
  /**
   * The resolver restarts its own time-out with each try and server, so each question also has a
   * deadline here.
   */
  const withDeadline = async <T>(question: Promise<T>): Promise<T> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(Object.assign(new Error('no answer'), { code: 'ETIMEOUT' })),
        deadlineMs * 2 + 500,
      );
    });
    try {
      return await Promise.race([question, late]);
    } finally {
      clearTimeout(timer);
    }
  };
  const addressOf = async (question: Promise<unknown[]>): Promise<'found' | 'none' | 'unknown'> => {
    try {
      return (await withDeadline(question)).length > 0 ? 'found' : 'none';
    } catch (error) {
      const code = codeOf(error);
      return code === noSuchRecord || code === noSuchName ? 'none' : 'unknown';
    }
  };
  const byAddress = async (domain: string): Promise<MailAnswer> => {
    const four = await addressOf(resolver.resolve4(domain));
    if (four === 'found') return { state: 'mail', via: 'address' };
    const six = await addressOf(resolver.resolve6(domain));
    if (six === 'found') return { state: 'mail', via: 'address' };
    return { state: four === 'none' && six === 'none' ? 'no_mail' : 'unknown', via: null };
  };
  return {
    async ask(domain) {
      try {
        const records = await withDeadline(resolver.resolveMx(domain));
        const named = records.filter(({ exchange }) => exchange !== '' && exchange !== '.');
        if (named.length > 0) return { state: 'mail', via: 'mx' };
        return records.length > 0 ? { state: 'null_mx', via: null } : await byAddress(domain);
      } catch (error) {
        const code = codeOf(error);
        if (code === noSuchName) return { state: 'no_such_domain', via: null };
        return code === noSuchRecord ? byAddress(domain) : { state: 'unknown', via: null };
      }
    },
    close: () => resolver.cancel(),
  };
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
