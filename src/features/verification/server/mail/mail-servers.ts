import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { DomainEvidence } from '#features/addresses/rules.ts';
import type { Database } from '#platform/server/database.ts';
import { keepDomains, selectKnownDomains } from '../domain-queries.ts';
import type { MailAnswer, MailLookup } from './mail-lookup.ts';

/** Questions asked at the same time, for all workspaces together. */
const atOnce = 100;
/** Domains that are looked up in the cache and stored together. */
const batch = 1000;
/**
 * After this many questions in a row without any answer, nobody is answering. The rest become
 * `unknown` without asking; otherwise a machine without a connection would wait for days.
 */
const silence = 300;

export interface MailServers {
  /** What is known about the domain, asked again if that is no longer valid. */
  find(domain: string): Promise<DomainEvidence>;
  /** The same for many, each asked once. `onDone` is called with how many more are done. */
  findAll(
    domains: readonly string[],
    options?: { signal?: AbortSignal; onDone?: (more: number) => void },
  ): Promise<Map<string, DomainEvidence>>;
  close(): void;
}

export function createMailServers({ db, lookup }: { db: Database; lookup: MailLookup }): MailServers {
  const asked = new Map<string, Promise<MailAnswer>>();
  /** Cache reads in progress. They do not see what is stored from now on. */
  const looks = new Set<Promise<unknown>>();
  const lane = createLane(atOnce);
  let unanswered = 0;
  /** Callers that ask about the same domain at the same time share one answer. */
  const ask = (domain: string, signal?: AbortSignal): Promise<MailAnswer> => {
    const running = asked.get(domain);
    if (running) return running;
    const answer = lane(async (): Promise<MailAnswer> => {
      if (signal?.aborted || unanswered >= silence) return { state: 'unknown', via: null };
      const found = await lookup.ask(domain);
      unanswered = found.state === 'unknown' ? unanswered + 1 : 0;
      return found;
    });
    asked.set(domain, answer);
    return answer;
  };
  const known = async (domains: readonly string[]): Promise<Map<string, DomainEvidence>> => {
    const look = selectKnownDomains(db.system, domains);
    looks.add(look);
    try {
      const rows = await look;
      return new Map(
        rows.map(({ domain, state, via, checkedAt }) => [
          domain,
          { state, via, checkedAt: checkedAt.toISOString() },
        ]),
      );
    } finally {
      looks.delete(look);
    }
  };
  const findBatch = async (
    domains: readonly string[],
    options: { signal?: AbortSignal | undefined; onDone?: ((more: number) => void) | undefined },
  ): Promise<[string, DomainEvidence][]> => {
    const found = await known(domains);
    options.onDone?.(found.size);
    const missing = domains.filter((domain) => !found.has(domain));
    const answers = await Promise.all(
      missing.map(async (domain) => {
        const answer = await ask(domain, options.signal);
        options.onDone?.(1);
        return { domain, ...answer };
      }),
    );
    try {
      if (!options.signal?.aborted) await keepDomains(db.system, answers);
    } finally {
      // Not earlier: until the answers are stored, other readers find nothing and would ask again.
      // So would readers that are reading right now.
      await Promise.allSettled(looks);
      await turnOfTheLoop();
      for (const domain of missing) asked.delete(domain);
    }
    const checkedAt = new Date().toISOString();
    for (const { domain, state, via } of answers) found.set(domain, { state, via, checkedAt });
    return [...found];
  };
  const findAll: MailServers['findAll'] = async (domains, options = {}) => {
    unanswered = 0;
    const distinct = [...new Set(domains)];
    const found = new Map<string, DomainEvidence>();
    for (let from = 0; from < distinct.length && !options.signal?.aborted; from += batch) {
      for (const [domain, evidence] of await findBatch(distinct.slice(from, from + batch), options)) {
        found.set(domain, evidence);
      }
    }
    return found;
  };
  return {
    findAll,
    async find(domain) {
      const found = await findAll([domain]);
      return found.get(domain) ?? { state: 'unknown', via: null, checkedAt: new Date().toISOString() };
    },
    close: () => lookup.close(),
  };
}

/** Runs at most `width` pieces of work at the same time, in the order given. */
function createLane(width: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = width;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
