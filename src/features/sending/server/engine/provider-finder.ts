import type { MailServers } from '#features/verification/server/index.ts';
import type { Log } from '#platform/server/logging.ts';

/** Domains that are asked about together. */
const batch = 500;
/** More than this many do not wait to be asked about: later parts bring them again. */
const mostWaiting = 50_000;
/** While nobody answers, nobody is asked for so long. */
const restMs = 600_000;

/**
 * Finds out whose servers take the mail of the domains that a process is sending to, so that all
 * domains of one provider keep to its limit together. Nobody waits for it: until a provider is
 * known, a domain stands for itself.
 */
export class ProviderFinder {
  readonly #mailServers: Pick<MailServers, 'findAll'>;
  readonly #log: Log;
  readonly #waiting = new Set<string>();
  readonly #stopper = new AbortController();
  #running: Promise<void> | null = null;
  #restsUntil = 0;

  constructor(mailServers: Pick<MailServers, 'findAll'>, log: Log) {
    this.#mailServers = mailServers;
    this.#log = log;
  }

  note(domains: Iterable<string>): void {
    if (this.#stopper.signal.aborted || performance.now() < this.#restsUntil) return;
    for (const domain of domains) if (this.#waiting.size < mostWaiting) this.#waiting.add(domain);
    this.#running ??= this.#findAll().finally(() => {
      this.#running = null;
    });
  }

  stop(): void {
    this.#stopper.abort();
  }

  async #findAll(): Promise<void> {
    const { signal } = this.#stopper;
    try {
      while (this.#waiting.size > 0 && !signal.aborted) {
        const domains = [...this.#waiting].slice(0, batch);
        const found = await this.#mailServers.findAll(domains, { signal });
        for (const domain of domains) this.#waiting.delete(domain);
        if (![...found.values()].every(({ state }) => state === 'unknown')) continue;
        this.#restsUntil = performance.now() + restMs;
        this.#waiting.clear();
      }
    } catch (err) {
      this.#waiting.clear();
      if (!signal.aborted) this.#log.warn({ err }, 'providers of domains could not be found out');
    }
  }
}
