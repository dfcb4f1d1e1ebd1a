import { createDomainSorter } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import { eachDomain } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { CleanReason } from '../../contract.ts';
import type { CleanedCounts } from '../removal-queries.ts';
import { inTurns } from './in-turns.ts';
import { createJudge, type Judge, type ValidationSettings } from './judge.ts';
import { LetIn } from './let-in.ts';
import { selectImportsWithChoice } from './let-in-queries.ts';

type CountedReason = Exclude<CleanReason, 'letIn'>;

/**
 * What a clean finds by the current settings. Each contact has the first reason that fits: a
 * further copy, invalid, not UK. The last is parted by what imports let in by a choice of their
 * own. Each domain is judged once, not once per contact. What depends on the contact itself is then
 * counted (clean-count.ts) or estimated (clean-estimate.ts). The plan holds no ids, because there
 * may be millions.
 */
export class CleanPlan {
  /** Contacts that have the reason, by domain. `nonUk` holds those that are let in as well. */
  readonly byDomain: Record<CountedReason, Map<string, number>>;
  readonly letIn: LetIn;
  readonly judge: Judge;
  /** Some contacts that are invalid by the current rules alone. */
  readonly invalidSamples: number[] = [];
  /** Valid contacts in domains that are not invalid. */
  valid = 0;
  readonly #totals = { duplicate: 0, invalid: 0, nonUk: 0 };
  readonly #estimated = new Set<CleanReason>();

  constructor(letIn: LetIn, judge: Judge) {
    this.letIn = letIn;
    this.judge = judge;
    this.byDomain = { duplicate: new Map(), invalid: new Map(), nonUk: new Map() };
  }

  add(reason: CountedReason, domain: string, contacts: number): void {
    if (contacts === 0) return;
    const counts = this.byDomain[reason];
    counts.set(domain, (counts.get(domain) ?? 0) + contacts);
    this.#totals[reason] += contacts;
  }

  /** So many more contacts have the reason, or fewer, according to a sample. */
  addEstimate(reason: CountedReason, contacts: number): void {
    this.#totals[reason] += contacts;
    this.#estimated.add(reason);
  }

  /** The number of those let in comes from a sample, and so does that of the rest. */
  estimateLetIn(): void {
    this.#estimated.add('letIn').add('nonUk');
  }

  isEstimate(reason: CleanReason): boolean {
    return this.#estimated.has(reason);
  }

  isForeign(domain: string): boolean {
    return this.byDomain.nonUk.has(domain);
  }

  /** How many contacts are outside the UK rule and not invalid, whether or not they are let in. */
  get foreign(): number {
    return this.#totals.nonUk;
  }

  /** How many contacts have the reason. */
  count(reason: CleanReason): number {
    if (reason === 'letIn') return Math.max(this.letIn.contacts, 0);
    // Contacts may come and go between two looks at them.
    return Math.max(this.#totals[reason] - (reason === 'nonUk' ? this.letIn.contacts : 0), 0);
  }

  /** How many contacts outside the UK rule stay because an import's own choice let them in. */
  keptByImports(reasons: readonly CleanReason[]): number {
    return reasons.includes('letIn') ? 0 : this.count('letIn');
  }

  /** What the chosen reasons amount to, as people are told. */
  counts(reasons: readonly CleanReason[]): CleanedCounts & { removed: number } {
    const of = (reason: CleanReason) => (reasons.includes(reason) ? this.count(reason) : 0);
    const counts = { duplicates: of('duplicate'), invalid: of('invalid'), nonUk: of('nonUk') + of('letIn') };
    return { ...counts, removed: counts.duplicates + counts.invalid + counts.nonUk };
  }
}

/** What the domains say. Reads the domains, and no contact. */
export async function planByDomains(
  tx: TenantTx,
  workspaceId: number,
  settings: ValidationSettings,
): Promise<CleanPlan> {
  const letIn = new LetIn(await selectImportsWithChoice(tx, workspaceId));
  const plan = new CleanPlan(letIn, createJudge(workspaceId, settings));
  const fateOf = createDomainSorter(settings, idna);
  await eachDomain(tx, workspaceId, (domains) =>
    inTurns(domains, ({ domain, valid, invalid, duplicate }) => {
      plan.add('duplicate', domain, duplicate);
      const fate = valid === 0 ? 'kept' : fateOf(domain);
      plan.add('invalid', domain, invalid + (fate === 'invalid' ? valid : 0));
      if (fate === 'invalid') plan.judge.addInvalid(domain);
      else plan.valid += valid;
      if (fate !== 'nonUk') return;
      plan.add('nonUk', domain, valid);
      plan.judge.addForeign(domain);
    }),
  );
  return plan;
}
