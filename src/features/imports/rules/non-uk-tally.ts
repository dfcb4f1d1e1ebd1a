import type { UkClass } from '#features/addresses/contract.ts';
import { ukClass } from '#features/addresses/rules.ts';
import type { NonUkView } from '../contract.ts';

const mostDomains = 20_000;
const shownDomains = 20;

/**
 * Counts what the non-UK filter leaves out, by UK class and by domain. Rare domains are forgotten
 * when many come, so that memory stays bounded; the largest are right.
 */
export class NonUkTally {
  readonly #classes: Record<UkClass, number> = { uk: 0, likely_uk: 0, global: 0, not_uk: 0 };
  #rows = new Map<string, number>();

  add(domain: string, uk: UkClass): void {
    this.#classes[uk]++;
    this.#rows.set(domain, (this.#rows.get(domain) ?? 0) + 1);
    if (this.#rows.size < mostDomains) return;
    this.#rows = new Map(this.#largest(mostDomains / 2));
  }

  view(): NonUkView {
    const { uk, likely_uk: likelyUk, global, not_uk: notUk } = this.#classes;
    const domains = this.#largest(shownDomains).map(([domain, rows]) => ({
      domain,
      uk: ukClass(domain),
      rows,
    }));
    return { uk, likelyUk, global, notUk, domains };
  }

  #largest(number: number): [domain: string, rows: number][] {
    return [...this.#rows].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)).slice(0, number);
  }
}
