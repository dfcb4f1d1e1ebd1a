import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { DomainEvidence } from '#features/addresses/rules.ts';
import type { Database } from '#platform/server/database.ts';
import { keepDomains, selectKnownDomains } from '../domain-queries.ts';
import type { MailAnswer, MailLookup } from './mail-lookup.ts';
import { type Asker, createQuestions } from './questions.ts';

/** Domains that are looked up in the cache and stored together. */
const batch = 1000;
const notAsked: MailAnswer = { state: 'unknown', via: null };

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
  const questions = createQuestions(lookup);
  /** Cache reads in progress. They do not see what is stored from now on. */
  const looks = new Set<Promise<unknown>>();
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
    asker: Asker,
    onDone: ((more: number) => void) | undefined,
  ): Promise<[string, DomainEvidence][]> => {
    const found = await known(domains);
    onDone?.(found.size);
    const missing = domains.filter((domain) => !found.has(domain));
    const answers = await Promise.all(
      missing.map(async (domain) => {
        const answer = await questions.ask(domain, asker);
        onDone?.(1);
        return answer && { domain, ...answer };
      }),
    );
    try {
      // What was not asked is not stored: somebody else's question may be answered.
      if (!asker.signal?.aborted)
        await keepDomains(
          db.system,
          answers.filter((answer) => answer !== null),
        );
    } finally {
      // Not earlier: until the answers are stored, other readers find nothing and would ask again.
      // So would readers that are reading right now.
      await Promise.allSettled(looks);
      await turnOfTheLoop();
      for (const domain of missing) questions.release(domain);
    }
    const checkedAt = new Date().toISOString();
    for (const [at, domain] of missing.entries()) {
      const { state, via } = answers[at] ?? notAsked;
      found.set(domain, { state, via, checkedAt });
    }
    return [...found];
  };
  const findAll: MailServers['findAll'] = async (domains, options = {}) => {
    const distinct = [...new Set(domains)];
    const asker: Asker = { signal: options.signal, isSingle: distinct.length === 1, unanswered: 0 };
    const found = new Map<string, DomainEvidence>();
    const leave = () => questions.leave(asker);
    options.signal?.addEventListener('abort', leave);
    try {
      for (let from = 0; from < distinct.length && !options.signal?.aborted; from += batch) {
        const some = distinct.slice(from, from + batch);
        for (const [domain, evidence] of await findBatch(some, asker, options.onDone))
          found.set(domain, evidence);
      }
    } finally {
      options.signal?.removeEventListener('abort', leave);
    }
    return found;
  };
  return {
    findAll,
    async find(domain) {
      const found = await findAll([domain]);
      return found.get(domain) ?? { ...notAsked, checkedAt: new Date().toISOString() };
    },
    close: () => lookup.close(),
  };
}
